package author

import "github.com/orrery-sim/orrery/scenarios/plan"

// families are the engine's families of faults, by the names that plans have for them.
var families = map[string]string{
	"crash":     "Crashes",
	"kill":      "Kills",
	"drain":     "Drains",
	"pause":     "Pauses",
	"partition": "Partitions",
	"cut":       "Cuts",
	"lose":      "Losses",
	"delay":     "Delays",
	"slow-disk": "SlowDisks",
	"skew":      "Skews",
}

// planned are faults that no family draws, with what injects one.
var planned = map[string]string{
	"lie-sync": `w.Plan("at 1s lie-sync n1 for 2s") injects one, in place of all faults that are drawn; w.Withstands("lie-sync") says that the system is to survive it`,
}

// oracleKind is what a check is made of.
type oracleKind string

const (
	kindLinear   oracleKind = "linear"
	kindBoundary oracleKind = "boundary"
	kindFair     oracleKind = "fair"
	kindRecovery oracleKind = "recovery"
	kindNone     oracleKind = "" // the catalogue has none
)

// oracles are the engine's oracles, by the names that plans have for them.
var oracles = map[string]oracleKind{
	"linearizability": kindLinear,
	"boundary":        kindBoundary,
	"fairness":        kindFair,
	"recovery":        kindRecovery,
	"liveness":        kindRecovery,
}

// model is an oracle's model, and the calls that it judges.
type model struct {
	name  string // of the function of package oracle
	calls []call
	keyed keyed
	order order
}

// call is a kind of call, as the fields of an oracle.Call.
type call struct {
	kind  string
	input string // an expression in Go; "" is no input
}

// keyed says whether calls name an object.
type keyed string

const (
	byKey  keyed = "by key"
	asOne  keyed = "as one"
	unique       = `fmt.Sprintf("%s-%d", c.Name(), op.Index)`
)

// order says in which order a client makes its calls.
type order string

const (
	drawn order = "drawn"
	turns order = "in turns"
)

// models are the oracles' models, by the kinds that plans have for them.
var models = map[plan.ModelKind]model{
	plan.Register: {"Register", []call{{"get", ""}, {"put", unique}}, asOne, drawn},
	plan.Map:      {"KV", []call{{"get", ""}, {"put", unique}}, byKey, drawn},
	plan.Queue:    {"Queue", []call{{"enqueue", unique}, {"dequeue", ""}}, byKey, drawn},
	plan.Log:      {"Log", []call{{"offer", unique}, {"read", ""}}, byKey, drawn},
	plan.Lock:     {"Mutex", []call{{"lock", ""}, {"unlock", ""}}, byKey, turns},
	plan.Counter:  {"Counter", []call{{"add", `"1"`}, {"get", ""}}, byKey, drawn},
	set:           {"Set", []call{{"add", unique}, {"read", ""}}, byKey, drawn},
}

// set is a model that plans name in an oracle's detail alone, as "linearizability (set)".
const set plan.ModelKind = "set"
