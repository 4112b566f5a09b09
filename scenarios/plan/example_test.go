package plan

import (
	"os"
	"testing"
)

const example = "../../docs/examples/raftkv.plan.md"

func loadExample(t testing.TB) *Plan {
	t.Helper()
	data, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := Load(example, data)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return p
}

// The published example is a plan without a problem, not even a warning.
func TestExample(t *testing.T) {
	p := loadExample(t)
	if len(p.Scenarios) != 3 || p.Slug() != "raftkv" || len(p.Hash()) != 64 {
		t.Errorf("%d scenarios, slug %q, hash %q", len(p.Scenarios), p.Slug(), p.Hash())
	}
	for _, write := range []func() ([]byte, error){p.Markdown, p.YAML} {
		if text, err := write(); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
}
