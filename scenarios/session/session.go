// Package session executes a test plan: scenario by scenario, each put to its faults,
// judged by its oracles, audited, and given a verdict that it cannot have by accident.
//
// A session has a folder of its own, where everything is written as it happens: what
// was there to work with, what was missing, every cycle, every failure. One that was
// killed goes on from there. docs/plans.md tells what is in it.
package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/scenarios/plan"
)

// Config says what a session executes, and how.
type Config struct {
	Plan     *plan.Plan
	File     string       // the plan's, as it is given to commands
	Root     string       // sessions are in {Root}/{plan}/{time}
	Dir      string       // of the system under test's repository
	Tier     verdict.Tier // to be met; "" is hardening
	Backend  Backend
	Only     []string // scenarios or arms; nil is all
	Operator string
	Commit   string // of the repository

	Prober Prober // of the plan's needs
	// Discover looks for what the repository has already.
	Discover func(ctx context.Context) (*Toolbox, error)

	Resume string // the folder of a session to go on with, or "latest"; "" begins one
	Now    func() time.Time
	Say    io.Writer         // what is being done, a line an event
	Show   func(line string) // progress of a long step; may be nil
}

// validate fills in defaults.
func (c Config) validate() (Config, error) {
	c.Tier = cmp.Or(c.Tier, verdict.Hardening)
	if !slices.Contains(verdict.Tiers, c.Tier) {
		return c, usage("tier %q: want one of %v", c.Tier, verdict.Tiers)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Say == nil {
		c.Say = io.Discard
	}
	if c.Show == nil {
		c.Show = func(string) {}
	}
	units := unitsOf(c.Plan, c.File)
	for _, name := range c.Only {
		if !slices.ContainsFunc(units, func(u Unit) bool { return u.ID == name || u.Scenario == name }) {
			return c, usage("scenario %q: the plan has no such scenario or arm: want one of %v", name, idsOf(units))
		}
	}
	return c, nil
}

func idsOf(units []Unit) (out []string) {
	for _, u := range units {
		out = append(out, u.ID)
	}
	return out
}

// Session is one execution of a plan.
type session struct {
	Config
	dir   dir
	state *State
	units []Unit

	unlock func()
}

// Run executes a plan, or goes on with a session of it. It returns the session's
// folder and state as soon as there are any, also beside an error. An interrupt ends
// it where it is; so does what is no verdict's matter, such as a disk that is full.
func Run(ctx context.Context, c Config) (folder string, state *State, err error) {
	c, err = c.validate()
	if err != nil {
		return "", nil, err
	}
	s := &session{Config: c, units: unitsOf(c.Plan, c.File), unlock: func() {}}
	defer func() { s.unlock() }()
	if c.Resume != "" {
		err = s.resume(ctx)
	} else {
		err = s.begin(ctx)
	}
	if err != nil {
		return s.dir.path, s.state, err
	}
	for i := range s.units {
		if err := s.unit(ctx, s.units[i], s.state.Units[i]); err != nil {
			return s.dir.path, s.state, errors.Join(err, s.save())
		}
	}
	return s.dir.path, s.state, s.end()
}

// begin makes the folder, and writes down what there is to work with.
func (s *session) begin(ctx context.Context) (err error) {
	now := s.Now()
	if s.dir, err = createDir(s.Root, s.Plan.Slug(), now); err != nil {
		return err
	}
	if s.unlock, err = s.dir.lock(); err != nil {
		return err
	}
	p := s.Plan
	s.state = &State{
		Schema: stateSchema,
		Header: Header{
			System: p.Header.System, Plan: s.File, PlanHash: p.Hash(), Title: p.Name, Commit: s.Commit, Dir: s.dir.path, Operator: s.Operator,
			Backend: s.Backend.Kind(), Tier: s.Tier, Have: []string{}, Skip: []string{}, Started: now.UTC(),
		},
		Needs: []Capability{}, Timeline: []Event{},
	}
	for _, u := range s.units {
		s.state.Units = append(s.state.Units, &UnitState{ID: u.ID, Scenario: u.Scenario, Bound: u.Binding.String(), Findings: []Finding{}, Artifacts: []Artifact{}})
	}
	if err := s.event("", "session begins", s.dir.path); err != nil {
		return err
	}
	return s.prepare(ctx)
}

// prepare discovers the toolbox and probes what the plan needs.
func (s *session) prepare(ctx context.Context) (err error) {
	if s.Discover != nil {
		s.Show("looking through " + cmp.Or(s.Dir, "."))
		if s.state.Toolbox, err = s.Discover(ctx); err != nil {
			return err
		}
		if err := s.event("", "toolbox discovered", fmt.Sprintf("%d tools", len(s.state.Toolbox.Tools))); err != nil {
			return err
		}
	}
	needs, said, err := s.Prober.Probe(ctx, s.Plan.Needs.Items)
	if err != nil {
		return err
	}
	s.state.Needs, s.state.Header.Have, s.state.Header.Skip = needs, nonNil(said.Have), nonNil(said.Skip)
	missing := 0
	for _, n := range s.state.Needs {
		if !n.Met() {
			missing++
		}
	}
	s.state.Prepared = true
	return s.event("", "capabilities probed", fmt.Sprintf("%d needed, %d missing", len(s.state.Needs), missing))
}

// resume takes up a session where it was left.
func (s *session) resume(ctx context.Context) (err error) {
	s.dir = dir{s.Resume}
	if s.Resume == "latest" {
		if s.dir, err = latest(s.Root, s.Plan.Slug()); err != nil {
			return &UsageError{err}
		}
	}
	if s.unlock, err = s.dir.lock(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if s.state, err = readState(s.dir); err != nil {
		return &UsageError{err}
	}
	h := s.state.Header
	switch {
	case h.PlanHash != s.Plan.Hash():
		err = usage("%s is of another plan: its hash is %s, that of %s is %s: run the plan anew", s.dir.path, h.PlanHash, s.File, s.Plan.Hash())
	case h.Backend != s.Backend.Kind():
		err = usage("%s ran on backend %s, and this is %s: give --backend %s, or run the plan anew", s.dir.path, h.Backend, s.Backend.Kind(), h.Backend)
	case h.Tier != s.Tier:
		err = usage("%s is to meet tier %s, and this is %s: give --tier %s, or run the plan anew", s.dir.path, h.Tier, s.Tier, h.Tier)
	case !slices.EqualFunc(s.state.Units, s.units, func(a *UnitState, b Unit) bool { return a != nil && a.ID == b.ID }):
		err = usage("%s has scenarios of another plan: run the plan anew", s.dir.path)
	}
	if err != nil {
		return err
	}
	if err := s.dir.fill(); err != nil {
		return err
	}
	s.state.Header.Dir = s.dir.path
	if err := s.event("", "session goes on", ""); err != nil || s.state.Prepared {
		return err
	}
	return s.prepare(ctx)
}

// event notes what happens, and keeps everything that is known.
func (s *session) event(unit, what, note string) error {
	e := Event{At: s.Now().UTC(), Unit: unit, What: what, Note: note}
	s.state.Timeline = append(s.state.Timeline, e)
	fmt.Fprintln(s.Say, e)
	return s.save()
}

// String is the event as it is said.
func (e Event) String() string {
	text := e.At.Format("15:04:05") + "  "
	if e.Unit != "" {
		text += e.Unit + ": "
	}
	text += e.What
	if e.Note != "" {
		text += ": " + e.Note
	}
	return text
}

// save writes the state and the log.
func (s *session) save() error {
	return errors.Join(s.state.save(s.dir), s.writeLog())
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func usage(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }
