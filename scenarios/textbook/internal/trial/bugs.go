package trial

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
)

// Bug is a mistake that a system's parameter "bug" plants, as the table of them in
// docs/scenarios.md tells it.
type Bug struct {
	Name   string
	Kind   string // what it is in real systems
	Needs  string // what it takes to show: faults, or [Nodes] or [Goroutines]
	Oracle string // what finds it
}

// What bugs need that show without any fault.
const (
	Nodes      = "concurrent nodes"
	Goroutines = "concurrent goroutines of one node"
)

func (b Bug) faultless() bool { return b.Needs == Nodes || b.Needs == Goroutines }

// Param declares the parameter that plants one of the bugs.
func Param(bugs []Bug) sim.Option {
	values := []string{"none"}
	for _, b := range bugs {
		values = append(values, b.Name)
	}
	return sim.Param("bug", values...)
}

// table is the page that has the bugs of all systems, and the first seed of each
// that finds it.
const table = "../../../docs/scenarios.md"

// seedsMost is among how many seeds a bug is found.
const seedsMost = 100

// otherMost is among how many seeds it is found when another workload makes the calls,
// which was not chosen for it.
const otherMost = 3 * seedsMost

var write = flag.Bool("textbook.write", false, "search the first seeds that find the planted bugs, and write them to the table in docs/scenarios.md (with -p 1)")

// Planted makes sure that each bug is found by its oracle in the run of the seed
// that the table names, and that the system without it passes there. With another Go
// than the table's, some seed must do.
func Planted(t *testing.T, test string, bugs []Bug) {
	t.Helper()
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	built, err := run.Build(t.Context(), []string{"."}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := built[0].Scenarios(t.Context(), regexp.MustCompile("^"+test+"$"))
	if err != nil || len(list) != 1 {
		t.Fatalf("found %d scenarios %s: %v", len(list), test, err)
	}
	w, err := run.StartWorker(t.Context(), list[0], run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	h := hunter{t: t, worker: w, system: filepath.Base(built[0].Package)}
	if *write {
		h.write(bugs)
	}
	for i, b := range bugs {
		t.Run(b.Name, func(t *testing.T) {
			h.verify(t, b)
			if *write || i == 0 { // a search takes long
				h.otherwise(t, b)
			}
		})
	}
}

// hunter runs one system.
type hunter struct {
	t      *testing.T
	worker *run.Worker
	system string
}

// run runs a seed with a bug, or "none", under the seed's faults or those given.
func (h hunter) run(seed uint64, bug string, faults []string) run.Result {
	return h.ask(run.Request{Seed: seed, Params: map[string]string{"bug": bug}, Faults: faults})
}

func (h hunter) ask(req run.Request) run.Result {
	out, err := h.worker.Run(h.t.Context(), req)
	if err != nil {
		h.t.Fatal(err)
	}
	return out.Result
}

// otherwise searches the first seed that finds a bug when another workload makes the
// calls: else the shrinker would put its failures down to the harness.
func (h hunter) otherwise(t *testing.T, b Bug) {
	params := map[string]string{"bug": b.Name, workload.Name: workload.Bursts}
	for seed := uint64(1); seed <= otherMost; seed++ {
		if foundBy(h.ask(run.Request{Seed: seed, Params: params}), b) {
			t.Logf("with %s=%s: seed %d", workload.Name, workload.Bursts, seed)
			return
		}
	}
	t.Errorf("with %s=%s no seed from 1 to %d finds it", workload.Name, workload.Bursts, otherMost)
}

// tableGo is the Go release whose runs the table tells of: another's standard library
// makes other choices.
const tableGo = "go1.26."

func (h hunter) verify(t *testing.T, b Bug) {
	if !strings.HasPrefix(runtime.Version(), tableGo) {
		t.Logf("seed %d", h.first(b))
		return
	}
	page, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	seed, err := h.seedOf(string(page), b)
	if err != nil {
		t.Fatal(err)
	}
	r, err := h.finds(seed, b)
	if err != nil {
		t.Fatalf("seed %d: %v: does another seed find it? -textbook.write searches", seed, err)
	}
	t.Logf("seed %d, %d faults: %s", seed, len(r.Faults), r.Violation.Message)
}

// finds makes sure that a seed's run finds a bug by its oracle, with no fault too if
// it needs none, and passes without the bug.
func (h hunter) finds(seed uint64, b Bug) (run.Result, error) {
	r := h.run(seed, b.Name, nil)
	if !foundBy(r, b) {
		return r, fmt.Errorf("%s, %+v, want a violation of %s", r.Verdict, r.Violation, b.Oracle)
	}
	if b.faultless() && !foundBy(h.run(seed, b.Name, []string{}), b) {
		return r, fmt.Errorf("not found without faults, and it needs none")
	}
	if clean := h.run(seed, "none", nil); clean.Verdict != run.Pass {
		return r, fmt.Errorf("%s without the bug, want a pass", clean.Verdict)
	}
	return r, nil
}

func foundBy(r run.Result, b Bug) bool { return r.Violation != nil && r.Violation.Oracle == b.Oracle }

// rowStart is a bug's line of the table, but for the seed at its end.
func (h hunter) rowStart(b Bug) string {
	return fmt.Sprintf("| %s | `%s` | %s | %s | %s |", h.system, b.Name, b.Kind, b.Needs, b.Oracle)
}

// seedOf reads a bug's seed from its row.
func (h hunter) seedOf(page string, b Bug) (uint64, error) {
	_, rest, found := strings.Cut(page, "\n"+h.rowStart(b)+" ")
	text, _, _ := strings.Cut(rest, " |")
	seed, err := strconv.ParseUint(text, 10, 64)
	if !found || err != nil {
		return 0, fmt.Errorf("%s: found no row %q with a seed at its end: write it by -textbook.write", table, h.rowStart(b))
	}
	return seed, nil
}

// write makes the rows of the system anew.
func (h hunter) write(bugs []Bug) {
	page, err := os.ReadFile(table)
	if err != nil {
		h.t.Fatal(err)
	}
	var rows []string
	for _, b := range bugs {
		rows = append(rows, h.rowStart(b)+fmt.Sprintf(" %d |", h.first(b)))
	}
	text, err := replaceRows(string(page), h.system, rows)
	if err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(table, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

const head = "| system | bug | kind | needs | found by | first seed |\n|---|---|---|---|---|---|\n"

// replaceRows puts rows at the place of those that the table on a page has of a
// system, or at the table's end.
func replaceRows(page, system string, rows []string) (string, error) {
	before, after, found := strings.Cut(page, head)
	if !found {
		return "", fmt.Errorf("%s: found no table with the head\n%s", table, head)
	}
	var others []string
	place := -1
	for strings.HasPrefix(after, "|") {
		row, rest, _ := strings.Cut(after, "\n")
		after = rest
		switch own := strings.HasPrefix(row, "| "+system+" |"); {
		case !own:
			others = append(others, row)
		case place < 0:
			place = len(others)
		}
	}
	if place < 0 {
		place = len(others)
	}
	all := slices.Insert(others, place, rows...)
	return before + head + strings.Join(all, "\n") + "\n" + after, nil
}

// first searches the first seed that finds a bug.
func (h hunter) first(b Bug) uint64 {
	for seed := uint64(1); seed <= seedsMost; seed++ {
		if _, err := h.finds(seed, b); err == nil {
			return seed
		}
	}
	h.t.Errorf("%s: no seed from 1 to %d finds it by %s", b.Name, seedsMost, b.Oracle)
	return 0
}
