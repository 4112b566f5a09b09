package sim

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// inPlaceEnv has a test run one world in its own process, without workers and
// copies, where a debugger finds it. It is a seed, or a request as JSON. The
// patched runtime looks for it too.
const inPlaceEnv = "ORRERY_IN_PLACE"

// inPlaceOf is the test that has run in place: a second world would find what the
// first left in package variables.
var inPlaceOf string

// inPlace runs one world in this process. What nodes write is shown at once.
func inPlace(t *testing.T, c config, setup func(*World)) {
	t.Helper()
	if !rt.Patched {
		t.Fatalf("%s is set, but this binary was not built with the patched toolchain: build it with GOROOT=$(orrery goroot)", inPlaceEnv)
	}
	if inPlaceOf != "" {
		t.Fatalf("%s is set, and %s has run: want one test: choose it by -test.run", inPlaceEnv, inPlaceOf)
	}
	inPlaceOf = t.Name()
	req, err := inPlaceRequest(os.Getenv(inPlaceEnv))
	if err != nil {
		t.Fatal(err)
	}
	params, err := c.values(req.Params)
	if err != nil {
		t.Fatal(err)
	}
	// What a worker has by its environment.
	os.Setenv("GODEBUG", "asynctimerchan=0")
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	overrides, neutral := choice.ByKey(req.Overrides), choice.NameKeys(req.Neutral)
	w := newWorld(t, req, choices(req.Seed, overrides, neutral), params)
	w.live = true
	s := rt.Run(rt.Config{Seed: req.Seed, Overrides: overrides, Schedule: scheduleOf(neutral)}, func() { w.main(setup) })
	r := w.result(t.Name(), s)
	t.Logf("seed %d: %s, %s of virtual time, %d events, hash %s", r.Seed, r.Verdict, trace.Seconds(r.Virtual), r.Events, r.Hash)
	for _, f := range r.Faults {
		t.Logf("fault %s: %s", f.Text, f.Evidence)
	}
	switch {
	case r.Violation != nil:
		t.Errorf("%s: %s\n%s%s", r.Violation.Oracle, r.Violation.Message, r.Violation.Detail, r.Violation.Stack)
	case r.Verdict != run.Pass:
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

// inPlaceRequest reads a seed, or a request as JSON.
func inPlaceRequest(text string) (req run.Request, err error) {
	if strings.HasPrefix(text, "{") {
		if err := json.Unmarshal([]byte(text), &req); err != nil {
			return req, fmt.Errorf("%s: %w", inPlaceEnv, err)
		}
		return req, nil
	}
	if req.Seed, err = strconv.ParseUint(text, 10, 64); err != nil {
		return req, fmt.Errorf("%s=%s: want a seed", inPlaceEnv, text)
	}
	req.Params, err = parseSet(*flagSet)
	return req, err
}

// showLive writes a line to the process's own standard error. The caller is the
// kernel's goroutine, whose system calls are real.
func showLive(l run.LogLine) {
	syscall.Write(2, fmt.Appendf(nil, "%s %-6s %s\n", trace.Seconds(int64(l.At)), l.Node, l.Text))
}
