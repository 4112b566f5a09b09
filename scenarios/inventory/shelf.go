// Package inventory keeps how much lies on shelves that hold only so much. It shows
// a workload that package generate draws.
package inventory

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
)

// limit is how much a shelf holds.
const limit = 200

// Planted bugs.
const (
	bugNarrow = "narrow" // what would lie there is computed in a byte
	bugLines  = "lines"  // each line of an order is checked alone
)

// shelves is how much lies on each shelf.
type shelves struct {
	bug string

	mu   sync.Mutex
	held map[string]int
}

// Main serves shelves until the process ends.
func Main() {
	s := &shelves{held: map[string]int{}}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.StringVar(&s.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	http.HandleFunc("POST /{shelf}", s.move)
	log.Fatal(http.ListenAndServe(*listen, nil))
}

// move puts the lines of an order on a shelf, or takes them where they are negative:
// all of them or none. It answers how much lies there then.
func (s *shelves) move(w http.ResponseWriter, r *http.Request) {
	var lines []int
	for text := range strings.SplitSeq(r.FormValue("lines"), ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		lines = append(lines, n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	shelf := r.PathValue("shelf")
	sum := 0
	for _, n := range lines {
		if sum += n; s.bug == bugLines && s.fits(s.held[shelf]+n) {
			continue
		}
		if !s.fits(s.held[shelf] + sum) {
			w.WriteHeader(http.StatusConflict)
			fmt.Fprint(w, s.held[shelf])
			return
		}
	}
	s.held[shelf] += sum
	fmt.Fprint(w, s.held[shelf])
}

// fits reports whether so much can lie on a shelf.
func (s *shelves) fits(n int) bool {
	if s.bug == bugNarrow {
		n = int(uint8(n))
	}
	return n >= 0 && n <= limit
}
