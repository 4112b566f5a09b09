package session

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"slices"
	"strings"
	"text/template"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/sim/run"
)

// reportSchema names the form of a report in JSON. It changes with the form.
const reportSchema = "orrery.report/1"

// Report is what a session came to, for whoever decides on a release.
type Report struct {
	Schema     string                  `json:"schema"`
	Header     Header                  `json:"header"`
	Session    verdict.SessionDecision `json:"session"`
	Exit       verdict.Exit            `json:"exit"`
	Summary    string                  `json:"summary"` // one line
	Results    []Result                `json:"results"` // of scenarios, each followed by its arms
	Findings   []Finding               `json:"findings"`
	Hypotheses []HypothesisRow         `json:"hypotheses"`
	Surfaces   []SurfaceRow            `json:"surfaces"`
	Releases   []ReleaseRow            `json:"releases"`
	Adequacy   []AdequacyRow           `json:"adequacy"`
	Confidence Confidence              `json:"confidence"`
}

// Result is what a scenario or an arm came to, and its audits.
type Result struct {
	ID       string           `json:"id"`
	Name     string           `json:"name"`
	Arm      bool             `json:"arm,omitempty"`
	Decision verdict.Decision `json:"decision"`
	Oracles  []OracleCount    `json:"oracles"`
	Landings []LandingCount   `json:"landings"`
	Artifact string           `json:"artifact"` // what the verdict stands on
}

// Kind is how the verdict is shown: pass, fail or neither.
func (r Result) Kind() string { return kindOfVerdict(r.Decision.Verdict) }

func kindOfVerdict(v verdict.Verdict) string {
	switch {
	case v.Fail():
		return "fail"
	case v.Pass():
		return "pass"
	}
	return "open"
}

// HypothesisRow says what became of a hypothesis.
type HypothesisRow struct {
	ID        string   `json:"id"`
	Claim     string   `json:"claim"`
	Why       string   `json:"why"`
	Scenarios []string `json:"scenarios"` // with their verdicts
	State     string   `json:"state"`     // not ruled out, not seen, open
}

// SurfaceRow is a scenario or an arm as it was planned and as it was executed.
type SurfaceRow struct {
	ID       string   `json:"id"`
	Planned  string   `json:"planned"`
	Executed string   `json:"executed"`
	Verdict  string   `json:"verdict"`
	Reasons  []string `json:"reasons"` // for a downgrade
}

// ReleaseRow says why a scenario's release tier was not met.
type ReleaseRow struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// AdequacyRow is the plan's argument for a claim, and what is left of it now.
type AdequacyRow struct {
	Claim   string `json:"claim"`
	Planned string `json:"planned"`
	Now     string `json:"now"`
}

// Confidence says whether there is more of it than before the session.
type Confidence struct {
	Stated string `json:"stated"` // by the plan
	Change string `json:"change"` // more, less, unchanged
	Why    string `json:"why"`
}

// report writes the session's report in its three forms.
func (s *session) report() error {
	r := s.makeReport()
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	var md, html bytes.Buffer
	if err := errors.Join(reportMarkdown.Execute(&md, r), reportHTML.Execute(&html, r)); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return errors.Join(
		run.WriteFile(s.dir.join(reportName+".json"), append(text, '\n')),
		run.WriteFile(s.dir.join(reportName+".md"), md.Bytes()),
		run.WriteFile(s.dir.join(reportName+".html"), html.Bytes()),
	)
}

//go:embed report.md.tmpl
var markdownText string

//go:embed report.html.tmpl
var htmlText string

var (
	reportMarkdown = template.Must(template.New("report").Funcs(functions).Parse(markdownText))
	reportHTML     = htmltemplate.Must(htmltemplate.New("report").Funcs(htmltemplate.FuncMap(map[string]any{
		"utc": utc, "why": whyOf, "join": func(list []string) string { return strings.Join(list, ", ") }, "kind": kindOfVerdict, "lines": paragraphs, "times": times,
	})).Parse(htmlText))
)

func paragraphs(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
}

// makeReport sums up the session.
func (s *session) makeReport() Report {
	st := s.state
	r := Report{Schema: reportSchema, Header: st.Header, Session: *st.Session, Exit: *st.Exit, Findings: []Finding{}}
	for i, sc := range s.Plan.Scenarios {
		d := st.Scenarios[i]
		whole := Result{ID: sc.ID, Name: sc.Name, Decision: d, Oracles: []OracleCount{}, Landings: []LandingCount{}}
		var arms []Result
		for _, u := range st.Units {
			if u.Scenario != sc.ID {
				continue
			}
			r.Findings = append(r.Findings, u.Findings...)
			one := Result{u.ID, sc.Name, true, *u.Decision, u.Oracles, u.Landings, metricsDir + "/" + fileName(u.ID) + ".evidence.json"}
			if u.ID == sc.ID {
				one.Arm = false
				whole = one
				continue
			}
			arms = append(arms, one)
		}
		r.Results = append(append(r.Results, whole), arms...)
	}
	r.Summary = summary(r)
	r.Hypotheses, r.Surfaces, r.Releases, r.Adequacy = s.hypotheses(), s.surfaces(r.Results), s.releases(), s.adequacy()
	r.Confidence = s.confidence()
	return r
}

// summary is the session in a line.
func summary(r Report) string {
	var parts []string
	for _, c := range r.Session.Counts {
		parts = append(parts, fmt.Sprintf("%d %s", c.Count, c.Verdict))
	}
	return fmt.Sprintf("%s: %s; %d findings", r.Session.Verdict, strings.Join(parts, ", "), len(r.Findings))
}

// verdictOf is what a scenario came to.
func (s *session) verdictOf(id string) verdict.Verdict {
	for _, d := range s.state.Scenarios {
		if d.Name == id {
			return d.Verdict
		}
	}
	return verdict.NotRun
}

// standing says what the verdicts of scenarios say together: whether one failed, and
// whether all passed.
func (s *session) standing(ids []string) (texts []string, fails, passes bool) {
	passes = len(ids) > 0
	for _, id := range ids {
		v := s.verdictOf(id)
		texts = append(texts, fmt.Sprintf("%s %s", id, v))
		fails = fails || v.Fail()
		passes = passes && v.Pass()
	}
	return texts, fails, passes
}

func (s *session) hypotheses() (out []HypothesisRow) {
	for _, h := range s.Plan.Hypotheses {
		var ids []string
		for _, sc := range s.Plan.Scenarios {
			if slices.Contains(sc.Hypotheses.Items, h.ID) {
				ids = append(ids, sc.ID)
			}
		}
		row := HypothesisRow{ID: h.ID, Claim: h.Claim, Why: h.Why, State: "open: no scenario that closes it has passed"}
		texts, fails, passes := s.standing(ids)
		row.Scenarios = nonNil(texts)
		switch {
		case fails:
			row.State = "not ruled out: a scenario that closes it failed"
		case passes:
			row.State = "not seen: every scenario that closes it passed"
		}
		out = append(out, row)
	}
	return out
}

func (s *session) surfaces(results []Result) (out []SurfaceRow) {
	for i, u := range s.units {
		st := s.state.Units[i]
		row := SurfaceRow{
			ID: u.ID, Planned: fmt.Sprintf("%s; faults %s; oracle %s", firstOf(strings.Join(u.Surfaces, ", "), u.Name), listed(u.Faults), listed(u.Checkers)),
			Executed: fmt.Sprintf("%d cycles", st.Cycles), Verdict: st.Decision.Title(), Reasons: []string{},
		}
		for _, l := range st.Landings {
			row.Executed += fmt.Sprintf(", %s %d of %d", l.Kind, l.Landed, l.Scheduled)
		}
		for _, o := range st.Oracles {
			row.Executed += fmt.Sprintf(", %s ran %d times", o.Name, o.Ran)
		}
		if st.Decision.Verdict != verdict.PassHardening {
			row.Reasons = reasons(st.Decision)
		}
		out = append(out, row)
	}
	return out
}

// releases discloses every scenario whose release tier was not met.
func (s *session) releases() []ReleaseRow {
	out := []ReleaseRow{}
	for i, sc := range s.Plan.Scenarios {
		d := s.state.Scenarios[i]
		if d.TierMet == verdict.Release {
			continue
		}
		text := "the release tier was not met"
		if sc.Budget.Release.Seeds == 0 {
			text = "there is no release tier: " + sc.Budget.NoRelease.Because + "; revisit when " + sc.Budget.NoRelease.Revisit
		}
		for _, m := range d.TierMissing {
			if m.Tier == verdict.Release {
				text += ": " + m.Why
			}
		}
		if s.Tier != verdict.Release && sc.Budget.Release.Seeds > 0 {
			text += ": this session was to meet " + string(s.Tier)
		}
		out = append(out, ReleaseRow{sc.ID, text})
	}
	return out
}

func (s *session) adequacy() []AdequacyRow {
	out := []AdequacyRow{}
	for _, a := range s.Plan.Adequacy {
		texts, fails, passes := s.standing(a.Scenarios)
		row := AdequacyRow{Claim: a.Claim, Planned: a.Why, Now: "weaker than planned: " + strings.Join(texts, ", ")}
		switch {
		case fails:
			row.Now = "the claim is falsified: " + strings.Join(texts, ", ")
		case passes:
			row.Now = "it stands: " + strings.Join(texts, ", ")
		}
		out = append(out, row)
	}
	return out
}

// confidence is less after a failure, more if everything passed as it was asked for, and
// else what it was.
func (s *session) confidence() Confidence {
	c := Confidence{Stated: s.Plan.Confidence, Change: "unchanged", Why: "not everything came to a verdict that was wanted"}
	switch s.state.Session.Verdict {
	case verdict.SessionFail:
		c.Change, c.Why = "less", "a failure comes back"
	case verdict.SessionDone:
		c.Change, c.Why = "more", "every scenario passed, and no audit item is open"
	case verdict.SessionBlocked:
		c.Why = "nothing ran"
	}
	return c
}
