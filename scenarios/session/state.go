package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/scenarios/capability"
	"github.com/orrery-sim/orrery/scenarios/toolbox"
	"github.com/orrery-sim/orrery/sim/run"
)

// stateSchema names the form of a session's state. It changes with the form.
const stateSchema = "orrery.session/1"

// State is all that is known of a session. It is written whole after every event, so
// that one which was killed goes on from there.
type State struct {
	Schema   string       `json:"schema"`
	Header   Header       `json:"header"`
	Toolbox  *Toolbox     `json:"toolbox,omitempty"`
	Needs    []Capability `json:"needs"`
	Prepared bool         `json:"prepared"` // the needs were probed
	Timeline []Event      `json:"timeline"`
	Units    []*UnitState `json:"units"`

	Scenarios []verdict.Decision       `json:"scenarios,omitempty"` // of the plan, in its order, once all is over
	Session   *verdict.SessionDecision `json:"session,omitempty"`
	Exit      *verdict.Exit            `json:"exit,omitempty"`
}

// Header says what a session is of.
type Header struct {
	System   string          `json:"system"`
	Plan     string          `json:"plan"`      // its file
	PlanHash string          `json:"plan_hash"` // of the file's bytes
	Title    string          `json:"title"`
	Commit   string          `json:"commit"` // of the system under test's repository; "" if there is none
	Dir      string          `json:"dir"`
	Operator string          `json:"operator"`
	Backend  verdict.Backend `json:"backend"`
	Tier     verdict.Tier    `json:"tier"`
	Have     []string        `json:"have"`
	Skip     []string        `json:"skip"`
	Started  time.Time       `json:"started"`
	Ended    time.Time       `json:"ended,omitzero"`
}

// Toolbox is what was discovered in the repository.
type Toolbox struct {
	Tools   []toolbox.Tool     `json:"tools"`
	Omitted []toolbox.Omission `json:"omitted"`
}

// Capability is a need of the plan and what came of it.
type Capability struct {
	Need       capability.Need   `json:"need"`
	Found      capability.Found  `json:"found"`
	Status     capability.Status `json:"status"`
	Note       string            `json:"note,omitempty"`
	Install    string            `json:"install,omitempty"` // how to get what is missing
	Substitute string            `json:"substitute,omitempty"`
}

// Met reports whether the need is filled.
func (c Capability) Met() bool { return c.Status == capability.Present || c.Status == capability.Have }

// Event is a line of the timeline.
type Event struct {
	At   time.Time `json:"at"`
	Unit string    `json:"unit,omitempty"`
	What string    `json:"what"`
	Note string    `json:"note,omitempty"`
}

// UnitState is a unit and how far it is.
type UnitState struct {
	ID        string            `json:"id"`
	Scenario  string            `json:"scenario"`           // of the plan
	Bound     string            `json:"bound"`              // what it is run by; "" is nothing
	Identity  string            `json:"identity,omitempty"` // of what ran
	Cycles    int               `json:"cycles"`
	Oracles   []OracleCount     `json:"oracles"`
	Landings  []LandingCount    `json:"landings"`
	Decision  *verdict.Decision `json:"decision,omitempty"` // once it is over
	Findings  []Finding         `json:"findings"`
	Artifacts []Artifact        `json:"artifacts"`
}

// OracleCount says how often an oracle ran, and what it answered.
type OracleCount struct {
	Name string `json:"name"`
	Ran  int    `json:"ran"` // cycles in which it answered
	OK   int    `json:"ok"`
	Saw  int    `json:"saw"` // calls, in all of them
}

// LandingCount says how often a kind of fault was scheduled and landed, with one
// example of the evidence.
type LandingCount struct {
	Kind      string `json:"kind"`
	Scheduled int    `json:"scheduled"`
	Landed    int    `json:"landed"`
	Example   string `json:"example"`
}

// save writes the state under another name first.
func (s *State) save(d dir) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return run.WriteFile(d.join(stateFile), append(text, '\n'))
}

// readState reads a session's state back.
func readState(d dir) (*State, error) {
	name := d.join(stateFile)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such session: want the folder of one, which has a %s", d.path, stateFile)
	}
	if err != nil {
		return nil, err
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, damaged(name, text, err)
	}
	if head.Schema != stateSchema {
		return nil, fmt.Errorf("%s: schema is %q, want %q: it is of another version: run the plan anew", name, head.Schema, stateSchema)
	}
	s := &State{}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(s); err != nil {
		return nil, damaged(name, text, err)
	}
	return s, nil
}

// damaged says where a file of a session is not what was written.
func damaged(name string, text []byte, err error) error {
	offset := int64(len(text))
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &wrong):
		offset = wrong.Offset
	}
	line := 1 + bytes.Count(text[:min(offset, int64(len(text)))], []byte("\n"))
	return fmt.Errorf("%s:%d: %w: want what a session has written: run the plan anew", name, line, err)
}
