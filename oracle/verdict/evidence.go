package verdict

// Backend is where a scenario ran.
type Backend string

// The backends.
const (
	Sim    Backend = "sim"    // a simulated world: the same seed gives the same run
	Real   Backend = "real"   // processes on this machine
	Attach Backend = "attach" // a cluster that is not ours
)

// Backends are all of them.
var Backends = []Backend{Sim, Real, Attach}

// Evidence is all that is known of one arm, or of a scenario without arms: what the
// plan says of it, and what was measured.
type Evidence struct {
	Name    string  `json:"name"` // "S5", of an arm "S5/api"
	Backend Backend `json:"backend"`

	// Of the plan.

	Claims   []Category `json:"claims"`
	Checkers []string   `json:"checkers"` // the oracles that it declares; any other that ran is a surface check
	Budgets  []Budget   `json:"budgets"`
	Asked    Tier       `json:"asked"`            // the highest tier that this session was to meet; "" is the highest of Budgets
	Surfaces []string   `json:"surfaces"`         // planned
	Exempt   []Exempt   `json:"exempt,omitempty"` // audit items that the plan says do not apply

	// Of the session.

	NotRun     string      `json:"not_run,omitempty"` // why it was never reached
	Needs      []Need      `json:"needs,omitempty"`   // those that are missing
	Cycles     []Cycle     `json:"cycles"`            // every run that was made, in any order
	Baseline   Baseline    `json:"baseline"`
	Statistics []Statistic `json:"statistics,omitempty"`
	Grouping   Grouping    `json:"grouping"`
}

// Exempt is an audit item that does not apply. Only those named [ItemSingleSurface],
// [ItemPositiveControls] and [ItemAggregate] may be; others stay open.
type Exempt struct {
	Item   string `json:"item"`
	Reason string `json:"reason"`
}

// Need is a capability that the plan needs and the machine has not.
type Need struct {
	Name       string `json:"name"`                 // "network namespaces"
	Found      string `json:"found"`                // what the probe said
	Substitute string `json:"substitute,omitempty"` // what the plan names in its place, and was used
}

// Baseline is what measurements were compared with.
type Baseline struct {
	State BaselineState `json:"state"`
	Why   string        `json:"why"` // it is fair, or unfair, or there is none
}

// BaselineState says whether there is a baseline, and whether it may be compared with.
type BaselineState string

// The states of a baseline.
const (
	BaselineUntold BaselineState = ""
	BaselineUnused BaselineState = "unused" // no claim compares with one
	BaselineFair   BaselineState = "fair"   // the same load, configuration and duration
	BaselineUnfair BaselineState = "unfair"
)

// Statistic is a claim about a distribution: a percentile, a rate, a share.
type Statistic struct {
	Claim       string `json:"claim"`
	Repetitions int    `json:"repetitions"` // independent measurements that it was made from
}

// Grouping is what the fairness oracle judged by.
type Grouping struct {
	Percentile string `json:"percentile"` // "p99"
	Scope      Scope  `json:"scope"`
	Groups     int    `json:"groups"` // tenants, keys or classes that were judged one by one
}

// Scope is what a percentile is of.
type Scope string

// The scopes of a percentile.
const (
	ScopeUntold Scope = ""
	PerGroup    Scope = "per-group"
	Aggregate   Scope = "aggregate" // all groups together: the worst one is hidden
)
