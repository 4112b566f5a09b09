package saga

import (
	"flag"
	"log"
	"net/http"
	"os"
	"slices"
	"sync"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// service has seats to book.
type service struct {
	seats int
	bug   string
	log   *journal.Journal

	mu     sync.Mutex
	booked []string // the trips that have seats
	most   int      // of them at any time
	// canceled are trips that get no seat any more: a request to book one may be
	// late.
	canceled map[string]bool
}

// change is what a service writes to its log.
type change struct {
	Trip   string
	Cancel bool `json:",omitempty"`
}

// ServiceMain runs a service until the process ends.
func ServiceMain() {
	s := &service{canceled: map[string]bool{}}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.IntVar(&s.seats, "seats", 10, "how many seats there are")
	flags.StringVar(&s.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	var err error
	if s.log, err = journal.Open("/seats", s.apply); err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	wire.Handle(mux, "/book", s.book)
	wire.Handle(mux, "/cancel", s.cancel)
	wire.Handle(mux, "/booked", s.bookings)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

func (s *service) apply(c change) {
	if !c.Cancel {
		s.booked = append(s.booked, c.Trip)
		s.most = max(s.most, len(s.booked))
		return
	}
	if i := slices.Index(s.booked, c.Trip); i >= 0 {
		s.booked = slices.Delete(s.booked, i, i+1)
	} else if s.bug == bugLateBooking {
		return
	}
	s.canceled[c.Trip] = true
}

// keep makes a change durable and applies it.
func (s *service) keep(c change) {
	if s.bug == bugOversellRace && !c.Cancel {
		s.mu.Unlock()
		defer s.mu.Lock()
	}
	if err := s.log.Append(c); err != nil {
		log.Fatal(err)
	}
	s.apply(c)
}

// book gives a trip a seat. A trip that has one was booked by a try before.
func (s *service) book(trip string) (struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.canceled[trip]:
		return struct{}{}, wire.Refuse("%s is canceled", trip)
	case slices.Contains(s.booked, trip) && s.bug != bugBookTwice:
		return struct{}{}, nil
	case len(s.booked) >= s.seats:
		return struct{}{}, wire.Refuse("no seat is left")
	}
	s.keep(change{Trip: trip})
	return struct{}{}, nil
}

// cancel takes a trip's seat back, if it has one, and for good.
func (s *service) cancel(trip string) (struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.canceled[trip] {
		s.keep(change{trip, true})
	}
	return struct{}{}, nil
}

// Bookings are the trips that have seats, and how many had at any time.
type Bookings struct {
	Trips []string
	Most  int
}

func (s *service) bookings(struct{}) (Bookings, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Bookings{slices.Clone(s.booked), s.most}, nil
}
