package toolbox

import (
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

// Kind is what a tool is good for.
type Kind string

// The kinds of tools.
const (
	KindDriver    Kind = "driver"             // declares the contract of package driver
	KindWorkload  Kind = "workload generator" // makes load
	KindCluster   Kind = "cluster"            // brings the system up
	KindCompose   Kind = "compose file"
	KindProcess   Kind = "process"  // of a Procfile
	KindImage     Kind = "image"    // how one is built
	KindScenario  Kind = "scenario" // a Go test in a world
	KindTest      Kind = "tests"    // of a folder
	KindBenchmark Kind = "benchmarks"
	KindTarget    Kind = "target"     // of a Makefile, Taskfile or justfile
	KindScript    Kind = "npm script" // of a package.json
	KindCI        Kind = "CI"
	KindDocument  Kind = "document"
)

// kinds is the order in which tools are listed: what a plan's run can use first.
var kinds = []Kind{
	KindDriver, KindWorkload, KindCluster, KindCompose, KindProcess, KindImage, KindScenario,
	KindTest, KindBenchmark, KindTarget, KindScript, KindCI, KindDocument,
}

// Tool is one thing that there is already.
type Tool struct {
	Kind Kind
	// Path is the file, or the folder for what belongs to one, with slashes, seen from
	// the repository's top, which is ".".
	Path string
	// Name is what it is called within its file: a target, a scenario, a title; "" if
	// the file is the tool.
	Name string
	// Argv is the command that calls it, at the repository's top. It is nil for what is
	// only read: documents and CI.
	Argv []string
	// Note is what else is known, in a few words: the services of a compose file, the
	// jobs of a CI definition.
	Note string
}

// Call returns the command line that calls the tool, for a shell at the repository's
// top; "" if nothing does.
func (t Tool) Call() string {
	if len(t.Argv) == 3 && t.Argv[0] == "sh" && t.Argv[1] == "-c" {
		return t.Argv[2]
	}
	words := make([]string, len(t.Argv))
	for i, w := range t.Argv {
		words[i] = run.ShellQuote(w)
	}
	return strings.Join(words, " ")
}

// Omission is what was left out, and why.
type Omission struct {
	Path   string // a file, or a folder
	Reason string
	Files  int // how many of a folder's; 0 if Path itself is meant
}

// Toolbox is what there is in one repository.
type Toolbox struct {
	Tools   []Tool     // by kind, path and name
	Omitted []Omission // by path and reason
	Files   int        // that were looked at
}

// Of returns the tools of one kind.
func (b *Toolbox) Of(kind Kind) []Tool {
	return slices.DeleteFunc(slices.Clone(b.Tools), func(t Tool) bool { return t.Kind != kind })
}

// Limits bound a search. What is past them is listed among what was left out. Zero
// values are the defaults.
type Limits struct {
	Files   int   // files that are looked at; 20000
	Bytes   int64 // of a file that is read, longer ones are not; 1 MiB
	Entries int   // tools of one file, as targets of a Makefile; 100
}

func (l Limits) withDefaults() Limits {
	if l.Files <= 0 {
		l.Files = 20000
	}
	if l.Bytes <= 0 {
		l.Bytes = 1 << 20
	}
	if l.Entries <= 0 {
		l.Entries = 100
	}
	return l
}
