package oracle

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// BoundaryRules is what [Boundary] wants beside the boundary itself. The zero value asks
// for a positive and a negative control at each surface that the history has.
type BoundaryRules struct {
	// Surfaces are those that must have been tried; none stands for those of the history.
	Surfaces []string
	// Variable is what may differ between two answers that are otherwise the same: a date.
	// What the request itself named, owner and object, may differ as it is.
	Variable []*regexp.Regexp
	// Confusable are the confusions that must have been tried at each surface: the tenant
	// asked, under its own name or the owner's, for what can be confused with what another
	// has planted.
	Confusable []Confusion
	// Timed are the operations whose answers must not tell by their time either, in the
	// median by Apart or more. 0 stands for a millisecond.
	Timed []string
	Apart time.Duration
}

// Boundary checks that no tenant learns of another's data, by the controls of a history
// (see [Control]):
//
//	leak                an answer to a tenant holds a mark of another's
//	unreadable          an answer to the owner holds none of the marks that it should
//	observable          an answer about another's object is unlike all answers to the same
//	                    tenant, by the same operation, about what does not exist
//	observable by time  answers about others' objects take longer, or less long
//
// It is vacuous if a surface has no answered positive or negative control, or a confusion
// was not tried; unknown if there is nothing to compare an answer with, or too few pairs to
// compare their times.
//
// Cost: n log n in the calls, and the length of the answers times how many lengths marks
// have. It is blind to marks that are shown in another form (encoded, hashed, cut), to what
// is seen in how often an answer comes and not in which ones come, to a write that was
// carried out although it was denied, until its owner reads, and to calls without an answer.
func Boundary(h *History, r BoundaryRules) Checker {
	judge := func(h *History) Outcome { return judgeBoundary(h, r) }
	return tested{CheckFunc("boundary", func() Outcome { return judge(h) }), func() []outcome.Doubt {
		return []outcome.Doubt{doubtOfGood("every positive control answered by its marks, and every negative one in one way", denied, h, judge)}
	}}
}

// boundaryCheck is one judgment.
type boundaryCheck struct {
	h        *History
	rules    BoundaryRules
	ops      []Op
	controls []Control // of the same indexes
	marks    marks
	order    []int // indexes of answered calls, by when they were answered
}

func judgeBoundary(h *History, r BoundaryRules) Outcome {
	c := &boundaryCheck{h: h, rules: r, ops: h.Ops()}
	if err := c.read(); err != nil {
		return bare(Unknown, err.Error())
	}
	out := firstNotOK(bare(OK, ""), c.firstWrong, c.coverage, c.timing)
	out.Steps, out.Calls, out.Covered = len(c.order), len(c.ops), c.covered()
	return out
}

// covered counts the controls that were answered.
func (c *boundaryCheck) covered() (out outcome.Coverage) {
	for _, i := range c.order {
		control := &c.controls[i]
		switch control.Kind {
		case ControlOwn:
			out.Positive++
		case ControlForeign:
			out.Negative++
		}
		if at, found := slices.BinarySearch(out.Surfaces, control.Surface); !found {
			out.Surfaces = slices.Insert(out.Surfaces, at, control.Surface)
		}
	}
	return out
}

// firstNotOK asks further judges until one finds a violation, which outweighs what another
// could not judge.
func firstNotOK(out Outcome, judges ...func() Outcome) Outcome {
	for _, judge := range judges {
		if out.Verdict == Violation {
			break
		}
		if o := judge(); out.Verdict == OK || o.Verdict == Violation {
			out = o
		}
	}
	return out
}

// read takes the history apart.
func (c *boundaryCheck) read() error {
	if err := c.h.Err(); err != nil {
		return err
	}
	for i := range c.ops {
		control, err := controlOf(&c.ops[i])
		if err != nil {
			return err
		}
		c.controls = append(c.controls, control)
		if c.ops[i].Status == StatusOK {
			c.order = append(c.order, i)
		}
	}
	slices.SortFunc(c.order, func(a, b int) int { return cmp.Compare(c.ops[a].End, c.ops[b].End) })
	var err error
	c.marks, err = marksOf(c.controls)
	return err
}

// firstWrong judges answer by answer. What could not be compared is told if all that could
// be is well.
func (c *boundaryCheck) firstWrong() Outcome {
	missing := c.missing()
	out := bare(OK, "")
	for _, i := range c.order {
		o := c.wrong(i, missing)
		if o.Verdict == Violation {
			return o
		}
		if out.Verdict == OK {
			out = o
		}
	}
	for i := range c.ops { // an error may hold a mark too
		if c.ops[i].Status != StatusOK {
			if o := c.leak(i, c.ops[i].Error); o.Verdict == Violation {
				return o
			}
		}
	}
	return out
}

func (c *boundaryCheck) wrong(i int, missing map[class]answers) Outcome {
	op, control := &c.ops[i], &c.controls[i]
	if o := c.leak(i, op.Output); o.Verdict == Violation {
		return o
	}
	switch control.Kind {
	case ControlOwn:
		return c.readable(i)
	case ControlForeign:
		return c.hidden(i, missing[classOf(control)])
	}
	return bare(OK, "")
}

// leak looks for marks of others.
func (c *boundaryCheck) leak(i int, answer string) Outcome {
	op, control := &c.ops[i], &c.controls[i]
	mark, of, found := c.marks.foreign(answer, control)
	if !found {
		return bare(OK, "")
	}
	return c.violation([]int{of.by, i}, "leak: %q by %s at %s, asking for %s, got %q, which is of %q",
		control.Tenant, op.Type, op.Key, asked(control), mark, of.owner)
}

// readable wants one of the marks.
func (c *boundaryCheck) readable(i int) Outcome {
	control := &c.controls[i]
	if slices.ContainsFunc(control.Marks, func(m string) bool { return strings.Contains(c.ops[i].Output, m) }) {
		return bare(OK, "")
	}
	return c.violation([]int{i}, "unreadable: %q by %s at %s, asking for its own %s, got %q, want %q in it",
		control.Tenant, control.Operation, control.Surface, asked(control), brief(c.ops[i].Output), control.Marks[0])
}

// brief is the beginning of an answer.
func brief(answer string) string {
	const most = 80
	if rs := []rune(answer); len(rs) > most {
		return string(rs[:most]) + "..."
	}
	return answer
}

// asked names what a request was for.
func asked(c *Control) string {
	switch {
	case c.Owner == c.Tenant && c.Object == "":
		return "all"
	case c.Owner == c.Tenant:
		return strconv.Quote(c.Object)
	case c.Object == "":
		return "all of " + strconv.Quote(c.Owner)
	}
	return strconv.Quote(c.Object) + " of " + strconv.Quote(c.Owner)
}

// violation tells of the last of some calls, with all as the evidence.
func (c *boundaryCheck) violation(calls []int, format string, args ...any) Outcome {
	out := bare(Violation, "")
	for _, i := range calls {
		out.Ops = append(out.Ops, c.ops[i])
	}
	last := &out.Ops[len(out.Ops)-1]
	out.Message = fmt.Sprintf(format, args...)
	out.Key, out.Node, out.At = last.Key, last.Node, last.Complete-c.h.start
	if c.h.bare {
		out.At = 0
	}
	out.Detail = c.h.lines(out.Ops)
	return out
}
