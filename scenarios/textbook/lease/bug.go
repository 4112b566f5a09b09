package lease

import "github.com/orrery-sim/orrery/scenarios/internal/wire"

// Planted bugs.
const (
	bugWallClock       = "wall-clock"
	bugNoFencing       = "no-fencing"
	bugNoGrace         = "no-grace"
	bugForeignUnlock   = "foreign-unlock"
	bugLeaseFromAnswer = "lease-from-answer"
	bugSwapRace        = "swap-race"
)

// askUnlocked sets the value without mu, which the caller holds: another may go on
// from the same one.
func (w *worker) askUnlocked(value string) error {
	w.seq++
	r := request{fence{w.token, w.seq}, &value}
	w.mu.Unlock()
	defer w.mu.Lock()
	got, err := wire.Call[string](w.store, "/request", r, storeTimeout)
	w.value, w.known = got, err == nil
	return err
}
