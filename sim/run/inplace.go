package run

import (
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
)

// InPlace returns a command that makes one run in its own process, without a
// worker and its copies, and shows what nodes write as they do. It ends as the
// test does: with status 1 if it does not pass.
func InPlace(ctx context.Context, s Scenario, req Request) (*exec.Cmd, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, s.Binary.File, s.testFlags()...)
	c.Dir = s.Binary.Dir
	c.Env = append(slices.Clone(workerEnv[1:]), "ORRERY_IN_PLACE="+string(body))
	return c, nil
}

// testFlags are the flags of a test binary that runs the scenario alone.
func (s Scenario) testFlags() []string {
	flags := []string{"-test.run=" + MatchExactly(s.Name), "-test.v=true", "-test.timeout=0", "-test.count=1"}
	if s.Binary.Short {
		flags = append(flags, "-test.short=true")
	}
	return flags
}

// MatchExactly is the pattern of -test.run for one test: the names of its parents
// are matched one by one.
func MatchExactly(name string) string { return "^" + strings.ReplaceAll(name, "/", "$/^") + "$" }
