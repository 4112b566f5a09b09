package session

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"
	"time"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/sim/run"
)

//go:embed log.md.tmpl
var logText string

var logPage = template.Must(template.New("log").Funcs(functions).Parse(logText))

// functions are what the pages of a session use.
var functions = template.FuncMap{
	"list": listed, "or": orNone, "code": code, "cell": cell, "line": line, "utc": utc, "met": metTier, "missing": missingTiers, "tool": toolCall,
	"why": whyOf, "times": times,
}

// writeLog writes the log, from what is known now.
func (s *session) writeLog() error {
	var b bytes.Buffer
	if err := logPage.Execute(&b, s.state); err != nil {
		return fmt.Errorf("%s: %w", logFile, err)
	}
	return run.WriteFile(s.dir.join(logFile), b.Bytes())
}

// utc is a time in a page; nothing if it has not come.
func utc(t time.Time) string {
	if t.IsZero() {
		return "not yet"
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// metTier is the budget tier that was met, by what was measured.
func metTier(d *verdict.Decision) string {
	switch {
	case d == nil:
		return "not yet"
	case d.TierMet == "":
		return "none"
	}
	return string(d.TierMet)
}

// missingTiers says what the tiers that were not met lack.
func missingTiers(d *verdict.Decision) string {
	if d == nil {
		return ""
	}
	var out []string
	for _, m := range d.TierMissing {
		out = append(out, string(m.Tier)+": "+m.Why)
	}
	return cell(strings.Join(out, "; "))
}

// whyOf is what a verdict stands on, in one line.
func whyOf(d *verdict.Decision) string {
	if d == nil {
		return ""
	}
	return strings.Join(reasons(d), "; ")
}

// reasons are what a verdict stands on: the reason that decided, then caps and notes.
func reasons(d *verdict.Decision) (out []string) {
	for _, r := range d.Reasons {
		text := string(r.Rule) + ": " + r.Text
		if r.Kind == verdict.Caps {
			text = "at most " + string(r.At) + ": " + text
		}
		out = append(out, text)
	}
	return out
}

func toolCall(t interface{ Call() string }) string {
	if c := t.Call(); c != "" {
		return code(c)
	}
	return "to read"
}
