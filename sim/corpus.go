package sim

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
)

// corpus runs the failures that were kept in testdata/orrery for this test, as a
// fuzz test does with its corpus, and fails t with those that still fail. It returns
// how many fail as is known.
func corpus(ctx context.Context, t *testing.T, s run.Scenario, known []run.Known) (excused int) {
	t.Helper()
	files, err := run.Reproducers(filepath.Join(testDir, run.CorpusDir), s.Name)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		return 0
	}
	w, err := run.StartWorker(ctx, s, run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, f := range files {
		name := filepath.Join(run.CorpusDir, filepath.Base(f.File))
		if !f.BuiltAs(s.Binary) {
			t.Logf("%s: not run: it is of a build with other flags: orrery replay --file %s", name, run.ShellQuote(name))
			continue
		}
		out, err := w.Run(ctx, f.Request())
		switch {
		case err != nil:
			t.Fatalf("%s: %v", name, err)
		case out.Violation != nil:
			if k := run.FindKnown(known, run.Signature(*out.Violation)); k != nil {
				excused++
				t.Logf("%s\n%s", kept(name, f.Reproducer, out.Result), k)
				continue
			}
			t.Errorf("%s", kept(name, f.Reproducer, out.Result))
		case out.Verdict == run.Vacuous:
			t.Logf("%s: tells nothing: %s", name, out.Reason)
		case out.Verdict != run.Pass:
			t.Errorf("%s: %s: %s", name, out.Verdict, out.Reason)
		default:
			t.Logf("%s: does not fail any more", name)
		}
	}
	return excused
}

// kept tells a failure that was kept in a file.
func kept(name string, r run.Reproducer, out run.Result) string {
	var b strings.Builder
	v := out.Violation
	fmt.Fprintf(&b, "%s: %s: %s", name, v.Oracle, v.Message)
	if !r.Same(out) {
		fmt.Fprintf(&b, " (another failure than that of the file, which is %s: %s)", r.Expect.Oracle, r.Expect.Message)
	}
	for _, f := range out.Faults {
		fmt.Fprintf(&b, "\n  %s  (%s)", f.Text, f.Evidence)
	}
	for _, text := range []string{v.Detail, v.Stack} {
		if text != "" {
			b.WriteString("\n" + text)
		}
	}
	fmt.Fprintf(&b, "\nTo re-run: orrery replay --file %s", run.ShellQuote(name))
	return b.String()
}
