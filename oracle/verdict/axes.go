package verdict

import "fmt"

// Axes place a finding. They are independent: none follows from another.
type Axes struct {
	Verdict   Verdict        `json:"verdict"`
	Class     ReductionClass `json:"reduction_class"`
	Reduction Reduction      `json:"reduction"`
	Placing   Placing        `json:"placing"`
	Overruled string         `json:"overruled,omitempty"` // by whom and why, if a person placed it otherwise than [Suggest] does
}

// ReductionClass is whose fault a finding is, once it is made small.
type ReductionClass string

// The reduction classes.
const (
	ClassSUT         ReductionClass = "SUT"
	ClassHarness     ReductionClass = "harness"
	ClassChecker     ReductionClass = "checker"
	ClassEnvironment ReductionClass = "environment"
	ClassUnknown     ReductionClass = "unknown" // with a reason; never a guess
)

// ReductionClasses are all of them.
var ReductionClasses = []ReductionClass{ClassSUT, ClassHarness, ClassChecker, ClassEnvironment, ClassUnknown}

// Reduction is how small a failure was made.
type Reduction struct {
	Events int    `json:"events"` // before
	Left   int    `json:"left"`   // after
	Runs   int    `json:"runs"`   // that it took
	Why    string `json:"why"`    // of the class
}

// String is the reduction as it is recorded: "120 events to 5 over 77 runs".
func (r Reduction) String() string {
	return fmt.Sprintf("%d events to %d over %d runs", r.Events, r.Left, r.Runs)
}

// Placing is what kind of failure it is, and how bad.
type Placing struct {
	Taxonomy Taxonomy `json:"taxonomy"`
	Tags     []Tag    `json:"tags"`
	Severity Severity `json:"severity"`
	Why      []string `json:"why"` // of taxonomy, then of severity
}

// Taxonomy is the kind of a failure.
type Taxonomy string

// The kinds of failures.
const (
	KindTiming        Taxonomy = "timing"
	KindOrdering      Taxonomy = "ordering"
	KindPartition     Taxonomy = "partition"
	KindCrashRecovery Taxonomy = "crash-recovery"
	KindUpgrade       Taxonomy = "upgrade"
	KindConfig        Taxonomy = "config"
	KindFaultHandling Taxonomy = "fault-handling"
	KindPerformance   Taxonomy = "performance"
)

// Taxonomies are all of them.
var Taxonomies = []Taxonomy{
	KindTiming, KindOrdering, KindPartition, KindCrashRecovery, KindUpgrade, KindConfig, KindFaultHandling, KindPerformance,
}

// Tag says what part of a system a failure is in.
type Tag string

// The tags.
const (
	TagReplication Tag = "replication"
	TagLeadership  Tag = "leadership"
	TagIdempotency Tag = "idempotency"
	TagDurability  Tag = "durability"
	TagLiveness    Tag = "liveness"
	TagSafety      Tag = "safety"
)

// Tags are all of them.
var Tags = []Tag{TagReplication, TagLeadership, TagIdempotency, TagDurability, TagLiveness, TagSafety}

// Severity is how bad a failure is.
type Severity string

// The severities.
const (
	P0 Severity = "P0" // loss, corruption or broken safety
	P1 Severity = "P1" // unavailable until a person acts
	P2 Severity = "P2" // recovers by itself
	P3 Severity = "P3" // minor
)

// Severities are all of them, from the worst.
var Severities = []Severity{P0, P1, P2, P3}
