package fsnotify

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

var serverProgram = sim.NewProgram("server", Main)

// TestReload: what a client was acknowledged to have configured is what the server
// soon serves, unless it was stopped meanwhile.
func TestReload(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n, c := w.Node("n1"), w.Clients("c", 1)[0]
		n.Start(serverProgram, "-listen", n.Addr()+":80", "-bug", w.Param("bug"))
		configured := 0
		c.Run(func() {
			for c.Active() {
				if configure(n, configured+1) == nil {
					configured++
				}
				time.Sleep(50 * time.Millisecond)
			}
		})
		w.Faults(sim.Swarm(sim.Crashes(), sim.Kills(), sim.Pauses(), sim.SlowDisks()))
		w.Recovers("the last configuration is served", 30*time.Second, func() error { return configureLast(n, configured+1) })
		w.Check(outcome.Func("configured", func() outcome.Outcome {
			if configured == 0 {
				return outcome.Outcome{Verdict: outcome.Vacuous, Reason: "nothing was configured"}
			}
			return outcome.Outcome{Verdict: outcome.OK}
		}))
	}, sim.Param("bug", "none", bugWatchFile, bugInPlace))
}

var client = http.Client{Timeout: time.Second}

func configure(n *sim.Node, version int) error {
	req, err := http.NewRequest(http.MethodPut, "http://"+n.Addr(), strings.NewReader(strconv.Itoa(version)))
	if err != nil {
		return err
	}
	return ask(req, func(string) error { return nil })
}

// ask makes a request and passes on what is answered.
func ask(req *http.Request, answered func(body string) error) error {
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, body)
	}
	if err != nil {
		return err
	}
	return answered(string(body))
}

// configureLast configures a version until it is acknowledged, and looks whether it is
// served a second later.
func configureLast(n *sim.Node, version int) error {
	if err := configure(n, version); err != nil {
		return err
	}
	time.Sleep(time.Second)
	req, err := http.NewRequest(http.MethodGet, "http://"+n.Addr(), nil)
	if err != nil {
		return err
	}
	return ask(req, func(body string) error {
		if body != strconv.Itoa(version) {
			return fmt.Errorf("version %s is served, want %d", body, version)
		}
		return nil
	})
}

// TestPlantedBugs finds both bugs, by what is to be seen of them.
func TestPlantedBugs(t *testing.T) {
	built, err := run.Build(t.Context(), []string{"."}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := built[0].Scenarios(t.Context(), regexp.MustCompile("^TestReload$"))
	if err != nil || len(list) != 1 {
		t.Fatalf("found %d scenarios: %v", len(list), err)
	}
	seeds, err := run.ParseSeeds("1-40")
	if err != nil {
		t.Fatal(err)
	}
	messages := map[string]string{bugWatchFile: "is served, want", bugInPlace: "torn configuration"}
	for _, bug := range list[0].Params["bug"][1:] {
		c := run.SweepConfig{Scenario: list[0], Seeds: seeds, FailFast: true, Request: run.Request{Params: map[string]string{"bug": bug}}}
		sum, err := run.Sweep(t.Context(), c, func(run.Item) {})
		if err != nil || sum.Exit() != 1 {
			t.Errorf("%s: %d seeds: exit %d, %v", bug, sum.Seeds, sum.Exit(), err)
			continue
		}
		v := sum.Buckets[0].First.Output.Violation
		t.Logf("%s: seed %d: %s", bug, sum.Buckets[0].First.Seed, v.Message)
		if !strings.Contains(v.Message, messages[bug]) {
			t.Errorf("%s: found by %q, want %q", bug, v.Message, messages[bug])
		}
	}
}

// TestEvents: a watcher tells of what happens to files of a directory, in order, and
// ends when it is closed.
func TestEvents(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Start(eventsProgram)
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(10 * time.Second)
			if got := w.Log(n.Name()); !slices.Equal(got, wantEvents) {
				t.Errorf("events %q, want %q", got, wantEvents)
			}
		})
	})
}

var wantEvents = []string{
	"CREATE /srv/dir/a", "WRITE /srv/dir/a", "CHMOD /srv/dir/a", "RENAME /srv/dir/a", "CREATE /srv/dir/b",
	"CREATE /srv/dir/sub", "REMOVE /srv/dir/b", "REMOVE /srv/dir/sub", "REMOVE /srv/dir", "closed",
}

var eventsProgram = sim.NewProgram("events", func() {
	const dir = "/srv/dir"
	a, b, sub := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "sub")
	steps := []func() error{
		func() error { return os.WriteFile(a, []byte("text"), 0o600) },
		func() error { return os.Chmod(a, 0o640) },
		func() error { return os.Rename(a, b) },
		func() error { return os.Mkdir(sub, 0o700) },
		func() error { return os.Remove(b) },
		func() error { return os.Remove(sub) },
		func() error { return os.Remove(dir) },
	}
	w, err := fsnotify.NewWatcher()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = w.Add(dir)
	}
	if err != nil {
		panic(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range w.Events {
			fmt.Println(e.Op, e.Name)
		}
	}()
	for _, step := range steps {
		time.Sleep(time.Second)
		if err := step(); err != nil {
			panic(err)
		}
	}
	time.Sleep(time.Second)
	w.Close()
	<-done
	fmt.Println("closed")
	time.Sleep(time.Hour)
})
