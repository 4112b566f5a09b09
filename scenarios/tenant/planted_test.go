package tenant

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/sim/run"
)

// table is the page that has the bugs, and the first seed that finds each.
const table = "../../docs/scenarios.md"

// seedsMost is among how many seeds a bug is found, with either workload.
const seedsMost = 20

// tableGo is the Go release whose runs the table tells of: another's standard library
// makes other choices.
const tableGo = "go1.26."

var write = flag.Bool("tenant.write", false, "search the first seeds that find the planted bugs, and write them to the table in docs/scenarios.md")

// TestPlantedBugs makes sure that each bug is found by its oracle, with the message that is
// of it, in the run of the seed that the table names, without any fault too if it needs
// none, and that the system without it passes there.
func TestPlantedBugs(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	built, err := run.Build(t.Context(), []string{"."}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, group := range []struct {
		test string
		bugs []bug
	}{{"TestBoundary", boundaryBugs}, {"TestFairness", fairnessBugs}, {"TestDocuments", documentBugs}} {
		list, err := built[0].Scenarios(t.Context(), regexp.MustCompile("^"+group.test+"$"))
		if err != nil || len(list) != 1 {
			t.Fatalf("found %d scenarios %s: %v", len(list), group.test, err)
		}
		w, err := run.StartWorker(t.Context(), list[0], run.WorkerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range group.bugs {
			h := hunt{t, w, group.test, b}
			if *write {
				rows = append(rows, fmt.Sprintf("%s %d |", h.rowStart(), h.first()))
				continue
			}
			t.Run(b.name, func(t *testing.T) {
				h.t = t
				h.verify()
				if i == 0 { // a search takes long
					h.otherwise()
				}
			})
		}
		w.Close()
	}
	if *write {
		writeTable(t, rows)
	}
}

// hunt looks for one bug.
type hunt struct {
	t      *testing.T
	worker *run.Worker
	test   string
	bug    bug
}

// run runs a seed with a bug, or "none", under the seed's faults or those given.
func (h hunt) run(seed uint64, bug, load string, faults []string) run.Result {
	params := map[string]string{"bug": bug, workload.Name: load}
	if name, value, found := strings.Cut(h.bug.arm, "="); found {
		params[name] = value
	}
	out, err := h.worker.Run(h.t.Context(), run.Request{Seed: seed, Params: params, Faults: faults})
	if err != nil {
		h.t.Fatal(err)
	}
	return out.Result
}

func (h hunt) found(r run.Result) bool {
	return r.Violation != nil && r.Violation.Oracle == h.bug.oracle && strings.HasPrefix(r.Violation.Message, h.bug.says)
}

// finds makes sure that a seed finds the bug, and nothing where it is not.
func (h hunt) finds(seed uint64) error {
	r := h.run(seed, h.bug.name, workload.Even, nil)
	if !h.found(r) {
		return fmt.Errorf("%s, %+v, want a violation of %s: %s", r.Verdict, r.Violation, h.bug.oracle, h.bug.says)
	}
	if h.bug.faultless() && !h.found(h.run(seed, h.bug.name, workload.Even, []string{})) {
		return fmt.Errorf("not found without faults, and it needs none")
	}
	if clean := h.run(seed, "none", workload.Even, nil); clean.Verdict != run.Pass {
		return fmt.Errorf("%s without the bug, want a pass: %+v", clean.Verdict, clean.Violation)
	}
	return nil
}

// otherwise searches the first seed that finds the bug when another workload makes the
// calls.
func (h hunt) otherwise() {
	for seed := uint64(1); seed <= seedsMost; seed++ {
		if h.found(h.run(seed, h.bug.name, workload.Bursts, nil)) {
			h.t.Logf("with %s=%s: seed %d", workload.Name, workload.Bursts, seed)
			return
		}
	}
	h.t.Errorf("with %s=%s no seed from 1 to %d finds it", workload.Name, workload.Bursts, seedsMost)
}

// first searches the first seed that finds the bug.
func (h hunt) first() uint64 {
	for seed := uint64(1); seed <= seedsMost; seed++ {
		if h.finds(seed) == nil {
			return seed
		}
	}
	h.t.Errorf("%s: no seed from 1 to %d finds it by %s", h.bug.name, seedsMost, h.bug.oracle)
	return 0
}

func (h hunt) verify() {
	if !strings.HasPrefix(runtime.Version(), tableGo) {
		h.t.Logf("seed %d", h.first())
		return
	}
	page, err := os.ReadFile(table)
	if err != nil {
		h.t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "\n"+h.rowStart()+" ")
	text, _, _ := strings.Cut(rest, " |")
	seed, err := strconv.ParseUint(text, 10, 64)
	if !found || err != nil {
		h.t.Fatalf("%s: found no row %q with a seed at its end: write it by -tenant.write", table, h.rowStart())
	}
	if err := h.finds(seed); err != nil {
		h.t.Fatalf("seed %d: %v: does another seed find it? -tenant.write searches", seed, err)
	}
}

// rowStart is the bug's line of the table, but for the seed at its end.
func (h hunt) rowStart() string {
	by := h.bug.oracle
	if h.bug.says != "" {
		by += ": " + strings.TrimSuffix(h.bug.says, ":")
	}
	return fmt.Sprintf("| %s | `%s` | %s | %s | %s |", strings.TrimSpace(h.test+" "+h.bug.arm), h.bug.name, h.bug.kind, h.bug.needs, by)
}

const head = "| scenario | bug | kind | needs | found by | first seed |\n|---|---|---|---|---|---|\n"

// writeTable replaces the rows of the table.
func writeTable(t *testing.T, rows []string) {
	page, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	before, after, found := strings.Cut(string(page), head)
	if !found {
		t.Fatalf("%s: found no table with the head\n%s", table, head)
	}
	for strings.HasPrefix(after, "|") {
		_, after, _ = strings.Cut(after, "\n")
	}
	if err := run.WriteFile(table, []byte(before+head+strings.Join(rows, "\n")+"\n"+after)); err != nil {
		t.Fatal(err)
	}
}
