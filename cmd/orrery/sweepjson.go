package main

import (
	"encoding/json"
	"io"

	"github.com/orrery-sim/orrery/sim/run"
)

// seedLine is a seed of a sweep as a line of JSON, in the order of its fields.
type seedLine struct {
	Schema    string         `json:"schema"`
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
	Signature string `json:"signature"`
	First     uint64 `json:"first,string"`
	Count     uint64 `json:"count"`
	Message   string `json:"message"`
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func writeSeedJSON(w io.Writer, it run.Item) error {
	r := it.Output.Result
	return encode(w, seedLine{
		"orrery.seed/1", r.Scenario, r.Seed, r.Verdict, r.Reason, r.Hash, r.Events, r.Steps, r.Virtual, r.Calls, r.Ops, orEmpty(r.Faults), r.Violation,
	})
}

func writeSummaryJSON(w io.Writer, s run.Summary, timing bool) error {
	line := summaryLine{
		Schema: "orrery.sweep/1", Scenario: s.Scenario, Seeds: s.Seeds, Verdicts: s.Verdicts, Verified: s.Verified,
		Virtual: s.Virtual, Calls: s.Calls, Steps: s.Steps, Events: s.Events, Ops: s.Ops, Faults: orEmpty(s.Faults),
		Unsupported: orEmpty(s.Unsupported), Warnings: orEmpty(s.Warnings), Buckets: []bucketLine{}, Interrupted: s.Interrupted, Exit: s.Exit(),
	}
	for _, b := range s.Buckets {
		line.Buckets = append(line.Buckets, bucketLine{b.Signature, b.First.Seed, b.Count, b.First.Output.Violation.Message})
	}
	if timing {
		line.Wall = int64(s.Wall)
	}
	return encode(w, line)
}

// orEmpty makes nil an empty list, which JSON shows as one.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
