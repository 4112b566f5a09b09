package oracle

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// FairRules says how far the service that groups get may differ. A rule that is left zero
// is not checked; one at least is wanted.
type FairRules struct {
	// Groups are those that are owed service; none stands for all of the history. One that
	// asks for more than its share is best left out.
	Groups []string
	// Samples is of how many calls a group's p99 is known; 0 stands for 100.
	Samples int
	// ToOthers is how many times the p99 of all others a group's may be.
	ToOthers float64
	// ToBaseline is how many times a group's own p99 in the baseline it may be: of the
	// same load, without the noisy neighbour.
	ToBaseline float64
	// Baseline is of those calls; nil stands for the calls of the history itself that were
	// invoked before From.
	Baseline *History
	// From is since when, from the history's start, calls are judged: those that were
	// invoked earlier are not.
	From time.Duration
	// Slack is by how much a p99 may be longer whatever it is compared with.
	Slack time.Duration
	// In every window of that length in which a group asks, it gets as many answers.
	Window  time.Duration
	Answers int
	// SurfaceOf tells which way a call took, for the outcome's coverage; nil tells nothing.
	SurfaceOf func(op *Op) string
}

// Fair checks that the groups of a history get their share. A call's Key is the group that
// it is made for: a tenant.
//
//	starved          a group asked all through a window, and got fewer answers than Answers,
//	                 while others got at least as many; it asks in a window if its calls
//	                 wait for half of it, or as many as Answers are refused or come to nothing
//	noisy neighbour  a group's p99 is longer than in the baseline
//	slow             a group's p99 is longer than that of all others together
//
// A p99 is of the times of a group's answers; a call that ran into its deadline, or is
// open, counts with the time that it waited, and one that was refused, or whose connection
// broke, has none. No group is judged by the p99 of all calls together, which hides the
// few of a small one. It is unknown if a group has too few samples, and their median is no
// longer than its p99 may be, or if no window shows what it gets; vacuous if there are fewer than two groups.
//
// Cost: n log n in the calls, and the calls of a group times its windows. It is blind to
// what happens within a window and to waits before a call is invoked (a client that holds
// back its calls), and ToOthers is blind to what slows all groups alike: that takes a
// baseline.
func Fair(h *History, r FairRules) Checker {
	return tested{CheckFunc("fairness", func() Outcome { return judgeFair(h, r) }), func() []outcome.Doubt {
		broken := r.broken(judgeFair(h, r))
		return []outcome.Doubt{doubtOfGood("each answered after a millisecond, and the rule that was broken, which is content with few", prompt, h,
			func(h *History) Outcome { return judgeFair(h, broken) })}
	}}
}

// The names of what is wrong with a group.
const (
	starvedName = "starved"
	noisyName   = "noisy neighbour"
	slowName    = "slow"
)

// broken returns the rule and the group alone that a violation is of, for a history of few
// calls.
func (r FairRules) broken(o Outcome) FairRules {
	r.Groups, r.Samples, r.Answers = []string{o.Key}, 1, min(r.Answers, 1)
	name, _, _ := strings.Cut(o.Message, ":")
	if name != starvedName {
		r.Window = 0
	}
	if name != noisyName {
		r.ToBaseline = 0
	}
	if name != slowName {
		r.ToOthers = 0
	}
	return r
}

// fairCheck is one judgment.
type fairCheck struct {
	h     *History
	rules FairRules
	ops   []Op
	end   int64 // of the history: the last event
}

func judgeFair(h *History, r FairRules) Outcome {
	c := newFairCheck(h, r, span{h.start + int64(r.From), math.MaxInt64})
	if reason := c.unjudgeable(); reason != "" {
		return bare(Unknown, reason)
	}
	if n := len(groupsOf(c.ops)); n < 2 {
		return bare(Vacuous, fmt.Sprintf("the history has %s: fairness is between two at least", plural(n, "group")))
	}
	out := firstNotOK(bare(OK, ""), c.starved, c.noisy, c.slow)
	out.Steps, out.Calls = len(c.ops), h.Counts().Invoked
	out.Covered = c.covered()
	return out
}

// covered tells what was compared: a p99 and a baseline, if a rule is about them.
func (c *fairCheck) covered() outcome.Coverage {
	out := outcome.Coverage{Groups: len(c.rules.Groups), Surfaces: c.surfaces()}
	if c.rules.ToOthers != 0 || c.rules.ToBaseline != 0 {
		out.Percentile = "p99"
	}
	switch {
	case c.rules.ToBaseline == 0:
	case c.rules.Baseline == nil:
		out.Baseline = outcome.BaselineSameRun
	default:
		out.Baseline = outcome.BaselineOther
	}
	return out
}

// surfaces are the ways that answered calls took.
func (c *fairCheck) surfaces() (out []string) {
	for i := range c.ops {
		if c.rules.SurfaceOf == nil || c.ops[i].Status != StatusOK {
			continue
		}
		s := c.rules.SurfaceOf(&c.ops[i])
		if at, found := slices.BinarySearch(out, s); !found {
			out = slices.Insert(out, at, s)
		}
	}
	return out
}

// span is a time, its end not included.
type span struct{ from, to int64 }

// newFairCheck takes the calls that were invoked in a time.
func newFairCheck(h *History, r FairRules, within span) *fairCheck {
	if r.Samples == 0 {
		r.Samples = 100
	}
	c := &fairCheck{h: h, rules: r, end: h.start}
	for _, op := range h.Ops() {
		c.end = max(c.end, op.Invoke, op.Complete)
		if op.Invoke >= within.from && op.Invoke < within.to {
			c.ops = append(c.ops, op)
		}
	}
	if len(c.rules.Groups) == 0 {
		c.rules.Groups = groupsOf(c.ops)
	}
	return c
}

// groupsOf returns the groups of calls in order.
func groupsOf(ops []Op) (groups []string) {
	for i := range ops {
		groups = append(groups, ops[i].Key)
	}
	slices.Sort(groups)
	return slices.Compact(groups)
}

// unjudgeable says why nothing can be said, if so.
func (c *fairCheck) unjudgeable() string {
	r := &c.rules
	if err := c.h.Err(); err != nil {
		return err.Error()
	}
	switch {
	case c.h.bare:
		return "the history has no times: record true time"
	case r.ToOthers == 0 && r.ToBaseline == 0 && r.Window == 0:
		return "no rule was given: set ToOthers, ToBaseline or Window"
	case r.ToBaseline != 0 && r.Baseline == nil && r.From == 0:
		return "no baseline was given: record the same load without the noisy neighbour, or say from when it comes"
	case r.Window != 0 && r.Answers < 1:
		return "no least number of answers was given for a window: set Answers"
	case r.Baseline != nil && r.Baseline.Err() != nil:
		return r.Baseline.Err().Error()
	}
	return ""
}

// waited returns how long a call waited for its answer; not all calls tell.
func (c *fairCheck) waited(op *Op) (d time.Duration, tells bool) {
	switch {
	case op.Status == StatusOpen:
		return time.Duration(c.end - op.Invoke), true
	case op.Status == StatusOK, op.Timeout:
		return time.Duration(op.Complete - op.Invoke), true
	}
	return 0, false
}

// tail is how long some calls took at the worst.
type tail struct {
	samples     int
	p99, median time.Duration
	slowest     []Op // from the p99 on, five at most
}

// tailOf returns the p99, by nearest rank, of the calls that are of one of the groups.
func (c *fairCheck) tailOf(groups ...string) tail {
	var calls []Op
	for _, op := range c.ops {
		if _, tells := c.waited(&op); tells && slices.Contains(groups, op.Key) {
			calls = append(calls, op)
		}
	}
	took := func(op Op) time.Duration { d, _ := c.waited(&op); return d }
	slices.SortStableFunc(calls, func(a, b Op) int { return cmp.Compare(took(a), took(b)) })
	n := len(calls)
	if n == 0 {
		return tail{}
	}
	rank := (99*n + 99) / 100
	return tail{n, took(calls[rank-1]), took(calls[n/2]), calls[rank-1 : min(n, rank+4)]}
}

// medianLeast is of how many calls a median is known.
const medianLeast = 10

// comparison is of a group with what it is measured by.
type comparison struct {
	name  string // of what is wrong if the group is slower
	group string
	own   tail
	with  tail
	of    string // whose the other one is
	times float64
}

// compare decides whether a group is slower than it may be. Who waits long asks seldom: if
// there are too few calls for a p99, it is slower if even their median is.
func (c *fairCheck) compare(x comparison) Outcome {
	few := func(whose string, n int) Outcome {
		return bare(Unknown, fmt.Sprintf("%s has %s, want %d for a p99", whose, plural(n, "sample"), c.rules.Samples))
	}
	group := "group " + show(x.group)
	if x.with.samples < c.rules.Samples {
		return few(x.of+" beside "+group, x.with.samples)
	}
	what, took := "p99", x.own.p99
	if x.own.samples < c.rules.Samples {
		what, took = "median alone", x.own.median
	}
	switch slower := float64(took) > x.times*float64(x.with.p99) && took-x.with.p99 > c.rules.Slack; {
	case slower && x.own.samples >= min(medianLeast, c.rules.Samples):
		return c.violation(x.group, x.own.slowest, "%s: the %s of %q is %v, %.1f times the p99 of %s, %v, want %g times at most",
			x.name, what, x.group, took, float64(took)/float64(x.with.p99), x.of, x.with.p99, x.times)
	case x.own.samples < c.rules.Samples:
		return few(group, x.own.samples)
	}
	return bare(OK, "")
}

// noisy compares each group with itself in the baseline.
func (c *fairCheck) noisy() Outcome {
	if c.rules.ToBaseline == 0 {
		return bare(OK, "")
	}
	base := newFairCheck(c.h, c.rules, span{math.MinInt64, c.h.start + int64(c.rules.From)})
	if b := c.rules.Baseline; b != nil {
		base = newFairCheck(b, c.rules, span{math.MinInt64, math.MaxInt64})
	}
	return c.each(func(g string) Outcome {
		return c.compare(comparison{noisyName, g, c.tailOf(g), base.tailOf(g), "its baseline", c.rules.ToBaseline})
	})
}

// slow compares each group with all others.
func (c *fairCheck) slow() Outcome {
	if c.rules.ToOthers == 0 {
		return bare(OK, "")
	}
	all := groupsOf(c.ops)
	return c.each(func(g string) Outcome {
		others := c.tailOf(slices.DeleteFunc(slices.Clone(all), func(o string) bool { return o == g })...)
		return c.compare(comparison{slowName, g, c.tailOf(g), others, "all others", c.rules.ToOthers})
	})
}

// each judges every group.
func (c *fairCheck) each(judge func(group string) Outcome) Outcome {
	out := bare(OK, "")
	for _, g := range c.rules.Groups {
		out = firstNotOK(out, func() Outcome { return judge(g) })
	}
	return out
}

// violation tells of a group, with some calls as the evidence.
func (c *fairCheck) violation(group string, calls []Op, format string, args ...any) Outcome {
	out := bare(Violation, "")
	out.Message, out.Key, out.Ops = fmt.Sprintf(format, args...), group, calls
	if len(calls) > 0 {
		out.At = calls[len(calls)-1].Invoke - c.h.start
	}
	out.Detail = c.h.lines(calls)
	return out
}
