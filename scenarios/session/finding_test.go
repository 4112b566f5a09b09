package session

import (
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/oracle/verdict"
)

// What a system says does not break the page that it is told on: neither its table, nor
// its fence, nor by being taken for HTML.
func TestHostileText(t *testing.T) {
	f := Finding{ID: "F1", Unit: "S1", Title: "lin: got <img src=x onerror=alert(1)>", Falsifies: `a|b \| c`, Explained: &Explanation{Evidence: []string{"<b>one\ntwo"}},
		Failure: Failure{Config: "x|y", Replay: "run `it` | less", Detail: "```\n# no heading\n````"}, Axes: verdict.Axes{}}
	text, err := f.page()
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, want := range []string{
		"# F1: lin: got &lt;img", `| falsifies | a\|b \\\| c |`, `configuration x\|y, seed`, "| whole run | `run 'it' \\| less` |", "- &lt;b>one two", "\n`````\n```\n# no heading\n````\n`````\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("want %q in\n%s", want, page)
		}
	}
}
