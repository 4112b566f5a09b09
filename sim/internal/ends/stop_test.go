package ends

import (
	"os"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
)

// caller makes calls without a pause for a while, so that every fault finds it in one.
var caller = sim.NewProgram("caller", func() {
	f, err := os.Create("/x")
	if err != nil {
		panic(err)
	}
	for t := time.Now(); time.Since(t) < 10*time.Millisecond; {
		for range 1000 {
			f.WriteAt([]byte("x"), 0)
		}
	}
	time.Sleep(time.Hour)
})

func TestStopCaller(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.SafetyFor(10 * time.Millisecond)
		w.Node("n1").Start(caller)
		w.Node("n2").Start(ticking)
		w.Plan(w.Param("fault"))
	}, sim.Param("fault", stops...))
}

// stops end a process by an event that is due when it makes a call.
var stops = []string{
	"at 5ms kill n1 for 1ms", "at 5ms kill n1", "at 5ms crash n1 for 1ms", "at 0s crash n1", "at 0s kill n1 for 1ms",
}

// TestStopInCall: a process that is ended while it makes a call is not answered, and
// nothing else is.
func TestStopInCall(t *testing.T) {
	w, err := run.StartWorker(t.Context(), scenarios(t)["TestStopCaller"], run.WorkerOptions{Watchdog: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, fault := range stops {
		for seed := range uint64(2) {
			req := run.Request{Seed: seed + 1, Params: map[string]string{"fault": fault}}
			a, err := w.Run(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			b, err := w.Run(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if a.Verdict != run.Pass || a.Hash != b.Hash || len(a.Faults) != 1 || !a.Faults[0].Landed {
				t.Errorf("%s, seed %d: %s %s, %+v, hashes %s and %s; want a pass, twice the same, with the fault landed",
					fault, req.Seed, a.Verdict, a.Reason, a.Faults, a.Hash, b.Hash)
			}
		}
	}
}
