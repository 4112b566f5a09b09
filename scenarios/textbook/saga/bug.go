package saga

// Planted bugs.
const (
	bugStepLoggedLate = "step-logged-late"
	bugBookedUnsynced = "booked-unsynced"
	bugCancelInMemory = "cancel-in-memory"
	bugCancelOnce     = "cancel-once"
	bugTimeoutIsNo    = "timeout-is-no"
	bugLateBooking    = "late-booking"
	bugBookTwice      = "book-twice"
	bugOversellRace   = "oversell-race"
)
