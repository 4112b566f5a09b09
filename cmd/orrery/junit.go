package main

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

// junitFile is a report as JUnit's XML, of which there is no standard: these are the
// elements that GitHub's actions, GitLab and Jenkins read.
type junitFile struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

// junitSuite is a scenario.
type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr,omitempty"` // seconds
	Cases    []junitCase `xml:"testcase"`
}

// junitCase is a kind of failure or, if there is none, what passed.
type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`   // no verdict
	Skipped *junitOutcome `xml:"skipped"` // known
	Output  string        `xml:"system-out,omitempty"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// suite is the report's.
func (r *report) suite() junitSuite {
	s := junitSuite{Name: r.scenario.Binary.Package + "." + r.scenario.Name}
	if r.summary.Wall > 0 {
		s.Time = fmt.Sprintf("%.3f", r.summary.Wall.Seconds())
	}
	for _, f := range r.failures {
		s.add(junitCase{Name: f.Signature}, r.failureOutcome(f))
	}
	for _, t := range r.summary.Findings {
		if !t.Seen && t.Fails() {
			s.add(junitCase{Name: t.Signature}, r.findingOutcome(t))
		}
	}
	for _, why := range r.noVerdict() {
		s.add(junitCase{Name: "verdict"}, outcomeOf{kind: "error", junitOutcome: junitOutcome{Message: why, Type: "no verdict"}})
	}
	if len(s.Cases) == 0 {
		seeds := counted(int(r.summary.Seeds), "seed", "seeds")
		s.add(junitCase{Name: "seeds " + r.settings.Seeds, Output: seeds + ", " + span(virtualTime(r.summary)) + " of virtual time"}, outcomeOf{})
	}
	return s
}

// outcomeOf is what came of a case, and which element says so; without one it
// passed.
type outcomeOf struct {
	kind string
	junitOutcome
}

func (r *report) failureOutcome(f failure) outcomeOf {
	v := f.First.Output.Violation
	var text strings.Builder
	f.print(&text)
	out := outcomeOf{"failure", junitOutcome{v.Message, v.Oracle, text.String()}}
	if f.Known != nil {
		out.kind, out.Message = "skipped", f.Known.String()
	}
	return out
}

// findingOutcome is of a finding that only its reproducer shows.
func (r *report) findingOutcome(t run.Tracked) outcomeOf {
	kind := "failure"
	if r.summary.IsKnown(t.Signature) {
		kind = "skipped"
	}
	return outcomeOf{kind, junitOutcome{t.Message, t.Reproducer.Expect.Oracle, fmt.Sprintf("%s: the reproducer in %s fails\n", t.State, t.File())}}
}

// noVerdict says what of a sweep is neither a pass nor a violation.
func (r *report) noVerdict() (out []string) {
	for _, it := range r.summary.Troubles {
		out = append(out, fmt.Sprintf("seed %d: %s: %s", it.Seed, it.Output.Verdict, it.Output.Reason))
	}
	if r.summary.Interrupted {
		out = append(out, "interrupted after "+counted(int(r.summary.Seeds), "seed", "seeds"))
	}
	return append(out, whyNoVerdict(r.summary)...)
}

func (s *junitSuite) add(c junitCase, o outcomeOf) {
	c.Class = s.Name
	s.Tests++
	switch o.kind {
	case "failure":
		c.Failure = &o.junitOutcome
		s.Failures++
	case "error":
		c.Error = &o.junitOutcome
		s.Errors++
	case "skipped":
		c.Skipped = &o.junitOutcome
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func writeJUnit(name string, suites []junitSuite) error {
	file := junitFile{Name: "orrery", Suites: suites}
	for _, s := range suites {
		file.Tests += s.Tests
		file.Failures += s.Failures
		file.Errors += s.Errors
		file.Skipped += s.Skipped
	}
	text, err := xml.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	return run.WriteFile(name, append([]byte(xml.Header), append(text, '\n')...))
}
