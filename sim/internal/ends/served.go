package ends

import "sync"

// Variables of a system under test.
var (
	served  int                     // by the nodes together
	visits  = map[string]int{"": 1} // by each node for itself: see the test
	flag    bool
	pool    = sync.Pool{New: func() any { return new(int) }}
	untouch = []string{"a"}
)

// serve uses them, and returns what it finds.
func serve(name string) (total, mine int, was bool) {
	served++
	visits[name]++
	pool.Put(pool.Get())
	was, flag = flag, true
	return served, len(visits) + len(untouch), was
}
