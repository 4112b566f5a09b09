package outcome

// Coverage is what a check of a boundary between tenants, or of fairness among groups,
// was given: how much of what it is about it can speak of.
type Coverage struct {
	Surfaces   []string `json:"surfaces,omitempty"`   // that calls went through, sorted
	Positive   int      `json:"positive,omitempty"`   // calls that had to be allowed, and were
	Negative   int      `json:"negative,omitempty"`   // calls that had to be denied without a trace, and were
	Groups     int      `json:"groups,omitempty"`     // that were judged one by one
	Percentile string   `json:"percentile,omitempty"` // of latency, by which each group was judged: "p99"
	Baseline   Baseline `json:"baseline,omitempty"`   // that groups were compared with
}

// Baseline is what a check compared measurements with.
type Baseline string

// The baselines. The empty one is none.
const (
	BaselineSameRun Baseline = "earlier calls of the same run"
	BaselineOther   Baseline = "another history" // whose load the check does not know
)
