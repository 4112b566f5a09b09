package toolbox

// Kind is what a tool is good for.
type Kind string

// The kinds of tools, in the order in which they are listed.
const (
	KindDriver    Kind = "driver"             // declares the contract of package driver
	KindWorkload  Kind = "workload generator" // makes load
	KindCluster   Kind = "cluster"            // brings the system up
	KindCompose   Kind = "compose file"
	KindProcess   Kind = "process" // of a Procfile
	KindImage     Kind = "image"   // how one is built
	KindScenario  Kind = "scenario"
	KindTest      Kind = "tests" // of a folder
	KindBenchmark Kind = "benchmarks"
	KindTarget    Kind = "target"     // of a Makefile, Taskfile or justfile
	KindScript    Kind = "npm script" // of a package.json
	KindCI        Kind = "CI"
	KindDocument  Kind = "document"
)

// Tool is one thing that there is already.
type Tool struct {
	Kind Kind
	// Path is the file, or the folder for tests, with slashes, seen from the
	// repository's top.
	Path string
	// Name is what it is called within its file: a target, a scenario, a title; "" if
	// the file is the tool.
	Name string
	// Call is the command line that calls it, for a shell at the repository's top. It
	// is "" for what is only read: documents and CI.
	Call string
	// Note is what else is known, in a few words: the services of a compose file, the
	// jobs of a CI definition.
	Note string
}

// Omission is what was left out, and why.
type Omission struct {
	Path   string
	Reason string
}

// Toolbox is what there is in one repository.
type Toolbox struct {
	Tools   []Tool     // by kind, path and name
	Omitted []Omission // by path
	Files   int        // that were looked at
}

// Of returns the tools of one kind.
func (b *Toolbox) Of(kind Kind) []Tool {
	var out []Tool
	for _, t := range b.Tools {
		if t.Kind == kind {
			out = append(out, t)
		}
	}
	return out
}

// Limits bound a search. What is past them is listed among what was left out. Zero
// values are the defaults.
type Limits struct {
	Files   int   // files that are looked at; 20000
	Bytes   int64 // of a file that is read; longer ones are judged by name alone; 1 MiB
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
