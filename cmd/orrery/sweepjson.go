package main

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

// The schemas of a sweep's lines. They change with their forms.
const (
	seedSchema  = "orrery.seed/1"
	sweepSchema = "orrery.sweep/1"
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

	Verified    bool              `json:"verified,omitempty"`
	Difference  *run.Difference   `json:"difference,omitempty"`
	Unsupported []run.Unsupported `json:"unsupported,omitempty"`
	Warnings    []string          `json:"warnings,omitempty"`
}

// summaryLine is a whole sweep as a line of JSON.
type summaryLine struct {
	Schema      string                 `json:"schema"`
	Package     string                 `json:"package"`
	Scenario    string                 `json:"scenario"`
	Settings    settings               `json:"settings"`
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
	NotSeen     []run.Known            `json:"known_not_seen,omitempty"`
	Findings    []findingLine          `json:"findings,omitempty"`
	Interrupted bool                   `json:"interrupted,omitempty"`
	Exit        int                    `json:"exit"`
	Wall        int64                  `json:"wall,omitempty"`
}

// settings are what a sweep was told, and what it ran: shards are of one sweep if
// theirs are equal.
type settings struct {
	Seeds        string            `json:"seeds"`
	Shard        string            `json:"shard,omitempty"`
	Pattern      string            `json:"pattern"` // of the package, from where it was swept
	Identity     run.Identity      `json:"identity"`
	Tags         string            `json:"tags,omitempty"`
	Race         bool              `json:"race,omitempty"`
	Params       map[string]string `json:"params,omitempty"`
	Faults       []string          `json:"faults"` // null: those that the scenario draws
	Verify       float64           `json:"verify"`
	MaxVacuous   float64           `json:"max_vacuous"`
	ShrinkBudget int               `json:"shrink_budget"`
	Known        []run.Known       `json:"known,omitempty"`
	Revision     string            `json:"revision,omitempty"` // of findings
}

// settings returns what a sweep of one scenario is told.
func (f *sweepFlags) settings(c run.SweepConfig) settings {
	b := c.Scenario.Binary
	return settings{
		Seeds: f.seedsOrDefault(), Shard: f.shard, Pattern: b.Pattern(), Identity: b.Identity, Tags: b.Tags, Race: b.Race,
		Params: c.Request.Params, Faults: c.Request.Faults, Verify: c.Verify, MaxVacuous: c.MaxVacuous,
		ShrinkBudget: f.shrinkBudget, Known: c.Known, Revision: f.revision,
	}
}

// folder is the package's folder, if its pattern names one, so that a merge names it
// as the sweep did.
func (s settings) folder() string {
	if !isLocal(s.Pattern) {
		return ""
	}
	dir, err := filepath.Abs(s.Pattern)
	if err != nil {
		return ""
	}
	return dir
}

type bucketLine struct {
	Signature string      `json:"signature"`
	Known     *run.Known  `json:"known,omitempty"`
	First     uint64      `json:"first,string"`
	Count     uint64      `json:"count"`
	Message   string      `json:"message"`
	Replay    string      `json:"replay"`
	Shrunk    *shrunkLine `json:"shrunk,omitempty"`
	Note      string      `json:"note,omitempty"` // why shrinking ended early, if it did
}

// shrunkLine is the smallest plan of faults that was found.
type shrunkLine struct {
	Before int         `json:"before"` // faults that the seed's own plan had
	Runs   int         `json:"runs"`
	End    string      `json:"end"`
	Faults []run.Fault `json:"faults"`
	Replay string      `json:"replay,omitempty"`
}

// findingLine is a finding of the folder that --out names.
type findingLine struct {
	File      string           `json:"file"`
	Signature string           `json:"signature"`
	State     run.FindingState `json:"state"`
	Count     uint64           `json:"count"`
	Seen      bool             `json:"seen"`
	Note      string           `json:"note,omitempty"`
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
		Schema: seedSchema, Package: sc.Binary.Package, Scenario: sc.Name, Seed: it.Seed,
		Verdict: r.Verdict, Reason: r.Reason, Hash: r.Hash, Events: r.Events, Steps: r.Steps, Virtual: r.Virtual,
		Calls: r.Calls, Ops: r.Ops, Faults: orEmpty(r.Faults), Violation: r.Violation,
		Verified: it.Verified, Difference: it.Difference, Unsupported: r.Unsupported, Warnings: r.Warnings,
	})
}

// line is the last line of a sweep. A wall time of 0 is left out.
func (r *report) line() summaryLine {
	s := r.summary
	line := summaryLine{
		Schema: sweepSchema, Package: r.scenario.Binary.Package, Scenario: r.scenario.Name, Settings: r.settings,
		Seeds: s.Seeds, Verdicts: s.Verdicts, Verified: s.Verified,
		Virtual: s.Virtual, Calls: s.Calls, Steps: s.Steps, Events: s.Events, Ops: s.Ops, Faults: orEmpty(s.Faults),
		Unsupported: orEmpty(s.Unsupported), Warnings: orEmpty(s.Warnings), Buckets: []bucketLine{}, NotSeen: s.NotSeen(),
		Interrupted: s.Interrupted, Exit: s.Exit(), Wall: int64(s.Wall),
	}
	for _, f := range r.failures {
		line.Buckets = append(line.Buckets, f.line())
	}
	for _, t := range s.Findings {
		line.Findings = append(line.Findings, findingLine{t.File(), t.Signature, t.State, t.Count, t.Seen, t.Note})
	}
	return line
}

func (f failure) line() bucketLine {
	b := bucketLine{Signature: f.Signature, Known: f.Known, First: f.First.Seed, Count: f.Count, Message: f.First.Output.Violation.Message, Replay: f.replay, Note: f.note}
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
