package verdict

// AuditItem is a question that is asked before a PASS, and its answer, computed
// from the evidence.
type AuditItem struct {
	Name   string `json:"name"`
	Answer Answer `json:"answer"`
	Text   string `json:"text"` // the evidence, what is missing, or why it does not apply
}

// Answer is the answer to an audit item.
type Answer string

// The answers.
const (
	ItemOK   Answer = "ok"
	ItemOpen Answer = "open"
	ItemNone Answer = "not applicable"
)

// The items of the first audit, green but broken: what may be wrong with a run in which
// nothing was found.
const (
	ItemLoad     = "load was produced throughout"
	ItemOracle   = "the oracle ran in every cycle" // open: the checker did not do its work
	ItemShows    = "the fault shows at the injector and at the victim"
	ItemNoOp     = "the fault was no silent no-op"
	ItemSkew     = "clock skew masked no timing assertion"
	ItemDuration = "the duration met the tier"
	ItemErrors   = "no error was swallowed"
	ItemNominal  = "the system came back to nominal"
	ItemBaseline = "the baseline was fair"
	ItemRepeated = "statistical claims were repeated"
)

// The items of the second audit, weak oracles: what is not enough alone.
const (
	ItemFinalState       = "final state"
	ItemLogs             = "logs"
	ItemHealth           = "health checks"
	ItemSingleFailover   = "a single failover"
	ItemNoErrorMetrics   = "no-error metrics"
	ItemShortRuns        = "short runs"
	ItemSymmetric        = "symmetric partitions only"
	ItemHiddenRetries    = "hidden client retries"
	ItemWallClock        = "wall-clock timestamps"
	ItemOneTopology      = "one topology"
	ItemOneSeed          = "one seed"
	ItemSingleSurface    = "a single surface"
	ItemPositiveControls = "positive controls only"
	ItemAggregate        = "an aggregate p99 for fairness"
)
