package oracle

import (
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// tested is a checker that is put to the test when it finds a violation.
type tested struct {
	Checker
	doubts func() []outcome.Doubt
}

// Doubts implements [outcome.Doubter].
func (t tested) Doubts() []outcome.Doubt { return t.doubts() }

// doubtOfGood gives a judge a history of the same calls that is right: answer gives each
// the answer that it should have got, after a short time.
func doubtOfGood(how string, answer func(op *Op), h *History, judge func(*History) Outcome) outcome.Doubt {
	d := outcome.Doubt{Experiment: "the check is given the same calls with " + how}
	ops := h.Ops()
	for i := range ops {
		if ops[i].Status == StatusOpen {
			refuse(&ops[i], len(ops))
		}
		answer(&ops[i])
	}
	good, err := FromOps(h.start, ops)
	if err != nil {
		d.Found = "not made: " + err.Error()
		return d
	}
	return takes(d, judge(good))
}

// takes is what a judge's outcome says of it that was given a history that is right.
func takes(d outcome.Doubt, o Outcome) outcome.Doubt {
	d.Made, d.Wrong = o.Verdict == OK || o.Verdict == Violation, o.Verdict == Violation
	switch o.Verdict {
	case OK:
		d.Found = "it takes them"
	case Violation:
		d.Found = "it refuses them: " + o.Message
	default:
		d.Found = "it cannot tell: " + o.Reason
	}
	return d
}

// atOnce is how long a call takes in a history that is right.
const atOnce = time.Millisecond

// prompt answers a call at once.
func prompt(op *Op) {
	op.Status, op.Timeout, op.Error, op.Complete = StatusOK, false, "", op.Invoke+int64(atOnce)
}

// denied answers a control as it should be.
func denied(op *Op) {
	op.Error = ""
	if op.Status != StatusOK {
		return
	}
	op.Output, op.Complete = "denied", op.Invoke+int64(atOnce)
	if c, err := controlOf(op); err == nil && !c.negative() {
		op.Output = strings.Join(c.Marks, " ")
		if c.Kind == ControlFree {
			op.Output = ""
		}
	}
}

// lines writes calls, one a line, each with its time.
func (h *History) lines(ops []Op) string {
	var b strings.Builder
	digits := h.digits(ops)
	for i := range ops {
		end := "..."
		if ops[i].End > 0 {
			end = h.moment(ops[i].Complete, digits)
		}
		b.WriteString("  " + h.moment(ops[i].Invoke, digits) + " - " + end + "  " + strings.ReplaceAll(ops[i].String(), "\n", `\n`) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
