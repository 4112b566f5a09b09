// Package clock is the clocks of a node: how its wall clock and its monotonic
// clock run against the world's true time. It is pure state.
//
// The wall clock has an offset from the monotonic one and may jump; the
// monotonic clock may run fast or slow, and never jumps.
package clock

import (
	"fmt"
	"math/bits"
	"time"
)

// Clock is a node's pair of clocks. The zero value shows true time. Times are
// nanoseconds since the world's start.
type Clock struct {
	TrueBase int64 // one moment, on the true clock
	MonoBase int64 // the same moment, on the monotonic clock
	PPB      int64 // how much faster than true time it runs, in 1e-9
	Offset   int64 // wall clock minus monotonic clock
}

// DriftMax is the largest drift either way, in parts of 1e-9: half the speed,
// or one and a half times it. Real quartz stays within 1e-4.
const DriftMax = 500_000_000

// Mono returns the monotonic clock at true time t, at or after the last change
// of drift.
func (c Clock) Mono(t int64) int64 {
	d := t - c.TrueBase
	hi, lo := bits.Mul64(uint64(max(d, 0)), uint64(1e9+c.PPB))
	q, _ := bits.Div64(hi, lo, 1e9)
	return c.MonoBase + int64(q) + min(d, 0)
}

// Wall returns the wall clock at true time t.
func (c Clock) Wall(t int64) int64 { return c.Mono(t) + c.Offset }

// Error returns how far the wall clock is from true time t.
func (c Clock) Error(t int64) time.Duration { return time.Duration(c.Wall(t) - t) }

// Jump moves the wall clock by d, as a step of NTP would.
func (c Clock) Jump(d time.Duration) Clock {
	c.Offset += int64(d)
	return c
}

// Drift makes both clocks run ppb parts in 1e9 faster than true time from true
// time t on.
func (c Clock) Drift(t, ppb int64) (Clock, error) {
	if ppb < -DriftMax || ppb > DriftMax {
		return c, fmt.Errorf("clock: drift of %d ppb, want %d at most either way: half as fast, or half as fast again", ppb, int64(DriftMax))
	}
	c.MonoBase = c.Mono(t)
	c.TrueBase = t
	c.PPB = ppb
	return c, nil
}
