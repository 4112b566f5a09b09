package capability

import "context"

// Found is what a probe found.
type Found struct {
	Present bool
	Version string // "" if it has none, or it is not known
	How     string // the command or the file that says so
	Reason  string // why it is not present; "" if it is
}

// Way is one way to install something.
type Way struct {
	Manager string   // "apt-get", "dnf", "brew", "go": the program that there has to be
	Command []string // without sudo
	Root    bool     // it takes root's rights
}

// Probe is one thing that a plan can need.
type Probe struct {
	Name    string
	Aliases []string
	For     string // what it is for
	Check   func(ctx context.Context, env *Env) Found
	Ways    []Way
	Hint    string // how to get it where no command does
}

// Need is one thing that a plan needs.
type Need struct {
	Item   string   // as the plan names it: "go", "tc", "network namespaces"
	Floor  string   // the least version, "1.26"; "" is any
	UsedBy []string // scenarios
	Hint   string   // how the plan says to install it
}

// Status is what comes of a need.
type Status string

// The states of a need. Present and Have fill it, the others do not.
const (
	Present Status = "present"
	Have    Status = "taken as present" // the user said so
	Missing Status = "missing"
	Old     Status = "too old" // below the floor, or its version is not known
	Skipped Status = "skipped" // the user wants it treated as missing
)

// Row is a need, and what comes of it.
type Row struct {
	Need   Need
	Probe  Probe
	Found  Found // by the probe, whatever the user said
	Status Status
	Note   string // where the user and the probe disagree
}

// Met reports whether the need is filled.
func (r Row) Met() bool { return r.Status == Present || r.Status == Have }

// Table is every need of a plan, in the plan's order.
type Table struct{ Rows []Row }

// Answers are what the user said of needs, by name or alias.
type Answers struct {
	Have []string // treated as present
	Skip []string // treated as missing
}

// Policy says whether something may be installed.
type Policy string

// The policies of --install.
const (
	InstallAsk Policy = "ask"
	InstallYes Policy = "yes"
	InstallNo  Policy = "no"
)
