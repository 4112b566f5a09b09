package run

import (
	"bytes"
	"context"
	"os/exec"
	"slices"
	"strings"
)

// ScenarioNames returns the names of the tests in packages that look like
// scenarios, by their sources: nothing is built. No pattern is the package in the
// current folder.
func ScenarioNames(ctx context.Context, patterns []string) ([]string, error) {
	const format = `{{.Dir}}{{range .GoFiles}}{{"\t"}}{{.}}{{end}}{{range .TestGoFiles}}{{"\t"}}{{.}}{{end}}{{range .XTestGoFiles}}{{"\t"}}{{.}}{{end}}`
	c := exec.CommandContext(ctx, "go", append([]string{"list", "-tags", tagsAlways, "-f", format}, patterns...)...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	text, err := c.Output()
	if err != nil {
		return nil, commandError("go list", err, stderr.String())
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		tests, err := testsOf(fields[0], fields[1:])
		if err != nil {
			return nil, err
		}
		out = append(out, tests...)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
