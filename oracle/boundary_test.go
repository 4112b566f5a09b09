package oracle

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/outcome"
	"pgregory.net/rapid"
)

// told is a control and its answer.
type told struct {
	Control
	answer string
	status Status        // "" is ok
	took   time.Duration // 0 is a millisecond
}

// boundaryOf records controls one after another, all by one process.
func boundaryOf(t testing.TB, all ...told) *History {
	t.Helper()
	now := int64(0)
	h := NewHistory(ClockFunc(func() int64 { return now }))
	for _, c := range all {
		p := h.Invoke(c.Call("p1"))
		now += int64(max(c.took, time.Millisecond))
		switch c.status {
		case "":
			p.OK(c.answer)
		case StatusFailed:
			p.Fail(fmt.Errorf("%s", c.answer))
		case StatusUnknown:
			p.Unknown(fmt.Errorf("%s", c.answer))
		}
	}
	return h
}

// The calls of a boundary that holds, as a start for what breaks it.
func plant(tenant, object string, marks ...string) told {
	return told{Control: Control{Kind: ControlPlant, Surface: "api", Operation: "put", Tenant: tenant, Object: object, Marks: marks}}
}

func get(kind ControlKind, tenant, owner, object, answer string, marks ...string) told {
	return told{Control: Control{Kind: kind, Surface: "api", Operation: "get", Tenant: tenant, Owner: owner, Object: object, Marks: marks}, answer: answer}
}

func sound() []told {
	return []told{
		plant("a", "d1", "m-a-1"), plant("b", "d1", "m-b-1"),
		get(ControlOwn, "a", "a", "d1", "200 m-a-1", "m-a-1"),
		get(ControlForeign, "a", "b", "d1", "404 no d1 of b"),
		get(ControlMissing, "a", "b", "d9", "404 no d9 of b"),
	}
}

// with changes one call of the clean history.
func with(i int, change func(c *told)) []told {
	all := sound()
	change(&all[i])
	return all
}

// TestBoundary is the decision table: for each row a history that breaks it and, next to
// it, the nearest one that does not.
func TestBoundary(t *testing.T) {
	date := BoundaryRules{Variable: []*regexp.Regexp{regexp.MustCompile(`Date: \S+`)}}
	for _, c := range []struct {
		name    string
		calls   []told
		rules   BoundaryRules
		verdict outcome.Verdict
		says    string
	}{
		{"a boundary that holds", sound(), BoundaryRules{}, OK, ""},

		{"an own answer with another's mark", with(2, func(c *told) { c.answer += " m-b-1" }), BoundaryRules{}, Violation, `leak: "a" by get at api, asking for "d1", got "m-b-1", which is of "b"`},
		{"an own answer with two own marks", append(sound(), plant("a", "d2", "m-a-2"), get(ControlFree, "a", "a", "", "m-a-1 m-a-2")), BoundaryRules{}, OK, ""},
		{"another's data given", with(3, func(c *told) { c.answer = "200 m-b-1" }), BoundaryRules{}, Violation, `leak: "a" by get at api, asking for "d1" of "b", got "m-b-1"`},
		{"a free call with another's mark", append(sound(), get(ControlFree, "a", "a", "", "m-a-1,m-b-1")), BoundaryRules{}, Violation, "leak"},
		{"another's mark in an error", append(sound(), told{Control: get(ControlFree, "a", "a", "", "").Control, answer: "refused: m-b-1 is busy", status: StatusFailed}), BoundaryRules{}, Violation, "leak"},
		{"an error without", append(sound(), told{Control: get(ControlFree, "a", "a", "", "").Control, answer: "refused: busy", status: StatusFailed}), BoundaryRules{}, OK, ""},
		{"a mark within a longer own one", append(sound(), plant("b", "", "a"), plant("a", "", "ab"), get(ControlFree, "a", "a", "", "ab")), BoundaryRules{}, OK, ""},
		{"a mark beside an own one", append(sound(), plant("b", "", "acme"), plant("a", "", "acme2"), get(ControlFree, "a", "a", "", "acme2 acme")), BoundaryRules{}, Violation, "leak"},
		{"a mark that the request named", append(sound(), plant("b", "", "acme"), get(ControlFree, "a", "acme", "", "404 no acme")), BoundaryRules{}, OK, ""},
		{"a mark that a longer name than the request's holds", append(sound(), plant("b", "", "acme2"), get(ControlFree, "a", "acme", "", "404 no acme2")), BoundaryRules{}, Violation, "leak"},
		{"a denied write that was carried out", append(sound(), get(ControlForeign, "a", "b", "d1", "404 no d1 of b", "m-a-7"), get(ControlFree, "b", "b", "d1", "200 m-a-7")), BoundaryRules{}, Violation, `leak: "b"`},

		{"an own answer without its mark", with(2, func(c *told) { c.answer = "404" }), BoundaryRules{}, Violation, `unreadable: "a" by get at api, asking for its own "d1", got "404", want "m-a-1" in it`},
		{"an own answer with one of two marks", with(2, func(c *told) { c.Marks = append(c.Marks, "m-a-0") }), BoundaryRules{}, OK, ""},
		{"an own answer that did not come", append(sound(), told{Control: sound()[2].Control, status: StatusUnknown}), BoundaryRules{}, OK, ""},

		{"another status", with(3, func(c *told) { c.answer = "403 no d1 of b" }), BoundaryRules{}, Violation, `observable: "a" by get at api, asking for "d1" of "b", got "403 no <object> of <owner>", and "404 no <object> of <owner>" about what does not exist`},
		{"another length", with(3, func(c *told) { c.answer += " " }), BoundaryRules{}, Violation, "observable"},
		{"another date, not declared", with(3, func(c *told) { c.answer += "\nDate: 7" }), BoundaryRules{}, Violation, "observable"},
		{"another date, declared", append(with(3, func(c *told) { c.answer += "\nDate: 7" }), get(ControlMissing, "a", "b", "d9", "404 no d9 of b\nDate: 8")), date, OK, ""},
		{"like the second of two missing", append(with(3, func(c *told) { c.answer = "410" }), get(ControlMissing, "a", "b", "d9", "410")), BoundaryRules{}, OK, ""},
		{"like another tenant's missing", append(with(3, func(c *told) { c.answer = "410" }), get(ControlMissing, "b", "a", "d9", "410")), BoundaryRules{}, Violation, "observable"},
		{"a foreign write, unlike a missing one", append(sound(), get(ControlForeign, "a", "b", "d1", "409", "m-a-7")), BoundaryRules{}, Violation, "observable"},

		{"no calls", nil, BoundaryRules{}, Vacuous, "no calls"},
		{"no positive control", append(sound()[:2], sound()[3:]...), BoundaryRules{}, Vacuous, "no positive control was answered at api"},
		{"no positive control that was answered", with(2, func(c *told) { c.status = StatusUnknown }), BoundaryRules{}, Vacuous, "no positive control"},
		{"no negative control", sound()[:3], BoundaryRules{}, Vacuous, "no negative control was answered at api"},
		{"no control at a surface", sound(), BoundaryRules{Surfaces: []string{"api", "search"}}, Vacuous, "at search"},
		{"nothing missing to compare with", sound()[:4], BoundaryRules{}, Unknown, "about nothing that does not exist"},
		{"same name tried", sound(), BoundaryRules{Confusable: []Confusion{SameName}}, OK, ""},
		{"no prefix tried", sound(), BoundaryRules{Confusable: []Confusion{PrefixName}}, Vacuous, "no confusable identifiers (prefix) were tried at api"},
		{"a mark of two", append(sound(), plant("b", "d1", "m-a-1")), BoundaryRules{}, Unknown, "give every tenant marks of its own"},
		{"a call that is no control", append(sound(), told{Control: Control{Kind: "peek", Surface: "api", Operation: "get", Tenant: "a"}}), BoundaryRules{}, Unknown, `kind "peek"`},
		{"a positive control of nothing", append(sound(), get(ControlOwn, "a", "a", "d1", "200")), BoundaryRules{}, Unknown, "a positive control without marks"},
		{"no time, though it is judged", sound(), BoundaryRules{Timed: []string{"get"}}, Unknown, "1 pair of answers to compare the time of, want 30"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Boundary(boundaryOf(t, c.calls...), c.rules).Check()
			if text := o.Message + o.Reason; o.Verdict != c.verdict || !strings.HasPrefix(o.Message, c.says) && !strings.Contains(o.Reason, c.says) {
				t.Errorf("got %s: %s, want %s: %s", o.Verdict, text, c.verdict, c.says)
			}
			if (o.Verdict == Violation) != (len(o.Ops) > 0) {
				t.Errorf("%s has %d calls as evidence", o.Verdict, len(o.Ops))
			}
		})
	}
}

// timed are pairs of negative controls of which the foreign one takes longer by that much,
// but for every nth; whoever is asked first alternates.
func timed(pairs int, by time.Duration, nth int) []told {
	all := sound()
	for i := range pairs {
		f, m := sound()[3], sound()[4]
		f.took, m.took = 10*time.Millisecond, 10*time.Millisecond
		if late := &f; i%nth == 0 {
			m.took += by
		} else {
			late.took += by
		}
		if i%2 == 0 {
			f, m = m, f
		}
		all = append(all, f, m)
	}
	return all
}

func TestBoundaryByTime(t *testing.T) {
	for _, c := range []struct {
		name    string
		calls   []told
		verdict outcome.Verdict
	}{
		{"always longer", timed(40, 3*time.Millisecond, 1000), Violation},
		{"always shorter", timed(40, -3*time.Millisecond, 1000), Violation},
		{"longer as often as shorter", timed(40, 3*time.Millisecond, 2), OK},
		{"two thirds of few", timed(40, 3*time.Millisecond, 3), OK},
		{"two thirds of many", timed(400, 3*time.Millisecond, 3), Violation},
		{"longer, by too little to be seen", timed(40, 999*time.Microsecond, 1000), OK},
		{"too few", timed(28, 3*time.Millisecond, 1000), Unknown},
	} {
		h := boundaryOf(t, c.calls...)
		o := Boundary(h, BoundaryRules{Timed: []string{"get"}}).Check()
		if o.Verdict != c.verdict || o.Verdict == Violation && !strings.HasPrefix(o.Message, "observable by time: get at api") {
			t.Errorf("%s: got %s: %s%s, want %s", c.name, o.Verdict, o.Message, o.Reason, c.verdict)
		}
		if o := Boundary(h, BoundaryRules{}).Check(); o.Verdict != OK {
			t.Errorf("%s: got %s: %s where time is not judged", c.name, o.Verdict, o.Message)
		}
	}
}

func TestConfusable(t *testing.T) {
	for _, c := range []struct {
		way  Confusion
		a, b name
		want bool
	}{
		{SameName, name{"a", "d1"}, name{"b", "d1"}, true},
		{SameName, name{"a", "d1"}, name{"a", "d1"}, false},
		{SameName, name{"a", ""}, name{"b", ""}, false},
		{PrefixName, name{"acme", ""}, name{"acme2", "x"}, true},
		{PrefixName, name{"acme2", ""}, name{"acme", "x"}, true},
		{PrefixName, name{"acme2", ""}, name{"acme3", "x"}, false},
		{JoinedName, name{"a", "b-c"}, name{"a-b", "c"}, true},
		{JoinedName, name{"a", "bc"}, name{"ab", "c"}, true},
		{JoinedName, name{"a", "b-c"}, name{"a-b", "d"}, false},
		{CaseName, name{"Acme", "d1"}, name{"acme", "d2"}, true},
		{CaseName, name{"acme", "d1"}, name{"acme", "D1"}, false},
		{"other", name{"a", "d1"}, name{"b", "d1"}, false},
	} {
		if got := c.way.confusable(c.a, c.b); got != c.want {
			t.Errorf("%s: %v and %v: got %t, want %t", c.way, c.a, c.b, got, c.want)
		}
	}
}

// What a control is comes back from the call that it makes.
func TestControl(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z"\\ \[\]é.-]{1,8}`)
		c := Control{
			Kind:    rapid.SampledFrom([]ControlKind{ControlPlant, ControlOwn, ControlForeign, ControlMissing, ControlFree}).Draw(t, "kind"),
			Surface: text.Draw(t, "surface"), Operation: text.Draw(t, "operation"), Tenant: text.Draw(t, "tenant"),
			Owner: text.Draw(t, "owner"), Object: rapid.OneOf(rapid.Just(""), text).Draw(t, "object"),
			Marks: rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,8}`), 1, 3).Draw(t, "marks"),
		}
		h := NewHistory(ClockFunc(func() int64 { return 0 }))
		h.Invoke(c.Call("p"))
		got, err := controlOf(&h.Ops()[0])
		if err != nil || fmt.Sprint(got) != fmt.Sprint(c) {
			t.Fatalf("got %v, %v, want %v", got, err, c)
		}
	})
}

// A boundary that broke does not put the check in doubt: it takes the same calls when
// they are answered well.
func TestBoundaryDoubts(t *testing.T) {
	broken := with(3, func(c *told) { c.answer = "200 m-b-1" })
	broken = append(broken, told{Control: sound()[2].Control, answer: "m-b-1", status: StatusUnknown})
	for _, d := range Boundary(boundaryOf(t, broken...), BoundaryRules{}).(outcome.Doubter).Doubts() {
		if !d.Made || d.Wrong {
			t.Errorf("%+v", d)
		}
	}
}
