package oracle

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// workload is what a model's calls and answers are drawn from.
type workload struct {
	model   Model
	types   []string
	inputs  []string
	outputs []string
}

var workloads = []workload{
	{Register(), []string{"get", "get", "put", "cas", "append", "delete"}, []string{"a", "b", "[a b]", "[b a]", `[nil a]`}, []string{"", "a", "b", "ab", "true", "false"}},
	{Register(), []string{"get", "get", "put"}, []string{"a", "b"}, []string{"", "a", "b"}},
	{Mutex(), []string{"lock", "unlock", "trylock"}, []string{""}, []string{"", "true", "false"}},
	{Counter(), []string{"add", "incr", "get"}, []string{"1", "2"}, []string{"0", "1", "2", "3"}},
	{Queue(), []string{"enqueue", "dequeue", "dequeue", "len"}, []string{"a", "b"}, []string{"", "a", "b", "1"}},
	{Log(), []string{"append", "offer", "at", "len", "read"}, []string{"0", "1"}, []string{"", "0", "1", "2", "[0]", "[0 1]"}},
	{Set(), []string{"add", "remove", "contains", "read"}, []string{"a", "b"}, []string{"", "true", "false", "[]", `["a"]`}},
}

// drawHistory draws a history of a few calls of one key. Half of its answers are
// drawn from what the model says in the order of completion, half at random.
func drawHistory(t *rapid.T, w *workload) *History {
	now := int64(0)
	h := NewHistory(ClockFunc(func() int64 { now++; return now }))
	open := map[string]Pending{}
	state := w.model.Init
	for n := rapid.IntRange(2, 14).Draw(t, "events"); n > 0; n-- {
		process := rapid.SampledFrom([]string{"c1", "c2", "c3"}).Draw(t, "process")
		p, busy := open[process]
		if !busy {
			open[process] = h.Invoke(Call{Process: process, Key: "x",
				Type: rapid.SampledFrom(w.types).Draw(t, "type"), Input: rapid.SampledFrom(w.inputs).Draw(t, "input")})
			continue
		}
		delete(open, process)
		switch rapid.IntRange(0, 7).Draw(t, "end") {
		case 7:
			p.Fail(errors.New("refused"))
			continue
		case 6:
			p.Unknown(errors.New("reset"))
			continue
		case 5, 4, 3:
			p.OK(rapid.SampledFrom(w.outputs).Draw(t, "output"))
			continue
		}
		op := h.Ops()[p.ID()]
		next, a := w.model.Apply(state, &op)
		state = next
		p.OK(a.output)
	}
	return h
}

// allowed decides by trying every order of the calls, and every choice of which
// open and loose calls took effect. A loose call takes effect while it runs.
func allowed(m *Model, state string, parts []*part) bool {
	done := true
	for _, p := range parts {
		done = done && (p.open || p.loose)
	}
	if done {
		return true
	}
	for i, p := range parts {
		if slices.ContainsFunc(parts, func(o *part) bool { return o != p && !o.open && o.op.End < p.op.Begin && !o.loose }) {
			continue // another must come before it
		}
		rest := slices.Delete(slices.Clone(parts), i, i+1)
		// Loose calls that ended before this one began can take effect no more.
		rest = slices.DeleteFunc(rest, func(o *part) bool { return o.loose && !o.open && o.op.End < p.op.Begin })
		next, a := m.Apply(state, &p.op)
		switch {
		case p.open || p.loose:
			if a.kind != answerBlocked && allowed(m, next, rest) {
				return true
			}
		case a.accepts(p.op.Output) && allowed(m, next, rest):
			return true
		}
	}
	return false
}

// TestAgainstEveryOrder compares verdict and evidence with exhaustive search.
func TestAgainstEveryOrder(t *testing.T) {
	seen := map[Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom(workloads).Draw(t, "workload")
		h := drawHistory(t, &w)
		out := Linearizable(h, w.model).Check()
		seen[out.Verdict]++
		objects, _ := objectsOf(h.Ops(), &w.model)
		if len(objects) == 0 {
			return
		}
		ops := objects[0].ops
		right := allowed(&w.model, w.model.Init, prefix(ops, 0))
		if right == (out.Verdict == Violation) || out.Verdict == Unknown {
			t.Fatalf("%s (%s), every order says %v", out.Verdict, out.Reason, right)
		}
		if out.Verdict == Violation {
			checkEvidence(t, &w, ops, out)
		}
	})
	t.Logf("%v", seen)
	if seen[OK] < 5 || seen[Violation] < 5 {
		t.Errorf("drew %v, want more of each", seen)
	}
}

func checkEvidence(t *rapid.T, w *workload, ops []Op, out Outcome) {
	last := slices.MaxFunc(out.Ops, func(a, b Op) int { return a.End - b.End })
	if !allowed(&w.model, w.model.Init, prefix(ops, last.End-1)) {
		t.Fatalf("%s: it was wrong before", out.Message)
	}
	parts := prefix(ops, last.End)
	for _, p := range parts {
		if !p.open && !slices.ContainsFunc(out.Ops, func(o Op) bool { return o.ID == p.op.ID }) {
			p.setLoose()
		}
	}
	if allowed(&w.model, w.model.Init, parts) {
		t.Fatalf("the evidence proves nothing:\n%s", out.Detail)
	}
	for _, p := range parts {
		if p.open || p.loose {
			continue
		}
		p.setLoose()
		if !allowed(&w.model, w.model.Init, parts) {
			t.Fatalf("call %d can be spared:\n%s", p.op.ID, out.Detail)
		}
		p.setFirm()
	}
	checkWants(t, w, prefix(ops, last.End), last, out)
}

func checkWants(t *rapid.T, w *workload, parts []*part, last Op, out Outcome) {
	h, err := FromOps(0, renumbered(parts))
	if err != nil {
		t.Fatal(err)
	}
	c := &linearCheck{h, w.model, Limits{}.withDefaults()}
	objects, _ := objectsOf(h.Ops(), &w.model)
	e := c.shorten(objects)
	right := slices.Concat(e.wants, e.alsoRight)
	i := slices.IndexFunc(parts, func(p *part) bool { return p.op.ID == last.ID })
	for _, answer := range slices.Concat(w.outputs, right) {
		parts[i].op.Output = answer
		is := allowed(&w.model, w.model.Init, parts)
		if slices.Contains(right, answer) && !is {
			t.Fatalf("%s, but %q is wrong too", out.Message, answer)
		}
	}
	if w.model.Name != "register" || last.Type != "get" {
		return
	}
	for _, answer := range w.outputs {
		parts[i].op.Output = answer
		if allowed(&w.model, w.model.Init, parts) && !slices.Contains(right, answer) {
			t.Fatalf("%s, but %q is right too", out.Message, answer)
		}
	}
}

func renumbered(parts []*part) []Op {
	var ops []Op
	for i, p := range parts {
		op := p.was
		op.ID = i
		ops = append(ops, op)
	}
	return ops
}
