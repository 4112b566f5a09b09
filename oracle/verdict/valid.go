package verdict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// Read reads what was written as JSON, and validates it: [Evidence], [Decision],
// [SessionDecision] or [Axes]. Fields that there are not, and text that follows, are errors.
func Read[T interface{ Validate() error }](data []byte) (T, error) {
	var out T
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&out); err != nil {
		return out, fmt.Errorf("verdict: reading %T: %w", out, err)
	}
	end := dec.InputOffset()
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return out, fmt.Errorf("verdict: reading %T: found more text after byte %d, want one object", out, end)
	}
	return out, out.Validate()
}

// problems collects what is wrong, each with its place.
type problems []error

func (p *problems) add(place, format string, args ...any) {
	*p = append(*p, fmt.Errorf("verdict: %s: %s", place, fmt.Sprintf(format, args...)))
}

// word wants one of the words; of those, "" only if it is listed.
func word[T ~string](p *problems, place string, got T, want ...T) {
	if !slices.Contains(want, got) {
		p.add(place, "found %q, want one of %q", got, want)
	}
}

// least wants a number to be no less than another.
func least[T ~int | ~int64](p *problems, place string, got, want T) {
	if got < want {
		p.add(place, "found %v, want %v at least", got, want)
	}
}

func told(p *problems, place, text string) {
	if text == "" {
		p.add(place, "is empty: say it")
	}
}

// Validate says all that is malformed in the evidence: words that are none, counts that
// cannot be, a plan's part that is empty. [Decide] takes malformed evidence for none.
func (e Evidence) Validate() error {
	var p problems
	told(&p, "name", e.Name)
	word(&p, "backend", e.Backend, Backends...)
	word(&p, "asked", e.Asked, append([]Tier{""}, Tiers...)...)
	for i, c := range e.Claims {
		word(&p, fmt.Sprintf("claims[%d]", i), c, Categories...)
	}
	if len(e.Claims) == 0 {
		p.add("claims", "there is none: name what the scenario could falsify")
	}
	for i, name := range e.Checkers {
		told(&p, fmt.Sprintf("checkers[%d]", i), name)
	}
	e.validateBudgets(&p)
	for i, x := range e.Exempt {
		place := fmt.Sprintf("exempt[%d]", i)
		word(&p, place+".item", x.Item, ItemSingleSurface, ItemPositiveControls, ItemAggregate)
		told(&p, place+".reason", x.Reason)
	}
	for i, n := range e.Needs {
		told(&p, fmt.Sprintf("needs[%d].name", i), n.Name)
	}
	if e.NotRun != "" && len(e.Cycles) > 0 {
		p.add("not_run", "found %q beside %s: it ran or it did not", e.NotRun, counted(len(e.Cycles), "cycle"))
	}
	word(&p, "baseline.state", e.Baseline.State, BaselineUntold, BaselineUnused, BaselineFair, BaselineUnfair)
	word(&p, "grouping.scope", e.Grouping.Scope, ScopeUntold, PerGroup, Aggregate)
	least(&p, "grouping.groups", e.Grouping.Groups, 0)
	for i, s := range e.Statistics {
		least(&p, fmt.Sprintf("statistics[%d].repetitions", i), s.Repetitions, 0)
	}
	for i, c := range e.Cycles {
		c.validate(&p, fmt.Sprintf("cycles[%d]", i))
	}
	return errors.Join(p...)
}

func (e Evidence) validateBudgets(p *problems) {
	for i, b := range e.Budgets {
		place := fmt.Sprintf("budgets[%d]", i)
		word(p, place+".tier", b.Tier, Tiers...)
		if wrong := e.wrong(b); wrong != "" {
			p.add(place, "%s", wrong)
		}
		if slices.ContainsFunc(e.Budgets[:i], func(o Budget) bool { return o.Tier == b.Tier }) {
			p.add(place, "a second budget of %s: want one", b.Tier)
		}
	}
}

func (c Cycle) validate(p *problems, place string) {
	word(p, place+".tier", c.Tier, Tiers...)
	least(p, place+".duration", c.Duration, 0)
	c.Load.validate(p, place+".load")
	for i, w := range c.Windows {
		at := fmt.Sprintf("%s.windows[%d]", place, i)
		w.Span.validate(p, at)
		least(p, at+".calls", min(w.Invoked, w.Waiting, w.OK, w.Failed, w.Unknown), 0)
	}
	for i, o := range c.Oracles {
		o.validate(p, fmt.Sprintf("%s.oracles[%d]", place, i))
	}
	for i, f := range c.Faults {
		f.validate(p, fmt.Sprintf("%s.faults[%d]", place, i))
	}
	for i, a := range c.Anomalies {
		at := fmt.Sprintf("%s.anomalies[%d]", place, i)
		told(p, at+".oracle", a.Oracle)
		least(p, at+".came_back", a.CameBack, 0)
		least(p, at+".tried", a.Tried, a.CameBack)
	}
	least(p, place+".errors", min(c.Errors.Swallowed, c.Errors.Unexplained), 0)
	least(p, place+".controls", min(c.Controls.Positive, c.Controls.Negative), 0)
	word(p, place+".timing", c.Timing, TimingUntold, TimingNone, TimingTrue, TimingNodes)
	word(p, place+".recovery.state", c.Recovery.State, NotMeasured, Nominal, Degraded)
	if !(c.Recovery.Before >= 0 && c.Recovery.After >= 0) { // also of what is no number
		p.add(place+".recovery", "found rates %v and %v, want none below 0", c.Recovery.Before, c.Recovery.After)
	}
	word(p, place+".retries", c.Retries, RetriesUntold, RetriesNone, RetriesRecorded, RetriesHidden)
	word(p, place+".timestamps", c.Timestamps, TimestampsUntold, TimestampsVirtual, TimestampsMonotonic, TimestampsWall)
}

func (s Span) validate(p *problems, place string) {
	least(p, place+".start", s.Start, 0)
	least(p, place+".length", s.Length, 0)
}

func (o OracleRun) validate(p *problems, place string) {
	told(p, place+".name", o.Name)
	word(p, place+".sees", o.Sees, SeesUntold, SeesHistory, SeesSeries, SeesFinal, SeesLogs, SeesHealth, SeesErrors)
	word(p, place+".verdict", o.Verdict, "", outcome.OK, outcome.Violation, outcome.Unknown, outcome.Vacuous)
	least(p, place+".saw", o.Saw, 0)
	least(p, place+".calls", o.Calls, o.Saw)
}

func (f Fault) validate(p *problems, place string) {
	told(p, place+".text", f.Text)
	told(p, place+".kind", f.Kind)
	word(p, place+".origin", f.Origin, Named, Drawn)
	Span{f.At, f.Length}.validate(p, place)
	word(p, place+".sides", f.Sides, NoSides, BothSides, OneSide)
	word(p, place+".landing", f.Landing, "", Proven, Ambiguous, NotProven)
	if f.Landing == Proven && !f.Landed() {
		p.add(place, "found a landing that is proven, want evidence at the injector or the victim")
	}
}
