package driver

// Landed says whether a fault is known to have reached what it was meant for.
type Landed string

// What is known of a fault. In a file the first two are JSON's true and false.
const (
	LandedYes       Landed = "true"
	LandedNo        Landed = "false"
	LandedAmbiguous Landed = "ambiguous"
)

// Landing is what a driver says of one fault.
type Landing struct {
	Fault    string `json:"fault"` // in words, as "at 1.2s kill n1"
	Kind     string `json:"kind"`  // "kill", "partition" ...
	At       int64  `json:"at"`    // nanoseconds, on the history's clock
	Landed   Landed `json:"landed"`
	Injector string `json:"injector,omitempty"` // what the injector saw
	Victim   string `json:"victim,omitempty"`   // what was seen at the victim
}
