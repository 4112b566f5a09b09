package clock

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestZeroClockShowsTrueTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := rapid.Int64Range(0, 1<<60).Draw(t, "now")
		if c := (Clock{}); c.Mono(now) != now || c.Wall(now) != now || c.Error(now) != 0 {
			t.Fatalf("zero clock at %d: mono %d, wall %d", now, c.Mono(now), c.Wall(now))
		}
	})
}

func TestMonotonicClockNeverJumps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Clock
		now, last := int64(0), int64(0)
		for range rapid.IntRange(1, 20).Draw(t, "changes") {
			now += rapid.Int64Range(0, int64(time.Hour)).Draw(t, "step")
			before := c.Mono(now)
			if before < last {
				t.Fatalf("at %d the monotonic clock went back from %d to %d", now, last, before)
			}
			if rapid.Bool().Draw(t, "jump") {
				d := time.Duration(rapid.Int64Range(-1e12, 1e12).Draw(t, "by"))
				wall := c.Wall(now)
				c = c.Jump(d)
				if got := c.Wall(now) - wall; got != int64(d) {
					t.Fatalf("a jump of %d moved the wall clock by %d", d, got)
				}
			} else {
				var err error
				if c, err = c.Drift(now, rapid.Int64Range(-DriftMax, DriftMax).Draw(t, "ppb")); err != nil {
					t.Fatal(err)
				}
			}
			if got := c.Mono(now); got != before {
				t.Fatalf("a change at %d moved the monotonic clock from %d to %d", now, before, got)
			}
			last = before
		}
	})
}

func TestDriftIsARate(t *testing.T) {
	c, err := Clock{}.Drift(0, 100_000_000)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Mono(int64(10*time.Second)), int64(11*time.Second); got != want {
		t.Errorf("after 10 s, 10%% fast: %d, want %d", got, want)
	}
	if _, err := c.Drift(0, DriftMax+1); err == nil {
		t.Error("a drift beyond DriftMax was taken")
	}
}
