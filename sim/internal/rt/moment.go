package rt

import (
	"math"

	"github.com/orrery-sim/orrery/sim/choice"
)

// StandAt has the next world, or the one that runs, stand still at a moment: just
// before anything of a virtual time, in nanoseconds since [Start], or at the
// first scheduling decision after so many events, whichever comes first. 0 stands
// for never. There is one moment at a time; it is gone when it has come.
func StandAt(since int64, events uint64) {
	when := int64(math.MaxInt64)
	if since != 0 {
		when = Start + since
	}
	if events == 0 {
		events = math.MaxUint64
	}
	if Patched {
		standAt(when, events)
	}
}

// Reschedule says where the choices of the standing world's schedule come from.
func Reschedule(s Schedule) {
	if Patched {
		reschedule(uint32(s))
	}
}

// Redirect gives the standing world another seed and other overrides, for every
// choice that goroutines draw from now on.
func Redirect(seed uint64, overrides []choice.Keyed) {
	if Patched {
		redirect(seed, overrides)
	}
}
