package session

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"text/template"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/sim/run"
)

// Finding is a failure as it is handed on. Its page has every field, also those that
// are empty, from the moment it is seen.
type Finding struct {
	ID         string       `json:"id"` // "F1"
	Unit       string       `json:"unit"`
	Title      string       `json:"title"` // the oracle and its message
	Seen       int          `json:"seen"`  // cycles that failed like this
	Claims     []string     `json:"claims"`
	Falsifies  string       `json:"falsifies"`
	Hypotheses []string     `json:"hypotheses"`
	Axes       verdict.Axes `json:"axes"`
	Failure    Failure      `json:"failure"`
	// Explained is what is known once the failure was made small; nil until then.
	Explained *Explanation `json:"explained,omitempty"`
}

// Page is where the finding's page is, seen from the session's folder.
func (f Finding) Page() string { return findingsDir + "/" + f.ID + "-" + fileName(f.Unit) + ".md" }

// Replay is the command that shows the failure again, in its smallest run if there is
// one.
func (f Finding) Replay() string {
	if f.Explained != nil && f.Explained.Replay != "" {
		return f.Explained.Replay
	}
	return f.Failure.Replay
}

// Cause is what is known of the root cause: what the smallest run cannot do without.
func (f Finding) Cause() string {
	switch {
	case f.Explained == nil:
		return ""
	case f.Explained.Class != verdict.ClassSUT:
		return fmt.Sprintf("at fault: %s: %s", f.Explained.Class, f.Explained.Reduction.Why)
	case len(f.Explained.Needs) == 0:
		return "no fault is needed: the order of events alone does it"
	}
	return "it takes " + strings.Join(f.Explained.Needs, ", then ")
}

// Next is what somebody has to do about it.
func (f Finding) Next() string {
	switch {
	case f.Explained == nil:
		return ""
	case f.Axes.Verdict == verdict.FailNondeterministic:
		return "find what two runs of this seed differ in: " + f.Failure.Replay + " --verify"
	case f.Explained.Class == verdict.ClassHarness, f.Explained.Class == verdict.ClassChecker:
		return "mend the " + string(f.Explained.Class) + ", then run the plan again: no claim is falsified by this"
	case f.Explained.Class == verdict.ClassEnvironment:
		return "decide whether the system has to bear it: if so, say that in the scenario by Withstands"
	}
	return "read the story, mend the system, and confirm it: orrery compare --base REF --fix REF"
}

var findingPage = template.Must(template.New("finding").Funcs(template.FuncMap{"list": listed, "or": orNone, "code": code, "fence": fence, "line": line, "cell": cell, "times": times}).Parse(
	`# {{.ID}}: {{line .Title}}

| field | value |
|---|---|
| scenario | {{.Unit}} |
| claims | {{list .Claims}} |
| falsifies | {{or .Falsifies}} |
| hypotheses | {{list .Hypotheses}} |
| verdict | {{or .Axes.Verdict}} |
| seen | {{times .Seen}}; first in configuration {{cell .Failure.Config}}, seed {{.Failure.Request.Seed}} |
| reproducer | {{code .Replay}} |
| whole run | {{code .Failure.Replay}} |
| came back | {{if .Failure.CameBack}}yes, in a fresh process{{else}}no{{end}} |
| reduction class | {{with .Explained}}{{.Class}}: {{or .Reduction.Why}}{{else}}none yet{{end}} |
| reduction | {{with .Explained}}{{.Reduction}}{{else}}none yet{{end}} |
| taxonomy | {{or .Axes.Placing.Taxonomy}} |
| tags | {{range .Axes.Placing.Tags}}{{.}} {{else}}none{{end}} |
| severity | {{or .Axes.Placing.Severity}} |
| placed so because | {{list .Axes.Placing.Why}} |
| overruled | {{or .Axes.Overruled}} |
| root-cause hypothesis | {{or .Cause}} |
| next action | {{or .Next}} |

## Evidence
{{with .Failure.Detail}}
{{fence .}}
{{else}}
none beside the message
{{end}}

## Faults that it needs
{{with .Explained}}{{range .Needs}}
- {{line .}}{{else}}
none
{{end}}{{else}}
not known yet
{{end}}

## Experiments
{{with .Explained}}{{range .Evidence}}
- {{line .}}{{else}}
none
{{end}}{{else}}
none yet
{{end}}

## Artifacts
{{with .Explained}}{{range .Artifacts}}
- [{{.Path}}](../{{.Path}}): {{.What}}{{else}}
none
{{end}}{{with .Note}}
{{.}}
{{end}}{{else}}
none yet
{{end}}`))

// page is the finding's page in Markdown.
func (f Finding) page() ([]byte, error) {
	var b bytes.Buffer
	if err := findingPage.Execute(&b, f); err != nil {
		return nil, fmt.Errorf("finding %s: %w", f.ID, err)
	}
	return b.Bytes(), nil
}

// write puts the finding's page in its place.
func (f Finding) write(d dir) error {
	text, err := f.page()
	if err != nil {
		return err
	}
	return run.WriteFile(d.join(f.Page()), text)
}

// times says how often something was seen.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

// listed is a list as one cell of a table.
func listed(items []string) string {
	if len(items) == 0 {
		return "none"
	}
	return cell(strings.Join(items, "; "))
}

// orNone is a text as a cell, or a word that says that there is none.
func orNone(v any) string {
	text := strings.TrimSpace(fmt.Sprint(v))
	if text == "" {
		return "none"
	}
	return cell(text)
}

// code is a command as a cell.
func code(text string) string {
	if text == "" {
		return "none"
	}
	return "`" + strings.ReplaceAll(piped(strings.Join(strings.Fields(text), " ")), "`", "'") + "`"
}

// line is a text of the system's or the plan's as one line, in which nothing is taken
// for HTML.
func line(text any) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(fmt.Sprint(text)), " "), "<", "&lt;")
}

// cell is a line that does not end its cell of a table.
func cell(text string) string { return piped(line(text)) }

// piped marks what would end a cell; what is marked already is not unmarked by it.
func piped(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, `\|`, `\\|`), "|", `\|`)
}

// fence is a text of several lines as it is, whatever fences it has itself.
func fence(text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + "\n" + strings.TrimRight(text, "\n") + "\n" + mark
}

// firstLine is what a text begins with.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
