package plan

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Extracted is what free text gave.
type Extracted struct {
	Plan   *Plan
	Found  []Recognised // one for each scenario, in their order
	Unread []Unread     // what no scenario was made of, in the order of lines
}

// Extract makes a plan of free text: each bullet or numbered line that names a
// workload, a fault or a property becomes a scenario. The plan has what was
// recognised and nothing else; [Plan.Check] lists what a designer has to add.
//
// An item under another one belongs to it, unless it is a scenario of its own: its
// parent ends in a colon or names nothing, or it names faults and so does its
// parent. What a parent that ends in a colon names, all items under it have.
func Extract(file, text string) Extracted {
	data := normal([]byte(text))
	notes := readNotes(string(data))
	x := &extractor{unread: notes.unread}
	for _, n := range notes.tops {
		x.note(n, Recognised{})
	}
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	x.plan = &Plan{Name: name, source: source{file: file, hash: HashBytes([]byte(text)), lines: map[string]int{"name": 1}, bad: map[string]int{}}}
	for i := range x.found {
		x.scenario(i, file)
	}
	slices.SortStableFunc(x.unread, func(a, b Unread) int { return a.Line - b.Line })
	return Extracted{x.plan, x.found, x.unread}
}

type extractor struct {
	plan   *Plan
	found  []Recognised
	unread []Unread
}

// note makes scenarios of an item and of those under it. It has what the items say
// that it is under.
func (x *extractor) note(n *note, context Recognised) {
	own := recognise(n.text)
	own.Line = n.line
	if chores.MatchString(n.text) {
		x.skip(n, "it asks somebody to do something")
		return
	}
	if len(n.under) > 0 && (strings.HasSuffix(n.text, ":") || !own.names()) {
		if !own.names() && !strings.HasSuffix(n.text, ":") {
			x.leave(n, "it names no workload, fault or property")
		}
		for _, u := range n.under {
			x.note(u, merged(context, own))
		}
		return
	}
	if !own.names() {
		x.leave(n, "it names no workload, fault or property")
		return
	}
	var apart []*note
	for _, u := range n.under {
		if r := recognise(u.text); len(r.Faults) > 0 && len(own.Faults) > 0 && !continues(u.text) {
			apart = append(apart, u)
			continue
		}
		own = x.detail(own, u)
	}
	own = joinContext(own, context)
	x.found = append(x.found, own)
	for _, u := range apart {
		x.note(u, context)
	}
}

// continues says whether an item goes on with what its parent began.
func continues(text string) bool {
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	return slices.Contains([]string{"then", "and", "after", "afterwards", "while", "meanwhile", "expect"}, strings.Trim(first, ",:"))
}

// detail adds what an item under a scenario names.
func (x *extractor) detail(own Recognised, n *note) Recognised {
	r := recognise(n.text)
	if !r.names() {
		x.leave(n, "it names no workload, fault or property")
	} else {
		own = own.with(r)
	}
	for _, u := range n.under {
		own = x.detail(own, u)
	}
	return own
}

// merged is what the items say that others are under.
func merged(context, own Recognised) Recognised {
	if context.Text == "" {
		return own
	}
	return context.with(own)
}

// joinContext adds what the items above a scenario name. The text stays its own.
func joinContext(own, context Recognised) Recognised {
	text := own.Text
	own = own.with(context)
	own.Text = text
	return own
}

func (x *extractor) leave(n *note, why string) {
	x.unread = append(x.unread, Unread{n.line, n.text, why})
}

// skip leaves an item and all under it.
func (x *extractor) skip(n *note, why string) {
	x.leave(n, why)
	for _, u := range n.under {
		x.skip(u, "it is under an item that was not read")
	}
}

// scenario adds the scenario of what was recognised, and claims for the properties
// that it names.
func (x *extractor) scenario(i int, file string) {
	r := &x.found[i]
	r.Scenario = fmt.Sprintf("S%d", i+1)
	s := Scenario{ID: r.Scenario, Name: shortName(r.Text)}
	for _, f := range r.Faults {
		s.Faults.Items = append(s.Faults.Items, Named{Name: f})
	}
	if r.Faultless != "" && len(r.Faults) == 0 {
		s.Faults.None = "the notes say " + r.Faultless
	}
	if len(r.Workload) > 0 {
		s.Workload = tidy(r.Text)
	}
	for _, c := range r.Categories {
		id := fmt.Sprintf("C%d", len(x.plan.Claims)+1)
		x.plan.source.lines[fmt.Sprintf("claims.%d", len(x.plan.Claims))] = r.Line
		x.plan.Claims = append(x.plan.Claims, Claim{
			ID: id, Text: tidy(r.Text), Category: c, Source: fmt.Sprintf("%s:%d", file, r.Line), Basis: Stated,
		})
		s.Claims = append(s.Claims, id)
	}
	x.plan.source.lines[fmt.Sprintf("scenarios.%d", i)] = r.Line
	x.plan.Scenarios = append(x.plan.Scenarios, s)
}

// shortName makes a name of a text's first words.
func shortName(text string) string {
	const wordsMost = 8
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
	return strings.Join(words[:min(len(words), wordsMost)], "-")
}
