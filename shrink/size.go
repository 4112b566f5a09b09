package shrink

import (
	"errors"
	"fmt"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// Size is what a run consists of.
type Size struct {
	Virtual    int64  `json:"virtual"` // nanoseconds
	Events     uint64 `json:"events"`
	Steps      uint64 `json:"steps"` // decisions of the schedule
	Faults     int    `json:"faults"`
	Clients    int    `json:"clients"`
	Calls      int    `json:"calls"`      // operations of clients
	Departures int    `json:"departures"` // of the schedule from first in, first out
	Delays     int    `json:"delays"`     // choices of links and disks that are not the neutral ones
}

// families of streams whose choices are made neutral.
var (
	scheduleFamilies = []string{"sched", "select"}
	delayFamilies    = []string{"net", "disk"}
)

// recorded is a run with the choices that it drew.
type recorded struct {
	choices []trace.Drawn
	size    Size
}

func readRun(out run.Output) (recorded, error) {
	switch {
	case out.Truncated:
		return recorded{}, errors.New("shrink: there was not room to record all of a run: it is too long")
	case out.Verdict.Lost():
		return recorded{}, fmt.Errorf("shrink: a run that was recorded ended without a result: %s: %s", out.Verdict, out.Reason)
	}
	choices, err := trace.Choices(out.Events)
	if err != nil {
		return recorded{}, err
	}
	r := recorded{choices: choices, size: Size{
		Virtual: out.Virtual, Events: out.Result.Events, Steps: out.Steps, Faults: len(out.Faults),
		Departures: len(notNeutral(choices, of(scheduleFamilies))),
		Delays:     len(notNeutral(choices, of(delayFamilies))),
	}}
	r.size.Clients = len(r.clients())
	r.size.Calls = len(r.operations())
	return r, nil
}

// family returns the first part of a stream's name.
func family(stream string) string {
	f, _, _ := strings.Cut(stream, "/")
	return f
}

// notNeutral returns the choices of streams that are not 0.
func notNeutral(choices []trace.Drawn, is func(stream string) bool) (out []trace.Drawn) {
	for _, c := range choices {
		if c.Value != 0 && is(c.Stream) {
			out = append(out, c)
		}
	}
	return out
}

// dropStream is the stream of whether a client, and each of its operations, is left
// out.
const dropStream = "drop/"

// clients returns the names of the clients that took part.
func (r recorded) clients() (out []string) {
	for _, c := range r.choices {
		if name, ok := strings.CutPrefix(c.Stream, dropStream); ok && name != "fault" && c.Index == 0 && c.Value == 0 {
			out = append(out, name)
		}
	}
	return out
}

// operation is one operation of a client.
type operation struct {
	client string
	index  uint64 // from 0
}

// operations returns the operations that were made, in their order.
func (r recorded) operations() (out []operation) {
	for _, c := range r.choices {
		if name, ok := strings.CutPrefix(c.Stream, dropStream); ok && name != "fault" && c.Index > 0 && c.Value == 0 {
			out = append(out, operation{name, c.Index - 1})
		}
	}
	return out
}
