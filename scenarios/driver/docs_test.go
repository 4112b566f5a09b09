package driver

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/oracle"
)

// The documentation's blocks are what they say: two files that are read, and commands
// that run at the repository's top.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/drivers.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for i, part := range strings.Split(string(text), "\n```") {
		if i%2 == 0 {
			continue
		}
		lang, body, _ := strings.Cut(part, "\n")
		body += "\n"
		seen[lang]++
		switch {
		case lang == "sh":
			c := exec.Command("sh", "-eu", "-c", body)
			c.Dir = "../.."
			if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "20 ") || !strings.Contains(string(out), "1 ") {
				t.Errorf("%s: %v\n%s", body, err, out)
			}
		case strings.Contains(body, `"landed"`):
			if list, err := ReadLandings(strings.NewReader(body)); err != nil || len(list) != strings.Count(body, "\n") {
				t.Errorf("%s: %v", body, err)
			}
		default:
			h, err := oracle.ReadJSONL(strings.NewReader(body))
			if err != nil {
				t.Errorf("%s: %v", body, err)
				continue
			}
			if v := oracle.Linearizable(h, oracle.Register()).Check(); v.Verdict != oracle.OK {
				t.Errorf("%s: %s %s", body, v.Verdict, v.Message)
			}
		}
	}
	if seen["sh"] != 1 || seen["jsonl"] != 2 {
		t.Errorf("the page has the blocks %v, want one of sh and two of jsonl", seen)
	}
}
