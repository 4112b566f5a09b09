package shrink

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
)

// interrupted makes so many runs of a model, and then none.
type interrupted struct {
	model
	left int
	stop context.CancelFunc
}

func (i *interrupted) Run(ctx context.Context, req run.Request) (run.Output, error) {
	if i.left--; i.left < 0 {
		i.stop()
		return run.Output{}, context.Canceled
	}
	return i.model.Run(ctx, req)
}

// TestResume: a search that is interrupted again and again, and goes on by its
// journal, comes to what an uninterrupted one does, and runs little twice.
func TestResume(t *testing.T) {
	fails := func(m made) bool {
		return len(m.values["client/c1/1"]) > 0 && len(m.values["client/c2/4"]) > 0 && holds(m.req.Faults, "at 100ms kill n1", "at 500ms kill n0")
	}
	whole := &model{fails: fails}
	want := shrunkBy(t, whole, 1)
	name := filepath.Join(t.TempDir(), "journal")
	req := run.Request{Seed: 5, Params: map[string]string{"nodes": "5"}, Faults: numbered(6)}
	failed, err := whole.Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	made, known := int64(0), -1
	for tries := 0; ; tries++ {
		j, err := openJournal(name)
		if err != nil {
			t.Fatal(err)
		}
		if j.Known() <= known {
			t.Fatalf("try %d knows %d candidates, the one before %d", tries, j.Known(), known)
		}
		known = j.Known()
		ctx, cancel := context.WithCancel(t.Context())
		runs := &interrupted{model: model{fails: fails}, left: 25 + 10*tries, stop: cancel}
		out, err := Shrink(ctx, runs, req, failed.Result, Options{
			Budget: 5000, Params: map[string][]string{"nodes": {"3", "5", "7"}, "bug": {"none", "some"}}, Journal: j,
		})
		cancel()
		made += runs.runs.Load()
		if out.End == Interrupted && errors.Is(err, context.Canceled) {
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			cut(t, name)
			continue
		}
		if err != nil || !reflect.DeepEqual(out.Request, want.Request) || out.Runs != want.Runs || out.After != want.After {
			t.Errorf("%v, %+v in %d runs; want %+v in %d", err, out.Request, out.Runs, want.Request, want.Runs)
		}
		if tries < 2 {
			t.Errorf("interrupted %d times, want some", tries)
		}
		if err := j.Remove(); err != nil {
			t.Fatal(err)
		}
		break
	}
	if n := whole.runs.Load(); made > 2*n {
		t.Errorf("%d runs were made, %d without an interrupt", made, n)
	}
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("the journal is still there: %v", err)
	}
}

// cut leaves half a line at the end of a file, as a process that is killed may.
func cut(t *testing.T, name string) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("0123"); err != nil {
		t.Fatal(err)
	}
	f.Close()
}

func TestDamagedJournal(t *testing.T) {
	for _, text := range []string{"another file\n", journalHead + "zz\n", journalHead + strings.Repeat("0", 66) + "\n"} {
		name := filepath.Join(t.TempDir(), "journal")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := openJournal(name)
		if err == nil || !strings.Contains(err.Error(), "want 64 hexadecimal digits: remove the file") {
			t.Errorf("%q: %v", text, err)
		}
		if left, _ := os.ReadFile(name); string(left) != text {
			t.Errorf("%q was changed to %q", text, left)
		}
	}
}

// Of two searches of one failure at a time, either may end first.
func TestTwoSearchesOfOneFailure(t *testing.T) {
	name := filepath.Join(t.TempDir(), "journal")
	for range 2 {
		j, err := openJournal(name)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := j.Remove(); err != nil {
				t.Error(err)
			}
		}()
	}
}
