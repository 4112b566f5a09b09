package main

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

// seedLine is a seed of a sweep as a line of JSON, in the order of its fields.
type seedLine struct {
	Schema    string         `json:"schema"`
	Package   string         `json:"package"`
	Scenario  string         `json:"scenario"`
	Seed      uint64         `json:"seed,string"`
	Verdict   run.Verdict    `json:"verdict"`
	Reason    string         `json:"reason,omitempty"`
	Hash      string         `json:"hash"`
	Events    uint64         `json:"events"`
	Steps     uint64         `json:"steps"`
	Virtual   int64          `json:"virtual"`
	Calls     uint64         `json:"calls"`
	Ops       run.Ops        `json:"ops"`
	Faults    []run.Fault    `json:"faults"`
	Violation *run.Violation `json:"violation,omitempty"`
}

// summaryLine is a whole sweep as a line of JSON.
type summaryLine struct {
	Schema      string                 `json:"schema"`
	Package     string                 `json:"package"`
	Scenario    string                 `json:"scenario"`
	Seeds       uint64                 `json:"seeds"`
	Verdicts    map[run.Verdict]uint64 `json:"verdicts"` // sorted by encoding/json
	Verified    uint64                 `json:"verified"`
	Virtual     int64                  `json:"virtual"`
	Calls       uint64                 `json:"calls"`
	Steps       uint64                 `json:"steps"`
	Events      uint64                 `json:"events"`
	Ops         run.Ops                `json:"ops"`
	Faults      []run.FaultCount       `json:"faults"`
	Unsupported []run.Unsupported      `json:"unsupported"`
	Warnings    []string               `json:"warnings"`
	Buckets     []bucketLine           `json:"buckets"`
	Interrupted bool                   `json:"interrupted,omitempty"`
	Exit        int                    `json:"exit"`
	Wall        int64                  `json:"wall,omitempty"`
}

type bucketLine struct {
	Signature string      `json:"signature"`
	First     uint64      `json:"first,string"`
	Count     uint64      `json:"count"`
	Message   string      `json:"message"`
	Replay    string      `json:"replay"`
	Shrunk    *shrunkLine `json:"shrunk,omitempty"`
}

// shrunkLine is the smallest plan of faults that was found.
type shrunkLine struct {
	Before int         `json:"before"` // faults that the seed's own plan had
	Runs   int         `json:"runs"`
	End    string      `json:"end"`
	Faults []run.Fault `json:"faults"`
	Replay string      `json:"replay,omitempty"`
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func writeSeedJSON(w io.Writer, sc run.Scenario, it run.Item) error {
	r := it.Output.Result
	if r.Verdict.Lost() {
		// What the process left behind has real addresses in it.
		r.Reason, _, _ = strings.Cut(r.Reason, "\n")
	}
	return encode(w, seedLine{
		Schema: "orrery.seed/1", Package: sc.Binary.Package, Scenario: sc.Name, Seed: it.Seed,
		Verdict: r.Verdict, Reason: r.Reason, Hash: r.Hash, Events: r.Events, Steps: r.Steps, Virtual: r.Virtual,
		Calls: r.Calls, Ops: r.Ops, Faults: orEmpty(r.Faults), Violation: r.Violation,
	})
}

// writeSummaryJSON writes the last line of a sweep. A wall time of 0 is left out.
func writeSummaryJSON(w io.Writer, sc run.Scenario, s run.Summary, failures []failure) error {
	line := summaryLine{
		Schema: "orrery.sweep/1", Package: sc.Binary.Package, Scenario: sc.Name,
		Seeds: s.Seeds, Verdicts: s.Verdicts, Verified: s.Verified,
		Virtual: s.Virtual, Calls: s.Calls, Steps: s.Steps, Events: s.Events, Ops: s.Ops, Faults: orEmpty(s.Faults),
		Unsupported: orEmpty(s.Unsupported), Warnings: orEmpty(s.Warnings), Buckets: []bucketLine{},
		Interrupted: s.Interrupted, Exit: s.Exit(), Wall: int64(s.Wall),
	}
	for _, f := range failures {
		line.Buckets = append(line.Buckets, f.line())
	}
	return encode(w, line)
}

func (f failure) line() bucketLine {
	b := bucketLine{Signature: f.Signature, First: f.First.Seed, Count: f.Count, Message: f.First.Output.Violation.Message, Replay: f.replay}
	if s := f.shrunk; s != nil {
		b.Shrunk = &shrunkLine{s.Before.Faults, s.Runs, string(s.End), orEmpty(s.Output.Faults), f.least}
	}
	return b
}

// orEmpty makes nil an empty list, which JSON shows as one.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
