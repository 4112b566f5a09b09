package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// windowsMin is how many windows a cycle's load is told in. One says nothing of
// a pause within it.
const windowsMin = 4

func (s Span) end() time.Duration { return s.Start + s.Length }

// during reports whether the two have a moment in common. A span without length is a moment.
func (s Span) during(w Span) bool {
	return w.Start < s.end() && s.Start < w.end() || s.Length == 0 && w.Start <= s.Start && s.Start < w.end()
}

// busy reports whether a call was under way.
func (w Window) busy() bool { return w.Invoked+w.Waiting > 0 }

// wanted is when load was wanted.
func (c Cycle) wanted() Span {
	if c.Load.Length == 0 {
		return Span{0, c.Duration}
	}
	return c.Load
}

// idle says where load was missing, while it was wanted; "" if nowhere.
func (c Cycle) idle() string {
	wanted := c.wanted()
	windows := slices.DeleteFunc(slices.Clone(c.Windows), func(w Window) bool { return !w.during(wanted) })
	slices.SortStableFunc(windows, func(a, b Window) int { return cmp.Compare(a.Start, b.Start) })
	if len(windows) < windowsMin {
		return fmt.Sprintf("load is told in %s, want %d at least", counted(len(windows), "window"), windowsMin)
	}
	answered, at := 0, wanted.Start
	for _, w := range windows {
		if w.Start > at {
			return fmt.Sprintf("no window tells of the load from %v to %v", at, w.Start)
		}
		if !w.busy() {
			return fmt.Sprintf("no call was under way from %v to %v", w.Start, w.end())
		}
		at = max(at, w.end())
		answered += w.OK
	}
	switch {
	case at < wanted.end():
		return fmt.Sprintf("no window tells of the load from %v to %v", at, wanted.end())
	case answered == 0:
		return "no call was answered ok"
	}
	return ""
}

// loaded reports whether a call was under way during a fault.
func (c Cycle) loaded(f Fault) bool {
	during := Span{f.At, f.Length}
	return slices.ContainsFunc(c.Windows, func(w Window) bool { return w.busy() && during.during(w.Span) })
}
