package stdsuite

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/sim/internal/stdsuite/guest"
	"github.com/orrery-sim/orrery/sim/run"
)

// Verdict is how a test ended inside a world.
type Verdict string

// The verdicts of a test.
const (
	Passed  Verdict = "pass"
	Failed  Verdict = "fail"
	Skipped Verdict = "skip" // the test skipped itself
	Omitted Verdict = "left out"
)

// Outcome is what came of one test.
type Outcome struct {
	Package string
	Test    string
	Verdict Verdict
	Reason  string   // one line; of a pass none
	Output  []string `json:",omitempty"` // of a failure
}

// How much real time a test may take, and how much of it at one step of the
// world's schedule.
const (
	realTime = 3 * time.Minute
	oneStep  = time.Minute
)

// Run runs tests, each in a world of its own, in so many workers, and tells each
// what came of it, one at a time.
func (s Suite) Run(ctx context.Context, tests []string, workers int, each func(Outcome) error) error {
	todo := make(chan string, len(tests))
	for _, test := range tests {
		todo <- test
	}
	close(todo)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var one sync.Mutex
	var all sync.WaitGroup
	for range min(workers, len(tests)) {
		all.Go(func() {
			err := s.work(ctx, todo, func(o Outcome) error {
				one.Lock()
				defer one.Unlock()
				return each(o)
			})
			if err != nil {
				stop(err)
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// work runs tests in one worker.
func (s Suite) work(ctx context.Context, todo <-chan string, each func(Outcome) error) error {
	w, err := run.StartWorker(ctx, run.Scenario{Binary: s.Binary, Name: guest.Scenario}, run.WorkerOptions{Watchdog: oneStep})
	if err != nil {
		return err
	}
	defer w.Close()
	for test := range todo {
		o, err := s.one(ctx, w, test)
		if err == nil {
			err = each(o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// one runs one test. A worker that its time ends starts anew.
func (s Suite) one(ctx context.Context, w *run.Worker, test string) (Outcome, error) {
	limited, stop := context.WithTimeout(ctx, realTime)
	defer stop()
	out, err := w.Run(limited, run.Request{Seed: 1, Params: map[string]string{guest.Test: test}, Faults: []string{}})
	var o Outcome
	switch {
	case err == nil:
		o = judge(test, out.Result)
	case ctx.Err() == nil && limited.Err() != nil:
		o = Outcome{Test: test, Verdict: Failed, Reason: fmt.Sprintf("it did not end in %v of real time", realTime)}
	default:
		return Outcome{}, err
	}
	o.Package = s.Path
	return o, nil
}

var (
	verdictLine = regexp.MustCompile(`^--- (PASS|FAIL|SKIP): (\S+) \(`)
	logged      = regexp.MustCompile(`^\s+\S+\.go:\d+: (.*)`) // by t.Log and its like
)

// judge reads what a test printed, and how its process ended. The reason for a
// verdict is what the test logged last, or else how the run ended.
func judge(test string, r run.Result) Outcome {
	o := Outcome{Test: test, Verdict: Failed}
	said := ""
	for _, l := range r.Log {
		if l.Node != guest.Node {
			continue
		}
		o.Output = append(o.Output, l.Text)
		if m := logged.FindStringSubmatch(l.Text); m != nil && said == "" {
			o.Reason = m[1]
		}
		if m := verdictLine.FindStringSubmatch(l.Text); m != nil && m[2] == test {
			said = m[1]
		}
	}
	switch {
	case r.Verdict == run.Pass && said == "PASS":
		return Outcome{Test: test, Verdict: Passed}
	case r.Verdict == run.Pass && said == "SKIP":
		return Outcome{Test: test, Verdict: Skipped, Reason: o.Reason}
	}
	for _, u := range r.Unsupported {
		o.Output = append(o.Output, fmt.Sprintf("refused: %s, %d times, first by %s", u.Name, u.Count, u.Caller))
	}
	ending := r.Reason
	if v := r.Violation; v != nil {
		ending = v.Message + "\n" + v.Stack
	}
	lines := strings.Split(ending, "\n")
	o.Output = append(o.Output, lines...)
	if said != "FAIL" || o.Reason == "" {
		o.Reason = lines[0]
	}
	return o
}
