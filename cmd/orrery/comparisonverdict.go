package main

import (
	"fmt"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

// judgement is what a comparison comes to, and why.
type judgement struct {
	verdict string
	reason  string
}

// The verdicts of a comparison.
const (
	confirmed    = "confirmed"
	notFixed     = "not fixed"
	another      = "another failure"
	inconclusive = "inconclusive"
)

func (j judgement) exit() int {
	switch j.verdict {
	case confirmed:
		return exitPass
	case notFixed, another:
		return exitViolation
	}
	return exitNoVerdict
}

// judge says what was seen: first what proves that the failure is still there,
// then what keeps it from being proved gone.
func (c *comparison) judge() judgement {
	if trouble := c.baseTrouble(); trouble != "" {
		return judgement{inconclusive, trouble}
	}
	if c.fails(&c.fix) {
		return judgement{notFixed, "the reproducer still fails on fix"}
	}
	if b := c.same(c.fix.sweep); b != nil {
		return judgement{notFixed, fmt.Sprintf("the reproducer passes on fix, but seed %d of the sweep fails as base does: the change moved the failure to other seeds", b.First.Seed)}
	}
	if v := c.fix.once.Output.Violation; v != nil && c.fix.once.Output.Verdict == run.Violated {
		return judgement{another, fmt.Sprintf("the reproducer fails on fix in another way: %s: %s", v.Oracle, v.Message)}
	}
	if c.fix.sweep != nil && len(c.fix.sweep.Buckets) > 0 {
		first := c.fix.sweep.Buckets[0].First
		return judgement{another, fmt.Sprintf("seed %d of the sweep fails on fix in another way: %s: %s", first.Seed, first.Output.Violation.Oracle, first.Output.Violation.Message)}
	}
	if doubt := c.doubt(); doubt != "" {
		return judgement{inconclusive, doubt}
	}
	return judgement{confirmed, fmt.Sprintf("the reproducer's faults land on fix and nothing fails, nor does any of %s", counted(int(c.fix.sweep.Seeds), "seed", "seeds"))}
}

// baseTrouble says why base is not what the fix can be compared with; "" if it is.
func (c *comparison) baseTrouble() string {
	out := c.base.once.Output
	switch {
	case out.Verdict != run.Violated:
		return "the reproducer does not fail on base: " + ended(out.Result)
	case c.expect.Same(out.Result):
		return ""
	}
	return fmt.Sprintf("another failure on base: %s: %s; want %s: %s", out.Violation.Oracle, out.Violation.Message, c.expect.Expect.Oracle, c.expect.Expect.Message)
}

// doubt says why a fix on which nothing fails is not confirmed; "" if it is.
func (c *comparison) doubt() string {
	once := c.fix.once.Output
	missing := c.missing()
	switch {
	case len(missing) > 0:
		return fmt.Sprintf("the reproducer passes on fix without its faults: not landed as on base: %s", strings.Join(missing, "; "))
	case once.Verdict != run.Pass:
		return "the reproducer does not pass on fix: " + ended(once.Result)
	case c.fix.sweep == nil:
		return fmt.Sprintf("how many seeds it takes to find the failure is not known: none of %s fails so on base: give --found-at, or the --seeds to sweep", counted(int(c.base.sweep.Seeds), "seed", "seeds"))
	case c.fix.sweep.Exit() != exitPass:
		return "the sweep of fix does not pass: " + sweepDoubt(*c.fix.sweep)
	}
	return ""
}

// sweepDoubt says why a sweep without a failure is no pass.
func sweepDoubt(s run.Summary) string {
	switch {
	case len(s.Troubles) > 0:
		return fmt.Sprintf("seed %d: %s", s.Troubles[0].Seed, ended(s.Troubles[0].Output.Result))
	case s.TooVacuous():
		return fmt.Sprintf("%s of %s seeds are vacuous", count(s.Verdicts[run.Vacuous]), count(s.Seeds))
	}
	return strings.Join(s.NeverLanded(), ", ") + " never landed"
}

// ended is how a run that is no violation ended, in a line.
func ended(r run.Result) string {
	text := string(r.Verdict)
	if reason, _, _ := strings.Cut(r.Reason, "\n"); reason != "" {
		text += ": " + reason
	}
	return text
}

// missing returns the faults that landed on base and did not on fix.
func (c *comparison) missing() (out []string) {
	landed := map[string]int{}
	for _, f := range c.fix.once.Output.Faults {
		if f.Landed {
			landed[f.Text]++
		}
	}
	for _, f := range c.base.once.Output.Faults {
		if f.Landed {
			if landed[f.Text]--; landed[f.Text] < 0 {
				out = append(out, f.Text)
			}
		}
	}
	return out
}
