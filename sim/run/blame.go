package run

// Party is whose fault a failure is.
type Party string

// The parties.
const (
	OfSystem      Party = "system under test"
	OfHarness     Party = "harness" // clients, workload and setup of the scenario
	OfChecker     Party = "checker"
	OfEnvironment Party = "environment"
	OfUnknown     Party = "unknown"
)

// Experiment is what was tried to tell whose fault a failure is.
type Experiment struct {
	Of    Party  `json:"of"`    // whose fault it could have shown
	Did   string `json:"did"`   // what was run
	Found string `json:"found"` // what came of it
	Made  bool   `json:"made"`  // false: it could not be made
	Shows bool   `json:"shows"` // the failure is that party's fault
}

// Blame is whose fault a failure is, and the experiments that tell.
type Blame struct {
	Party       Party        `json:"party"`
	Why         string       `json:"why"`
	Experiments []Experiment `json:"experiments"`
}
