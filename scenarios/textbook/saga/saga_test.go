package saga

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/scenarios/textbook/internal/trial"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

var (
	orchestratorProgram = sim.NewProgram("orchestrator", OrchestratorMain)
	serviceProgram      = sim.NewProgram("service", ServiceMain)
)

var bugs = []trial.Bug{
	{Name: bugStepLoggedLate, Kind: "a step is logged after it was taken", Needs: "crash or kill", Oracle: "all or nothing"},
	{Name: bugBookedUnsynced, Kind: "the end is told before it is synced", Needs: "crash", Oracle: "all or nothing"},
	{Name: bugCancelInMemory, Kind: "compensations wait in memory alone", Needs: "crash or kill", Oracle: "all or nothing"},
	{Name: bugCancelOnce, Kind: "a compensation that fails is not tried again", Needs: "crash, kill, partition or pause", Oracle: "all or nothing"},
	{Name: bugTimeoutIsNo, Kind: "a timeout is taken for a refusal", Needs: "delay, pause or a lost answer", Oracle: "all or nothing"},
	{Name: bugLateBooking, Kind: "a request that comes after its compensation is carried out", Needs: "delay or pause", Oracle: "all or nothing"},
	{Name: bugBookTwice, Kind: "a retry is carried out again", Needs: "a lost answer", Oracle: "all or nothing"},
	{Name: bugOversellRace, Kind: "check, then act, with the lock let go in between", Needs: trial.Goroutines, Oracle: "seats"},
}

func TestSaga(t *testing.T) {
	sim.Test(t, scenario, trial.Param(bugs), workload.Param(), sim.Seeds("1-5"))
}

func TestPlantedBugs(t *testing.T) { trial.Planted(t, "TestSaga", bugs) }

func scenario(w *sim.World) {
	o, services := w.Node("o1"), w.Nodes("s", 3)
	a := &agency{orchestrator: trial.Addr(o), services: trial.Addrs(services)}
	trial.Start(w, o, orchestratorProgram, "-services", a.services.String())
	for _, n := range services {
		seats := 5 + w.Choices("seats").Intn(60)
		a.seats = append(a.seats, seats)
		trial.Start(w, n, serviceProgram, "-seats", strconv.Itoa(seats))
	}
	for _, c := range w.Clients("c", 3) {
		c.Run(func() { a.work(w, c) })
	}
	w.SafetyFor(trial.Safety)
	w.Faults(trial.Swarm(
		sim.Crashes().For(time.Second), sim.Kills().For(time.Second), sim.Pauses().For(time.Second),
		sim.Partitions().For(time.Second), sim.Cuts().For(time.Second), sim.Delays().For(2*time.Second), sim.SlowDisks().For(2*time.Second),
	))
	w.Recovers("every trip is over", 10*time.Second, a.settle)
	w.Check(outcome.Func("all or nothing", a.allOrNothing), outcome.Func("seats", a.seated))
	w.Count(a.count)
}

// agency is what the clients know.
type agency struct {
	orchestrator wire.Addr
	services     wire.List
	seats        []int // of each service
	trips        []trip
	bookings     []Bookings // of each service, in the end
}

// trip is one that a client asked for, and what it was told last.
type trip struct {
	id     string
	booked bool
	err    error
}

// tries is how often a client asks about a trip.
const tries = 3

// work books trips, and gives up half of those that it gets.
func (a *agency) work(w *sim.World, c *sim.Client) {
	pause := c.Choices().Between(5*time.Millisecond, 200*time.Millisecond)
	for op := range workload.Ops(w, c, pause) {
		t := trip{id: fmt.Sprintf("%s-%d", c.Name(), op.Index)}
		t.booked, t.err = ask[bool](a.orchestrator, "/book", t.id)
		if t.booked && op.Intn(2) == 0 {
			c.Sleep(op.Between(0, pause))
			t.booked = false
			_, t.err = ask[struct{}](a.orchestrator, "/giveup", t.id)
		}
		a.trips = append(a.trips, t)
	}
}

// ask asks for one thing until it is answered, or too often.
func ask[Out any](orchestrator wire.Addr, path, trip string) (out Out, err error) {
	for range tries {
		if out, err = wire.Call[Out](orchestrator, path, trip, 4*callTimeout); err == nil {
			break
		}
		time.Sleep(retryAfter)
	}
	return out, err
}

// settle reads the bookings once no trip is open.
func (a *agency) settle() error {
	open, err := wire.Call[int](a.orchestrator, "/report", struct{}{}, callTimeout)
	if err != nil {
		return err
	}
	if open > 0 {
		return fmt.Errorf("%d are open", open)
	}
	a.bookings = nil
	for _, s := range a.services {
		b, err := wire.Call[Bookings](s, "/booked", struct{}{}, callTimeout)
		if err != nil {
			return err
		}
		a.bookings = append(a.bookings, b)
	}
	return nil
}

// allOrNothing checks that every trip has one seat at each service or none at any, as
// its client was told.
func (a *agency) allOrNothing() outcome.Outcome {
	told := 0
	for _, t := range a.trips {
		seats := a.seatsOf(t)
		for _, n := range seats {
			if n != seats[0] || n > 1 {
				return trial.Violated("%s has %v seats at the services, want 1 at each, or none", t.id, seats)
			}
		}
		if t.err == nil {
			told++
			if t.booked != (seats[0] == 1) {
				return trial.Violated("%s: the client was told %t, and it has %v seats", t.id, t.booked, seats)
			}
		}
	}
	return trial.Kept(told, "answer about a trip")
}

// seatsOf is how many seats a trip has at each service.
func (a *agency) seatsOf(t trip) []int {
	seats := make([]int, len(a.bookings))
	for i, b := range a.bookings {
		for _, id := range b.Trips {
			if id == t.id {
				seats[i]++
			}
		}
	}
	return seats
}

// seated checks that no service has ever sold more seats than there are.
func (a *agency) seated() outcome.Outcome {
	for i, b := range a.bookings {
		if b.Most > a.seats[i] {
			return trial.Violated("service %d has sold %d seats, and has %d", i+1, b.Most, a.seats[i])
		}
	}
	return trial.Kept(len(a.bookings), "service")
}

func (a *agency) count() (n run.Ops) {
	for _, t := range a.trips {
		trial.Tally(&n, t.err)
	}
	return n
}
