package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/sim/run"
)

// unit executes a unit, unless it is over already.
func (s *session) unit(ctx context.Context, u Unit, state *UnitState) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if state.Decision != nil {
		return s.unchanged(ctx, u, state)
	}
	e := verdict.Evidence{Name: u.ID, Backend: s.Backend.Kind(), Claims: u.Claims, Checkers: u.Checkers, Budgets: u.Budgets, Asked: s.Tier, Cycles: []verdict.Cycle{}}
	missing := s.missing(u)
	switch {
	case len(s.Only) > 0 && !slices.Contains(s.Only, u.ID) && !slices.Contains(s.Only, u.Scenario):
		e.NotRun = "it was not chosen by --scenario"
		return s.decide(u, state, e)
	case lacks(missing):
		e.Needs = missing
		return s.decide(u, state, e)
	case !u.Binding.Bound():
		e.NotRun = (&UnboundError{"it is bound to no test and no driver", u.Author}).Error()
		return s.decide(u, state, e)
	}
	subject, err := s.open(ctx, u)
	var unbound *UnboundError
	if errors.As(err, &unbound) {
		e.NotRun = unbound.Error()
		return s.decide(u, state, e)
	}
	var broken *BuildError
	if errors.As(err, &broken) {
		e.NotRun = broken.Error()
		return s.decide(u, state, e)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", u.ID, err)
	}
	defer subject.Close()
	return s.execute(ctx, u, state, subject, missing)
}

// unchanged makes sure that a unit which is over was run by what is there now: a verdict
// on a system that has changed is none.
func (s *session) unchanged(ctx context.Context, u Unit, state *UnitState) error {
	if state.Identity == "" {
		return nil // nothing ran
	}
	subject, err := s.open(ctx, u)
	now := ""
	switch {
	case err == nil:
		now = subject.Identity()
		defer subject.Close()
	case ctx.Err() != nil:
		return err
	default:
		now = err.Error()
	}
	if now != state.Identity {
		return usage("%s: its verdict is of %s, and what runs now is %s: the system, its test or the engine has changed: run the plan anew", u.ID, state.Identity, now)
	}
	return nil
}

// open makes the unit ready. What is bound to a driver runs by it, whatever the
// backend.
func (s *session) open(ctx context.Context, u Unit) (Subject, error) {
	s.Show(u.ID + ": building")
	if u.Binding.Driver != "" {
		return openDriver(s.Config, u, s.dir)
	}
	return s.Backend.Open(ctx, u, s.dir.join(artifactsDir))
}

// execute makes the unit's cycles, looks into its failures, and decides.
func (s *session) execute(ctx context.Context, u Unit, state *UnitState, subject Subject, needs []verdict.Need) error {
	name := s.dir.join(metricsDir, fileName(u.ID)+".cycles.jsonl")
	j, err := openJournal(name, u.ID, subject.Identity())
	if err != nil {
		return &UsageError{err}
	}
	defer j.Close()
	state.Identity, state.Cycles = subject.Identity(), len(j.ran)
	b := u.budget(s.Tier)
	if err := s.event(u.ID, "workload and faults start", fmt.Sprintf("%s tier: %d seeds in each of %d configurations", b.Tier, b.Seeds, len(u.Configurations))); err != nil {
		return err
	}
	if err := s.cycles(ctx, u, state, subject, j, b); err != nil {
		return fmt.Errorf("%s: %w", u.ID, err)
	}
	if err := s.event(u.ID, "stopped and collected", landings(j.ran)); err != nil {
		return err
	}
	if err := s.failures(ctx, u, state, subject, j.ran); err != nil {
		return fmt.Errorf("%s: %w", u.ID, err)
	}
	state.add(Artifact{metricsDir + "/" + fileName(u.ID) + ".cycles.jsonl", "every cycle of " + u.ID})
	return s.decide(u, state, evidence(u, kindOf(u, s.Backend), s.Tier, needs, j.ran))
}

// kindOf is where a unit runs: a driver starts what it will on this machine.
func kindOf(u Unit, b Backend) verdict.Backend {
	if u.Binding.Driver != "" {
		return verdict.Real
	}
	return b.Kind()
}

// blamed is the backend whose fault it is that a failure stayed away: if one of those
// that did was a driver's, no engine is at fault.
func (s *session) blamed(sd verdict.SessionDecision) verdict.Backend {
	for i, u := range s.units {
		d := s.state.Units[i].Decision
		if u.Binding.Driver != "" && d.Verdict == verdict.FailNondeterministic && slices.Contains(sd.StayedAway, u.Scenario) {
			return verdict.Real
		}
	}
	return s.Backend.Kind()
}

// budget is that of the highest tier that is asked for and that there is.
func (u Unit) budget(asked verdict.Tier) verdict.Budget {
	out := u.Budgets[0]
	for _, b := range u.Budgets {
		if slices.Index(verdict.Tiers, b.Tier) <= slices.Index(verdict.Tiers, asked) {
			out = b
		}
	}
	return out
}

// cycles makes those that a tier takes and that the journal does not have yet.
func (s *session) cycles(ctx context.Context, u Unit, state *UnitState, subject Subject, j *journal, b verdict.Budget) error {
	seeds := make([]uint64, b.Seeds)
	for i := range seeds {
		seeds[i] = uint64(i + 1)
	}
	total := b.Seeds * len(u.Configurations)
	for _, c := range u.Configurations {
		err := subject.Cycles(ctx, c, b, j.left(c, seeds), func(r Ran) error {
			if err := j.add(r); err != nil {
				return err
			}
			state.Cycles = len(j.ran)
			if r.Failure != nil {
				if err := s.note(u, state, j.ran); err != nil {
					return err
				}
			}
			s.Show(fmt.Sprintf("%s: %s: cycle %d of %d", u.ID, c, len(j.ran), total))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// note makes a finding of each kind of failure that is new, and writes it down at once.
// Of one that is known it notes how often it was seen.
func (s *session) note(u Unit, state *UnitState, ran []Ran) error {
	for _, f := range buckets(ran) {
		i := slices.IndexFunc(state.Findings, func(g Finding) bool { return g.Failure.Signature == f.Failure.Signature })
		if i < 0 {
			f.ID, f.Claims, f.Falsifies, f.Hypotheses = "F"+strconv.Itoa(s.findings()+1), nonNil(u.ClaimIDs), u.Falsifies, nonNil(u.Hypotheses)
			f.Unit = u.ID
			state.Findings = append(state.Findings, f)
			if err := s.found(f); err != nil {
				return err
			}
			continue
		}
		g := &state.Findings[i]
		if g.Seen == f.Seen || g.Explained != nil {
			continue
		}
		g.Seen, g.Failure, g.Axes.Verdict = f.Seen, f.Failure, f.Axes.Verdict
		if err := g.write(s.dir); err != nil {
			return err
		}
	}
	return nil
}

// failures looks into each finding, and writes it down again with what it found.
func (s *session) failures(ctx context.Context, u Unit, state *UnitState, subject Subject, ran []Ran) error {
	if err := s.note(u, state, ran); err != nil {
		return err
	}
	for i := range state.Findings {
		g := &state.Findings[i]
		if g.Explained != nil {
			continue
		}
		e, err := s.explain(ctx, *g, subject)
		if err != nil {
			return err
		}
		g.explain(u, e)
		state.add(e.Artifacts...)
		if err := errors.Join(g.write(s.dir), s.event(u.ID, "finding "+g.ID+" explained", fmt.Sprintf("%s, %s; %s", g.Axes.Class, g.Axes.Reduction, g.Replay()))); err != nil {
			return err
		}
	}
	return nil
}

// explain looks into a failure, unless another scenario failed by the same run: then it
// is the same failure.
func (s *session) explain(ctx context.Context, f Finding, subject Subject) (Explanation, error) {
	for _, u := range s.state.Units {
		for _, g := range u.Findings {
			if g.Explained != nil && u.Identity == subject.Identity() && g.Failure.Signature == f.Failure.Signature && reflect.DeepEqual(g.Failure.Request, f.Failure.Request) {
				e := *g.Explained
				e.Note = "the same run as that of " + g.ID + ", which was looked into"
				return e, nil
			}
		}
	}
	return subject.Explain(ctx, f.Failure)
}

// found writes down a finding that is new.
func (s *session) found(f Finding) error {
	return errors.Join(f.write(s.dir), s.event(f.Unit, "finding "+f.ID, f.Title))
}

func (s *session) findings() (n int) {
	for _, u := range s.state.Units {
		n += len(u.Findings)
	}
	return n
}

// buckets are the failures of cycles by signature, in the order of their first ones.
func buckets(ran []Ran) (out []Finding) {
	for _, r := range ran {
		if r.Failure == nil {
			continue
		}
		i := slices.IndexFunc(out, func(f Finding) bool { return f.Failure.Signature == r.Failure.Signature })
		if i < 0 {
			out = append(out, Finding{Title: r.Failure.Oracle + ": " + firstLine(r.Failure.Message), Seen: 1, Failure: *r.Failure, Axes: verdict.Axes{Verdict: failed(*r.Failure)}})
			continue
		}
		out[i].Seen++
		if r.Failure.CameBack && !out[i].Failure.CameBack {
			out[i].Failure, out[i].Axes.Verdict = *r.Failure, verdict.FailReproducible
		}
	}
	return out
}

func failed(f Failure) verdict.Verdict {
	if f.CameBack {
		return verdict.FailReproducible
	}
	return verdict.FailNondeterministic
}

// explain takes over what is known now.
func (f *Finding) explain(u Unit, e Explanation) {
	f.Explained = &e
	f.Axes.Class, f.Axes.Reduction = e.Class, e.Reduction
	f.Axes.Placing = verdict.Suggest(verdict.Symptom{Oracle: f.Failure.Oracle, Claims: u.Claims, Faults: e.Faults, Recovery: f.Failure.Recovery})
}

// missing are the needs of a unit that the machine does not fill.
func (s *session) missing(u Unit) (out []verdict.Need) {
	for _, c := range s.state.Needs {
		used := len(c.Need.UsedBy) == 0 || slices.Contains(c.Need.UsedBy, u.Scenario) || slices.Contains(c.Need.UsedBy, u.ID)
		if used && !c.Met() {
			out = append(out, verdict.Need{Name: c.Need.Item, Found: fmt.Sprintf("%s: %s", c.Status, c.Found.Reason), Substitute: c.Substitute})
		}
	}
	return out
}

// lacks reports whether one of the needs has no substitute.
func lacks(needs []verdict.Need) bool {
	return slices.ContainsFunc(needs, func(n verdict.Need) bool { return n.Substitute == "" })
}

// decide gives the unit its verdict, and keeps what it stands on.
func (s *session) decide(u Unit, state *UnitState, e verdict.Evidence) error {
	text, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	name := metricsDir + "/" + fileName(u.ID) + ".evidence.json"
	if err := run.WriteFile(s.dir.join(name), append(text, '\n')); err != nil {
		return err
	}
	state.add(Artifact{name, "what the verdict of " + u.ID + " stands on"})
	state.count(e)
	d := verdict.Decide(e)
	if err := s.event(u.ID, "audits recorded", fmt.Sprintf("%d items are open", len(d.Open()))); err != nil {
		return err
	}
	state.Decision = &d
	note := ""
	if len(d.Reasons) > 0 {
		note = d.Reasons[0].Text
	}
	return s.event(u.ID, d.Title(), note)
}

// add notes artifacts that are not known yet.
func (u *UnitState) add(list ...Artifact) {
	for _, a := range list {
		if !slices.Contains(u.Artifacts, a) {
			u.Artifacts = append(u.Artifacts, a)
		}
	}
}

// landings says in a few words how many faults landed.
func landings(ran []Ran) string {
	n, landed := 0, 0
	for _, r := range ran {
		for _, f := range r.Cycle.Faults {
			n++
			if f.Landed() {
				landed++
			}
		}
	}
	return fmt.Sprintf("%d cycles; %d of %d faults landed", len(ran), landed, n)
}

// end combines arms, gives the session its verdict, and writes the reports.
func (s *session) end() error {
	st := s.state
	st.Scenarios = nil
	for _, sc := range s.Plan.Scenarios {
		var arms []verdict.Decision
		for _, u := range st.Units {
			if u.Scenario == sc.ID {
				arms = append(arms, *u.Decision)
			}
		}
		d := arms[0]
		if len(sc.Arms) > 0 {
			d = verdict.Combine(sc.ID, arms)
		}
		st.Scenarios = append(st.Scenarios, d)
	}
	sd := verdict.Session(st.Scenarios)
	exit := verdict.ExitStatus(sd, s.blamed(sd))
	st.Session, st.Exit, st.Header.Ended = &sd, &exit, s.Now().UTC()
	if err := s.event("", "session ends", exit.Text); err != nil {
		return err
	}
	return s.report()
}
