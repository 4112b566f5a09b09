package ends

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
)

var (
	_ = sim.PerNode(&visits)
	_ = sim.PerNode(&flag)
)

var server = sim.NewProgram("server", func() {
	fmt.Println(serve(os.Args[1]))
	never()
})

func TestServed(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		n := w.Nodes("n", 2)
		n[0].Start(server, "n1")
		time.Sleep(time.Second)
		n[1].Start(server, "n2")
		w.SafetyFor(5 * time.Second)
		w.Plan("at 1s kill n2 for 1s")
	})
}

// TestPackageData: a variable that nodes share is told by its name, and the one
// that each has for itself is new in each process.
func TestPackageData(t *testing.T) {
	w, err := run.StartWorker(t.Context(), scenarios(t)["TestServed"], run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	out, err := w.Run(t.Context(), run.Request{Seed: 1})
	if err != nil || out.Verdict != run.Pass {
		t.Fatalf("%s %+v, %v", out.Verdict, out.Violation, err)
	}
	var log []string
	for _, l := range out.Log {
		log = append(log, l.Node+": "+l.Text)
	}
	// The first number is shared, as no processes would; the others are not.
	if want := []string{"n1: 1 3 false", "n2: 2 3 false", "n2: 3 3 false"}; !slices.Equal(log, want) {
		t.Errorf("the nodes wrote %q, want %q", log, want)
	}
	want := []string{"nodes share the variable github.com/orrery-sim/orrery/sim/internal/ends.served, which changed: sim.PerNode gives each its own"}
	if !slices.Equal(out.Warnings, want) {
		t.Errorf("warned of %q, want %q", out.Warnings, want)
	}
}
