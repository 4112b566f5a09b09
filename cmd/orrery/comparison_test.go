package main

import (
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
)

// compared is a comparison in which everything speaks for the fix.
func compared() *comparison {
	failure := run.Result{Verdict: run.Violated, Violation: &run.Violation{Oracle: "durability", Message: "line 7 is lost"}, Faults: []run.Fault{
		{Text: "at 1s kill n1 for 1s", Landed: true}, {Text: "at 1s kill n1 for 1s"},
	}}
	r := run.NewReproducer(run.Scenario{Binary: &run.Binary{}}, run.Request{}, failure)
	passed := failure
	passed.Verdict, passed.Violation = run.Pass, nil
	return &comparison{
		expect: &r, foundAt: 4,
		base: side{once: &run.Item{Output: run.Output{Result: failure}}},
		fix: side{
			once:  &run.Item{Output: run.Output{Result: passed}},
			sweep: &run.Summary{Seeds: 40, Verdicts: map[run.Verdict]uint64{run.Pass: 40}},
		},
	}
}

func TestJudge(t *testing.T) {
	fails := func(message string) run.Item {
		v := &run.Violation{Oracle: "durability", Message: message}
		return run.Item{Seed: 9, Output: run.Output{Result: run.Result{Verdict: run.Violated, Violation: v}}}
	}
	swept := func(message string) *run.Summary {
		it := fails(message)
		return &run.Summary{Seeds: 40, Verdicts: map[run.Verdict]uint64{run.Violated: 1}, Buckets: []run.Bucket{{Signature: run.Signature(*it.Output.Violation), First: it, Count: 1}}}
	}
	for _, c := range []struct {
		what   string
		change func(*comparison)
		want   string
		exit   int
		reason string
	}{
		{"nothing", func(*comparison) {}, confirmed, exitPass, "any of 40 seeds"},
		{"base passes", func(c *comparison) { c.base.once = c.fix.once }, inconclusive, exitNoVerdict, "does not fail on base: pass"},
		{"base fails in another way", func(c *comparison) { it := fails("a line is new"); c.base.once = &it }, inconclusive, exitNoVerdict, "another failure on base"},
		{"base is nondeterministic", func(c *comparison) { c.base.once.Output.Verdict = run.Nondeterministic }, inconclusive, exitNoVerdict, "nondeterministic"},
		{"fix fails so too", func(c *comparison) { it := fails("line 8 is lost"); c.fix.once, c.fix.sweep = &it, nil }, notFixed, exitViolation, "still fails"},
		{"another seed fails so", func(c *comparison) { c.fix.sweep = swept("line 8 is lost") }, notFixed, exitViolation, "seed 9 of the sweep fails as base does"},
		{"a seed fails in another way", func(c *comparison) { c.fix.sweep = swept("a line is new") }, another, exitViolation, "seed 9 of the sweep fails on fix in another way"},
		{"no fault lands", func(c *comparison) { c.fix.once.Output.Faults = nil }, inconclusive, exitNoVerdict, "not landed as on base: at 1s kill n1 for 1s"},
		{"no fault lands, and another seed fails so", func(c *comparison) {
			c.fix.once.Output.Faults, c.fix.sweep = nil, swept("line 8 is lost")
		}, notFixed, exitViolation, "moved"},
		{"fix dies", func(c *comparison) { c.fix.once.Output.Verdict = run.Died }, inconclusive, exitNoVerdict, "does not pass on fix: died"},
		{"seeds are vacuous", func(c *comparison) { c.fix.sweep.Verdicts = map[run.Verdict]uint64{run.Vacuous: 40} }, inconclusive, exitNoVerdict, "40 of 40 seeds are vacuous"},
		{"the seed is not found", func(c *comparison) { c.fix.sweep, c.base.sweep = nil, &run.Summary{Seeds: 1000} }, inconclusive, exitNoVerdict, "none of 1,000 seeds fails so on base"},
	} {
		got := compared()
		c.change(got)
		j := got.judge()
		if j.verdict != c.want || j.exit() != c.exit || !strings.Contains(j.reason, c.reason) {
			t.Errorf("%s: %s, exit %d: %s; want %s, exit %d, that says %q", c.what, j.verdict, j.exit(), j.reason, c.want, c.exit, c.reason)
		}
	}
}
