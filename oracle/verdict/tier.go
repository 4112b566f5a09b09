package verdict

import "time"

// Tier is how much a scenario was put to.
type Tier string

// The tiers, from the least.
const (
	Smoke     Tier = "smoke"
	Hardening Tier = "hardening"
	Release   Tier = "release"
)

// Tiers are all of them, from the least.
var Tiers = []Tier{Smoke, Hardening, Release}

// Budget is the least that has to be measured for a tier to be met. One without
// seeds, configurations or a duration is never met.
type Budget struct {
	Tier           Tier          `json:"tier"`
	Configurations int           `json:"configurations"` // distinct ones
	Duration       time.Duration `json:"duration"`       // nanoseconds of each cycle: a shorter one counts for nothing here
	Faults         int           `json:"faults"`         // that landed with evidence, in all cycles that count
	Seeds          int           `json:"seeds"`          // distinct ones
}

// Missing says what a tier that was not met lacks.
type Missing struct {
	Tier Tier   `json:"tier"`
	Why  string `json:"why"` // "3 of 10 seeds; 1 of 4 faults landed"
}

// Measured is what all cycles that count come to: those that ended with a result, and
// in which every declared checker answered ok. It is what the tier met is computed from.
type Measured struct {
	Cycles         int           `json:"cycles"`  // that were run
	Counted        int           `json:"counted"` // of these, those that count
	Seeds          int           `json:"seeds"`   // distinct ones
	Configurations int           `json:"configurations"`
	Faults         int           `json:"faults"`  // that landed with evidence
	Longest        time.Duration `json:"longest"` // nanoseconds, of one cycle
	Total          time.Duration `json:"total"`   // nanoseconds
}
