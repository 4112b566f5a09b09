package session

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/sim/run"
)

// Backend is where units run: a simulated world, or processes of this machine.
type Backend interface {
	Kind() verdict.Backend
	// Open makes ready what a unit is bound to. What its runs leave is to be in the
	// folder artifacts. The error about a unit that is bound to nothing that there is,
	// is an [*UnboundError].
	Open(ctx context.Context, u Unit, artifacts string) (Subject, error)
}

// Subject is a unit that is ready to run.
type Subject interface {
	// Identity names what runs. A session that goes on wants the same.
	Identity() string
	// Cycles makes one run for each seed in one configuration, as long as the budget
	// says, and calls each in the seeds' order. An interrupted one has called each for
	// those that it knows.
	Cycles(ctx context.Context, c configuration, b verdict.Budget, seeds []uint64, each func(Ran) error) error
	// Explain makes a failure small, tells it, and says whose fault it is.
	Explain(ctx context.Context, f Failure) (Explanation, error)
	Close() error
}

// UnboundError says that a unit is bound to nothing that there is.
type UnboundError struct {
	What   string // "no test file and no driver"
	Author string // the command that would make it
}

func (e *UnboundError) Error() string { return e.What + ": " + e.Author }

// BuildError says that what a unit is bound to cannot be built.
type BuildError struct {
	File string
	err  error
}

func (e *BuildError) Error() string { return fmt.Sprintf("%s does not build: %v", e.File, e.err) }

// Unwrap returns what the build said.
func (e *BuildError) Unwrap() error { return e.err }

// Ran is what came of one cycle.
type Ran struct {
	Cycle    verdict.Cycle    `json:"cycle"`
	Grouping verdict.Grouping `json:"grouping,omitzero"` // by which fairness was judged
	Baseline verdict.Baseline `json:"baseline,omitzero"` // that a check compared with; without Why there is none
	Failure  *Failure         `json:"failure,omitempty"`
}

// Failure is an anomaly, and what it takes to see it again.
type Failure struct {
	Unit      string                `json:"unit"`
	Config    string                `json:"configuration"`
	Oracle    string                `json:"oracle"`
	Message   string                `json:"message"`
	Signature string                `json:"signature"` // failures of one signature are one finding
	Detail    string                `json:"detail,omitempty"`
	Replay    string                `json:"replay"` // one command; "" if the failure is told by that of another run
	CameBack  bool                  `json:"came_back"`
	Recovery  verdict.RecoveryState `json:"recovery"`
	Request   run.Request           `json:"request"`
	Result    *run.Result           `json:"result,omitempty"` // in a simulation
}

// Explanation is what is known of a failure once it was made small.
type Explanation struct {
	Replay    string                 `json:"replay"`    // of the small run; "" if there is none
	Class     verdict.ReductionClass `json:"class"`     // whose fault
	Reduction verdict.Reduction      `json:"reduction"` // how small it became
	Evidence  []string               `json:"evidence"`  // the experiments that decided, a line each
	Needs     []string               `json:"needs"`     // what the failure does not come without, a line each
	Faults    []verdict.Fault        `json:"faults"`    // that are left
	Artifacts []Artifact             `json:"artifacts"`
	Note      string                 `json:"note,omitempty"` // why it ended early, if it did
}

// Artifact is a file of a session.
type Artifact struct {
	Path string `json:"path"` // seen from the session's folder, with slashes
	What string `json:"what"`
}

// configuration is a named set of parameters.
type configuration struct {
	name   string
	params map[string]string
}

// String names the configuration: by its name, or else by its parameters.
func (c configuration) String() string {
	if c.name != "" {
		return c.name
	}
	return c.text()
}

// asItIs names the configuration without parameters.
const asItIs = "as it is"

// text is the parameters in the order of their names.
func (c configuration) text() string {
	var words []string
	for _, k := range slices.Sorted(maps.Keys(c.params)) {
		words = append(words, k+"="+c.params[k])
	}
	if len(words) == 0 {
		return asItIs
	}
	return strings.Join(words, " ")
}
