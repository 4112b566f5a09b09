// Package saga books a trip at several services: an orchestrator goes through them
// one by one, and if one refuses, or does not answer, or the traveler changes their
// mind, cancels what was booked. What it does is in its log before it is done, so that
// it can go on, backwards, after a crash.
package saga

import (
	"flag"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

const (
	callTimeout = 250 * time.Millisecond
	bookTries   = 2 // of one step, before the trip is given up
	retryAfter  = 100 * time.Millisecond
)

// phase is where a trip is.
type phase string

const (
	booking   phase = "booking"
	booked    phase = "booked"
	canceling phase = "canceling"
	canceled  phase = "canceled"
)

// record says that a trip has entered a phase, or while it is booking that it is
// about to ask one more service.
type record struct {
	Trip  string
	Phase phase
	Steps int // services that were, or are about to be, asked
}

// orchestrator books trips.
type orchestrator struct {
	services wire.List
	bug      string
	log      *journal.Journal

	mu    sync.Mutex
	trips map[string]record
}

// OrchestratorMain runs the orchestrator until the process ends.
func OrchestratorMain() {
	o := &orchestrator{trips: map[string]record{}}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.Var(&o.services, "services", "`addresses` of the services")
	flags.StringVar(&o.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	var order []string
	var err error
	o.log, err = journal.Open("/trips", func(r record) {
		if _, known := o.trips[r.Trip]; !known {
			order = append(order, r.Trip)
		}
		o.trips[r.Trip] = r
	})
	if err != nil {
		log.Fatal(err)
	}
	o.recover(order)
	mux := http.NewServeMux()
	wire.Handle(mux, "/book", o.book)
	wire.Handle(mux, "/giveup", o.giveUp)
	wire.Handle(mux, "/report", o.report)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

// recover cancels the trips that a crash has cut short.
func (o *orchestrator) recover(trips []string) {
	for _, trip := range trips {
		if r := o.trips[trip]; r.Phase == booking || r.Phase == canceling {
			r.Phase = canceling
			o.enter(r)
			go o.cancel(r)
		}
	}
}

// enter writes down where a trip is, before anything is done about it.
func (o *orchestrator) enter(r record) {
	o.mu.Lock()
	defer o.mu.Unlock()
	write := o.log.Append
	if r.Phase == booked && o.bug == bugBookedUnsynced {
		write = o.log.Write
	}
	if err := write(r); err != nil {
		log.Fatal(err)
	}
	o.trips[r.Trip] = r
}

// book books a trip, and answers whether that was possible. Asked again about one that
// is over it says the same.
func (o *orchestrator) book(trip string) (bool, error) {
	if r, known := o.start(trip); known {
		if r.Phase == booking {
			return false, wire.Refuse("%s is being booked", trip)
		}
		return r.Phase == booked, nil
	}
	r := record{Trip: trip, Phase: booking}
	for _, service := range o.services {
		r.Steps++
		if o.bug != bugStepLoggedLate {
			o.enter(r)
		}
		if err := o.step(service, &r); err != nil {
			r.Phase = canceling
			o.enter(r)
			go o.cancel(r)
			return false, nil
		}
		if o.bug == bugStepLoggedLate {
			o.enter(r)
		}
	}
	r.Phase = booked
	o.enter(r)
	return true, nil
}

// start takes a trip, if it is new.
func (o *orchestrator) start(trip string) (r record, known bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	r, known = o.trips[trip]
	if !known {
		o.trips[trip] = record{Trip: trip, Phase: booking}
	}
	return r, known
}

// step asks one service. Unless it surely did nothing, what it did must be canceled.
func (o *orchestrator) step(service wire.Addr, r *record) (err error) {
	unsure := false
	for range bookTries {
		if _, err = wire.Call[struct{}](service, "/book", r.Trip, callTimeout); err == nil {
			return nil
		}
		if wire.Refused(err) {
			break
		}
		unsure = o.bug != bugTimeoutIsNo
	}
	if !unsure {
		r.Steps--
	}
	return err
}

// cancel cancels a trip at all services that were asked, the last one first, for as
// long as it takes.
func (o *orchestrator) cancel(r record) {
	if o.bug == bugCancelInMemory {
		o.enter(record{r.Trip, canceled, r.Steps})
	}
	for i := r.Steps - 1; i >= 0; i-- {
		for {
			_, err := wire.Call[struct{}](o.services[i], "/cancel", r.Trip, callTimeout)
			if err == nil || o.bug == bugCancelOnce {
				break
			}
			time.Sleep(retryAfter)
		}
	}
	r.Phase = canceled
	o.enter(r)
}

// giveUp cancels a trip that is booked.
func (o *orchestrator) giveUp(trip string) (struct{}, error) {
	o.mu.Lock()
	r := o.trips[trip]
	o.mu.Unlock()
	switch r.Phase {
	case booked:
		r.Phase = canceling
		o.enter(r)
		go o.cancel(r)
	case canceling, canceled:
	default:
		return struct{}{}, wire.Refuse("%s is not booked", trip)
	}
	return struct{}{}, nil
}

// report tells how many trips are not over.
func (o *orchestrator) report(struct{}) (open int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, r := range o.trips {
		if r.Phase == booking || r.Phase == canceling {
			open++
		}
	}
	return open, nil
}
