package oracle

import (
	"cmp"
	"fmt"
	"slices"
)

// FromOps makes a history of calls that were recorded elsewhere, in any order.
// If no call has places (Begin and End), they are made from the times: what
// happened at one instant overlaps.
func FromOps(start int64, ops []Op) (*History, error) {
	h := &History{clock: ClockFunc(func() int64 { return start }), start: start}
	h.ops = append([]Op(nil), ops...)
	if !slices.ContainsFunc(ops, func(o Op) bool { return o.Begin != 0 || o.End != 0 }) {
		place(h.ops)
	}
	slices.SortStableFunc(h.ops, func(a, b Op) int { return cmp.Compare(a.Begin, b.Begin) })
	seen := make(map[int]int, len(ops))
	for i := range h.ops {
		o := &h.ops[i]
		if err := o.validate(); err != nil {
			return nil, err
		}
		h.events = max(h.events, o.Begin, o.End)
		h.epoch = max(h.epoch, o.Epoch)
		// Handles find their calls by index.
		if o.ID != i {
			return nil, fmt.Errorf("history: call %d is number %d in order of invocation, want ids from 0 in that order: number them anew", o.ID, i)
		}
		for _, at := range []int{o.Begin, o.End} {
			if other, twice := seen[at]; twice && at != 0 {
				return nil, fmt.Errorf("history: calls %d and %d both have an event at place %d, want a place for every event: leave out begin and end to order them by time", other, o.ID, at)
			}
			seen[at] = o.ID
		}
	}
	return h, nil
}

// place gives every event its place by time; of one instant, invocations first.
func place(ops []Op) {
	type event struct {
		at int64
		op *Op
		to *int
	}
	var begins, ends []event
	for i := range ops {
		o := &ops[i]
		begins = append(begins, event{o.Invoke, o, &o.Begin})
		if o.Status != StatusOpen {
			ends = append(ends, event{o.Complete, o, &o.End})
		}
	}
	all := append(begins, ends...)
	slices.SortStableFunc(all, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	for i, e := range all {
		*e.to = i + 1
	}
	slices.SortStableFunc(ops, func(a, b Op) int { return cmp.Compare(a.Begin, b.Begin) })
	for i := range ops {
		ops[i].ID = i
	}
}

// validate checks one call by itself.
func (o *Op) validate() error {
	switch o.Status {
	case StatusOK, StatusFailed, StatusUnknown:
		if o.End <= o.Begin {
			return fmt.Errorf("history: call %d begins at place %d and ends at %d, want its end later: swap them", o.ID, o.Begin, o.End)
		}
		if o.Complete < o.Invoke {
			return fmt.Errorf("history: call %d was invoked at %d and complete at %d, want it complete later: record true time", o.ID, o.Invoke, o.Complete)
		}
	case StatusOpen:
		if o.End != 0 {
			return fmt.Errorf("history: call %d is open and ends at place %d, want no end: give it a status, or leave the end out", o.ID, o.End)
		}
	default:
		return fmt.Errorf("history: call %d has status %q, want ok, failed, unknown or open", o.ID, o.Status)
	}
	if o.Begin <= 0 {
		return fmt.Errorf("history: call %d begins at place %d, want places from 1", o.ID, o.Begin)
	}
	return nil
}
