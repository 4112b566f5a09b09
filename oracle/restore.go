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
	if !slices.ContainsFunc(ops, placed) {
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
			return nil, &opError{o.ID, fmt.Sprintf("it as number %d in order of invocation", i), "ids from 0 in that order", "number them anew"}
		}
		for _, at := range []int{o.Begin, o.End} {
			if other, twice := seen[at]; twice && at != 0 {
				return nil, &opError{o.ID, fmt.Sprintf("an event at place %d, as of call %d", at, other), "a place for every event", "leave out begin and end to order them by time"}
			}
			seen[at] = o.ID
		}
	}
	return h, nil
}

func placed(o Op) bool { return o.Begin != 0 || o.End != 0 }

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

// opError says what is wrong with one call.
type opError struct {
	id                  int
	found, want, remedy string
}

func (e *opError) Error() string {
	return fmt.Sprintf("history: call %d: found %s, want %s: %s", e.id, e.found, e.want, e.remedy)
}

// validate checks one call by itself.
func (o *Op) validate() error {
	switch o.Status {
	case StatusOK, StatusFailed, StatusUnknown:
		if o.End <= o.Begin {
			return &opError{o.ID, fmt.Sprintf("its begin at place %d and its end at %d", o.Begin, o.End), "its end later", "swap them"}
		}
		if o.Complete < o.Invoke {
			return &opError{o.ID, fmt.Sprintf("it invoked at %d and complete at %d", o.Invoke, o.Complete), "it complete later", "record true time"}
		}
	case StatusOpen:
		if o.End != 0 {
			return &opError{o.ID, fmt.Sprintf("it open with an end at place %d", o.End), "no end", "give it a status, or leave the end out"}
		}
	default:
		return &opError{o.ID, fmt.Sprintf("status %q", o.Status), "ok, failed, unknown or open", "correct the status"}
	}
	if o.Begin <= 0 {
		return &opError{o.ID, fmt.Sprintf("its begin at place %d", o.Begin), "places from 1", "number the events anew"}
	}
	return nil
}
