package oracle

import (
	"fmt"
	"time"
)

// window is what a group asked for and got in a time.
type window struct {
	from, to int64
	answers  int           // to the group
	others   int           // answers to all others
	nothing  int           // calls of the group that were refused or came to nothing
	waited   time.Duration // that some call of the group waited
	asked    []Op          // the group's calls that waited in it
}

// starved goes through the whole windows from a group's first call to the last event.
func (c *fairCheck) starved() Outcome {
	if c.rules.Window == 0 {
		return bare(OK, "")
	}
	return c.each(c.starvedOf)
}

func (c *fairCheck) starvedOf(group string) Outcome {
	judged := 0
	for _, w := range c.windows(group) {
		enough := w.answers >= c.rules.Answers
		asked := w.waited*2 >= c.rules.Window || w.nothing >= c.rules.Answers
		switch {
		case enough:
			judged++
		case asked && w.others >= c.rules.Answers:
			return c.violation(group, w.asked[:min(len(w.asked), 10)], starvedName+": %q got %s from %s to %s, want %d: its calls waited for %v, %d came to nothing, and others got %d answers",
				group, plural(w.answers, "answer"), c.h.moment(w.from, 3), c.h.moment(w.to, 3), c.rules.Answers, w.waited, w.nothing, w.others)
		}
	}
	if judged == 0 {
		return bare(Unknown, fmt.Sprintf("group %s has no window of %v in which it got %s: ask for more, or make the window longer",
			show(group), c.rules.Window, plural(c.rules.Answers, "answer")))
	}
	return bare(OK, "")
}

// windows cuts the time of a group into windows. An answer counts where it came.
func (c *fairCheck) windows(group string) []window {
	first := c.end
	for i := range c.ops {
		if c.ops[i].Key == group {
			first = min(first, c.ops[i].Invoke)
		}
	}
	length := int64(c.rules.Window)
	all := make([]window, (c.end-first)/length)
	for i := range all {
		all[i].from = first + int64(i)*length
		all[i].to = all[i].from + length
	}
	at := func(t int64) int { return int((t - first) / length) }
	for _, op := range c.ops {
		if i := at(op.Complete); op.Status != StatusOpen && op.Complete >= first && i < len(all) {
			all[i].count(&op, group)
		}
	}
	c.addWaits(all, group, at)
	return all
}

// count counts a call that ended in the window.
func (w *window) count(op *Op, group string) {
	switch ok := op.Status == StatusOK; {
	case op.Key == group && ok:
		w.answers++
	case op.Key == group:
		w.nothing++
	case ok:
		w.others++
	}
}

// addWaits adds to windows how long a group's calls waited in them. Time that several
// waited counts once: calls come in the order of their invocation.
func (c *fairCheck) addWaits(all []window, group string, at func(int64) int) {
	known := int64(0) // until when it was counted
	for _, op := range c.ops {
		if op.Key != group {
			continue
		}
		end := c.end
		if op.Status != StatusOpen {
			end = op.Complete
		}
		for i := at(op.Invoke); i < len(all) && all[i].from < end; i++ {
			w := &all[i]
			w.asked = append(w.asked, op)
			if from, to := max(op.Invoke, known, w.from), min(end, w.to); to > from {
				w.waited += time.Duration(to - from)
			}
		}
		known = max(known, end)
	}
}
