package sim

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// FaultError says where a text is no fault.
type FaultError struct {
	Text   string
	Column int // of the word that is wrong, in bytes from 1
	Got    string
	Want   string
}

func (e *FaultError) Error() string {
	got := strconv.Quote(e.Got)
	if e.Got == "" {
		got = "the end"
	}
	return fmt.Sprintf("fault %q: column %d: found %s, want %s", e.Text, e.Column, got, e.Want)
}

// ParseFault reads a fault as it prints: "at TIME VERB ... [for TIME]". A
// [*FaultError] says what is wrong with another text.
func ParseFault(text string) (Fault, error) {
	p := faultParser{text: text}
	f := p.fault()
	if p.err != nil {
		return Fault{}, p.err
	}
	return f, nil
}

const faultVerbs = "crash, kill, drain, pause, cut, partition, lose, delay, skew, slow-disk or lie-sync"

type faultParser struct {
	text string
	at   int // where the next word starts
	last int // where the last one did
	err  error
}

func (p *faultParser) fail(got, want string) {
	if p.err == nil {
		p.err = &FaultError{p.text, p.last + 1, got, want}
	}
}

// word takes the next word, "" at the end.
func (p *faultParser) word() string {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
	p.last = p.at
	for p.at < len(p.text) && p.text[p.at] != ' ' {
		p.at++
	}
	return p.text[p.last:p.at]
}

func (p *faultParser) keyword(k string) {
	if w := p.word(); w != k {
		p.fail(w, strconv.Quote(k))
	}
}

func (p *faultParser) duration(want string) time.Duration {
	w := p.word()
	d, err := time.ParseDuration(w)
	if err != nil {
		p.fail(w, want+`, as "1.5s"`)
	}
	return d
}

func (p *faultParser) fault() (f Fault) {
	p.keyword("at")
	if f.At = p.duration("a time"); f.At < 0 {
		p.fail(f.At.String(), "a time that is not negative")
	}
	f.Action = p.action()
	if w := p.word(); w == "for" {
		if f.For = p.duration("a time"); f.For <= 0 {
			p.fail(f.For.String(), "a time above zero")
		}
		w = p.word()
		if w != "" {
			p.fail(w, "the end")
		}
	} else if w != "" {
		p.fail(w, `"for" or the end`)
	}
	return f
}

func (p *faultParser) action() Action {
	switch verb := p.word(); verb {
	case "crash":
		return Crash{p.nodes()}
	case "kill":
		return Kill{p.nodes()}
	case "drain":
		return Drain{p.nodes(), p.within()}
	case "pause":
		return Pause{p.nodes()}
	case "cut":
		w := p.word()
		from, to, ok := strings.Cut(w, ">")
		if !ok || !isName(from) || !isName(to) {
			p.fail(w, `two nodes, as "n1>n2"`)
		}
		return Cut{from, to}
	case "partition":
		return p.partition()
	case "lose":
		return Lose{p.node(), p.node(), p.percent()}
	case "delay":
		return Delay{p.node(), p.node(), p.by()}
	case "skew":
		return Skew{p.node(), p.by()}
	case "slow-disk":
		return SlowDisk{p.node(), p.by()}
	case "lie-sync":
		return LieSync{p.node()}
	default:
		p.fail(verb, faultVerbs)
		return nil
	}
}

func (p *faultParser) by() time.Duration {
	p.keyword("by")
	return p.duration("a time")
}

func (p *faultParser) within() time.Duration {
	p.keyword("within")
	d := p.duration("a time")
	if d < 0 {
		p.fail(d.String(), "a time that is not negative")
	}
	return d
}

func (p *faultParser) percent() float64 {
	w := p.word()
	digits, ok := strings.CutSuffix(w, "%")
	v, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || math.IsNaN(v) || v < 0 || v > 100 {
		p.fail(w, `a share from "0%" to "100%"`)
	}
	return v / 100
}

func isName(s string) bool { return s != "" && !strings.ContainsAny(s, ",|> ") }

func (p *faultParser) node() string {
	w := p.word()
	if !isName(w) {
		p.fail(w, "a node's name")
	}
	return w
}

func (p *faultParser) nodes() []string {
	w := p.word()
	return p.list(w)
}

func (p *faultParser) list(w string) []string {
	names := strings.Split(w, ",")
	for i, n := range names {
		if !isName(n) {
			p.fail(w, `nodes, as "n1,n2"`)
		}
		for _, other := range names[:i] {
			if n == other {
				p.fail(w, "each node once")
			}
		}
	}
	return names
}

func (p *faultParser) partition() Partition {
	w := p.word()
	var a Partition
	seen := map[string]bool{}
	for g := range strings.SplitSeq(w, "|") {
		group := p.list(g)
		for _, n := range group {
			if seen[n] {
				p.fail(w, "each node in one group")
			}
			seen[n] = true
		}
		a.Groups = append(a.Groups, group)
	}
	if len(a.Groups) < 2 {
		p.fail(w, `groups of nodes, as "n1,n2|n3"`)
	}
	return a
}

// trimFloat prints a number of few digits without an exponent.
func trimFloat(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}
