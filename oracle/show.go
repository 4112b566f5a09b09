package oracle

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// show writes the evidence into the outcome.
func (c *linearCheck) show(out *Outcome, e *evidence, broken []object) {
	out.Verdict, out.Reason = Violation, ""
	out.Key, out.Node, out.At = e.object.key, e.last.Node, e.last.Complete-c.h.start
	if c.h.bare {
		out.At = 0
	}
	out.Message = fmt.Sprintf("%s at %s, want %s", c.answered(&e.last), c.h.moment(e.last.Complete, 3), wanted(e.wants))
	for _, p := range e.parts {
		if !p.open && !p.loose {
			out.Ops = append(out.Ops, p.was)
		}
	}
	var b strings.Builder
	if c.model.Scope == PerKey {
		fmt.Fprintf(&b, "key %s, ", show(e.object.key))
	}
	fmt.Fprintf(&b, "model %s: no order explains\n", c.model.Name)
	b.WriteString(c.table(out.Ops))
	c.showRest(&b, e, len(out.Ops))
	if len(broken) > 1 {
		var keys []string
		for _, o := range broken {
			keys = append(keys, show(o.key))
		}
		fmt.Fprintf(&b, "%d keys are wrong, this one first: %s\n", len(broken), strings.Join(keys, ", "))
	}
	out.Detail = strings.TrimSuffix(b.String(), "\n")
}

// showRest says what became of the calls that are not in the table.
func (c *linearCheck) showRest(b *strings.Builder, e *evidence, shown int) {
	if rest := len(e.parts) - shown; rest > 0 {
		fmt.Fprintf(b, "whether or not any of %s took effect\n", plural(rest, "other call"))
	}
	if len(e.alsoRight) > 0 {
		fmt.Fprintf(b, "right as well, if a call without an answer took effect: %s\n", wanted(e.alsoRight))
	}
	switch {
	case !e.shortest:
		b.WriteString("the step limit was reached: an earlier answer may have been wrong already\n")
	case !e.small:
		b.WriteString("the step limit was reached: fewer calls may do\n")
	}
}

// table lists calls, one a line, in columns.
func (c *linearCheck) table(ops []Op) string {
	h := c.h
	rows := make([][4]string, len(ops))
	digits := h.digits(ops)
	var width [4]int
	for i := range ops {
		o := &ops[i]
		end := "..."
		if o.End > 0 {
			end = h.moment(o.Complete, digits)
		}
		rows[i] = [4]string{h.moment(o.Invoke, digits) + " - " + end, show(o.Process), c.answered(o), o.Node}
		for k, cell := range rows[i] {
			width[k] = max(width[k], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for k, cell := range row {
			line += "  " + cell + strings.Repeat(" ", width[k]-len([]rune(cell)))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// digits is how many decimals of a second tell every two moments of the calls
// apart that differ: 3, 6 or 9.
func (h *History) digits(ops []Op) int {
	for digits := 3; digits < 9; digits += 3 {
		seen := map[string]int64{}
		clash := false
		note := func(t int64) {
			s := h.moment(t, digits)
			if was, ok := seen[s]; ok && was != t {
				clash = true
			}
			seen[s] = t
		}
		for i := range ops {
			note(ops[i].Invoke)
			if ops[i].End > 0 {
				note(ops[i].Complete)
			}
		}
		if !clash {
			return digits
		}
	}
	return 9
}

// moment writes a time as seconds from the history's start, cut to so many
// decimals: 1.204s. In a history without times it is the event's place: #7.
func (h *History) moment(t int64, digits int) string {
	if h.bare {
		return "#" + strconv.FormatInt(t, 10)
	}
	d := time.Duration(t - h.start)
	sign := ""
	if d < 0 {
		sign, d = "-", -d
	}
	frac := fmt.Sprintf("%09d", d%time.Second)[:digits]
	return fmt.Sprintf("%s%d.%ss", sign, d/time.Second, frac)
}

// answered writes a call and its answer: get(x) = 1.
func (c *linearCheck) answered(o *Op) string {
	var in []string
	if o.Key != "" {
		in = append(in, show(o.Key))
	}
	if o.Input != "" {
		for _, a := range o.Args() {
			in = append(in, show(a))
		}
	}
	s := o.Type + "(" + strings.Join(in, ", ") + ")"
	switch {
	case o.Status == StatusOK && o.Output == "" && !c.answers(o):
		return s + " ok"
	case o.Status == StatusOK:
		return s + " = " + show(o.Output)
	case o.Timeout:
		return s + " timed out"
	}
	return s + " " + string(o.Status)
}

// answers reports whether an empty answer to the call is a value.
func (c *linearCheck) answers(o *Op) bool {
	_, a := c.model.Apply(c.model.Init, o)
	return o.Input == "" && a.kind == answerExactly
}

// wanted lists the answers that would have been right.
func wanted(wants []string) string {
	const most = 3
	var vs []string
	for _, w := range wants {
		vs = append(vs, show(w))
	}
	switch n := len(vs); {
	case n == 0:
		return "no such answer"
	case n == 1:
		return vs[0]
	case n <= most:
		return strings.Join(vs[:n-1], ", ") + " or " + vs[n-1]
	}
	return fmt.Sprintf("one of %d values: %s ...", len(vs), strings.Join(vs[:most], ", "))
}

// show writes a value so that it stays one word of a line, and not too long a
// one. The empty one is nil.
func show(v string) string {
	const most, head, tail = 80, 45, 30
	rs := []rune(quoted(v))
	if len(rs) <= most {
		return string(rs)
	}
	return string(rs[:head]) + "..." + string(rs[len(rs)-tail:])
}

func quoted(v string) string {
	if v == "" {
		return "nil"
	}
	if v[0] == '[' || v[0] == '{' || v[0] == '(' || strings.HasPrefix(v, "#") {
		if e, ok := parseOne(v); ok && e.String() == v {
			return v
		}
	}
	for _, r := range v {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune(`"',()[]{}`, r) {
			return strconv.Quote(v)
		}
	}
	if v == "nil" {
		return `"nil"`
	}
	return v
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
