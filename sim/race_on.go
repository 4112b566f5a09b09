//go:build race

package sim

import "runtime"

// raceErrors is how many data races the detector has reported.
func raceErrors() int { return runtime.RaceErrors() }
