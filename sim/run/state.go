package run

import "github.com/orrery-sim/orrery/sim/trace"

// State is a run at one moment. Like a result it is a function of the request and
// the program.
type State struct {
	At        int64     `json:"at"`     // virtual nanoseconds since the run's start: the moment that was asked for
	Events    uint64    `json:"events"` // hashed so far
	Hash      string    `json:"hash"`   // so far, 16 hex digits
	Phase     string    `json:"phase"`  // setup, safety, liveness or checks
	Faults    []string  `json:"faults"` // that are on
	Processes []Process `json:"processes"`
	Next      *int64    `json:"next"` // when the network, a disk or a fault has something to do next; nil if never
}

// Process is a process of a node or a client, or the test itself; or a node that
// has none.
type Process struct {
	Name       string       `json:"name"`
	Kind       string       `json:"kind"` // test, node or client
	Addr       string       `json:"addr"`
	Running    bool         `json:"running"`
	Powered    bool         `json:"powered"` // false after a crash
	Wall       int64        `json:"wall"`    // what its clock shows beside true time, nanoseconds
	Goroutines []Goroutine  `json:"goroutines"`
	Timers     []Timer      `json:"timers"`
	Files      []Descriptor `json:"files"`
	Sockets    []Descriptor `json:"sockets"`
}

// Goroutine is one goroutine.
type Goroutine struct {
	Name  string `json:"name"`  // its path: "n1/0.2"
	State string `json:"state"` // "runnable", or why it waits
	// Since is when it gave the token up last, in virtual nanoseconds since the
	// run's start; 0 if it never did.
	Since     int64         `json:"since"`
	Stack     []trace.Frame `json:"stack"` // innermost first
	CreatedBy *trace.Frame  `json:"createdBy"`
}

// Timer is a timer that is armed: of a goroutine that sleeps, of a channel, of a
// deadline, or of a function.
type Timer struct {
	Due    int64  `json:"due"`    // virtual nanoseconds since the run's start
	Period int64  `json:"period"` // 0 if it is due once
	What   string `json:"what"`
}

// Descriptor is an open file, socket or pipe.
type Descriptor struct {
	FD       int      `json:"fd"`   // -1 of a socket that has no owner any more
	Kind     string   `json:"kind"` // file, directory, stream, pipe, tcp, udp ...
	Path     string   `json:"path"`
	Flags    string   `json:"flags"`
	Position int64    `json:"position"`
	Size     int64    `json:"size"`
	Locks    []string `json:"locks"`
	Local    string   `json:"local"`
	Peer     string   `json:"peer"`
	State    string   `json:"state"`
	Received int      `json:"received"` // bytes that wait to be read
	Unsent   int      `json:"unsent"`   // bytes that the peer has not acknowledged
}
