package driver

import (
	"time"

	"github.com/orrery-sim/orrery/oracle"
)

// Version is the contract's version that this package keeps. A driver declares it by a
// comment in its first lines: "orrery-driver: 1".
const Version = 1

// The variables of a driver's environment.
const (
	EnvSession  = "ORRERY_SESSION"  // the folder that it writes to, an absolute path
	EnvScenario = "ORRERY_SCENARIO" // the scenario's name
	EnvSeed     = "ORRERY_SEED"     // a decimal number from 0 to 2^64-1
)

// The files that a driver writes to its session's folder.
const (
	HistoryFile = "history.jsonl" // as oracle.ReadJSONL reads it
	LandingFile = "landing.jsonl" // as ReadLandings reads it
)

// Driver is a program that keeps the contract.
type Driver struct {
	Command []string      // the program and its arguments
	Dir     string        // where it starts; "" is the current folder
	Env     []string      // "k=v", beside this process's environment
	Grace   time.Duration // from SIGTERM to SIGKILL; 0 is 5s
}

// Job is what a driver is asked to run.
type Job struct {
	Session  string // the folder to write to; it is made if it is missing
	Scenario string
	Seed     uint64
}

// Exit is what a driver's end says.
type Exit string

// The ends of a driver. None is no end that the contract knows: the error says what
// came instead.
const (
	ExitNone      Exit = ""
	ExitClean     Exit = "clean"     // 0: it ran, and saw no anomaly itself
	ExitFailure   Exit = "failure"   // 1: it saw a failure itself
	ExitUndecided Exit = "undecided" // 3: it could not run, or could not decide
)

// Outcome is what a driver left.
type Outcome struct {
	Exit     Exit
	Code     int             // the exit code; -1 if a signal ended it
	Took     time.Duration   // wall-clock time
	History  *oracle.History // nil if there is none that can be read
	Landings []Landing       // in the file's order
	// LeftBehind says that the driver ended before others of its process group, which
	// were ended then.
	LeftBehind bool
}
