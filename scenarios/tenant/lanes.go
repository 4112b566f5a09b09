package tenant

import (
	"fmt"
	"strings"
	"sync"
)

// laneMost is how many requests of a tenant wait at most.
const laneMost = 50

// lanes share the workers among tenants: each has a lane, and the lanes take turns.
type lanes struct {
	bug string

	mu    sync.Mutex
	some  *sync.Cond
	all   []*lane
	turn  int // of the lane that is looked at first
	count int // tasks so far
}

// lane is a tenant's requests in order.
type lane struct {
	tenant  string
	waiting []task
	running int
}

type task struct {
	number int // in the order in which all came
	do     func()
	done   chan struct{}
}

func newLanes(accounts Accounts, bug string) *lanes {
	l := &lanes{bug: bug}
	l.some = sync.NewCond(&l.mu)
	for _, a := range accounts {
		l.all = append(l.all, &lane{tenant: a.Tenant})
	}
	return l
}

// run has a worker do something for a tenant, and returns when it is done. It returns
// false if too much waits already.
func (l *lanes) run(tenant string, do func()) bool {
	done := make(chan struct{})
	l.mu.Lock()
	for _, lane := range l.all {
		if lane.tenant != tenant {
			continue
		}
		if len(lane.waiting) >= laneMost {
			l.mu.Unlock()
			return false
		}
		l.count++
		lane.waiting = append(lane.waiting, task{l.count, do, done})
	}
	l.some.Signal()
	l.mu.Unlock()
	<-done
	return true
}

// work does what waits, for ever.
func (l *lanes) work() {
	l.mu.Lock()
	for {
		lane := l.next()
		if lane == nil {
			l.some.Wait()
			continue
		}
		t := lane.waiting[0]
		lane.waiting = lane.waiting[1:]
		lane.running++
		l.mu.Unlock()
		t.do()
		close(t.done)
		l.mu.Lock()
		lane.running--
	}
}

// next returns the lane whose turn it is, among those that have something to do.
func (l *lanes) next() *lane {
	if l.bug == bugFIFO {
		return l.oldest()
	}
	for i := range l.all {
		at := (l.turn + i) % len(l.all)
		if len(l.all[at].waiting) > 0 {
			if l.bug != bugFirstLane {
				l.turn = at + 1
			}
			return l.all[at]
		}
	}
	return nil
}

func (l *lanes) oldest() (first *lane) {
	for _, one := range l.all {
		if len(one.waiting) > 0 && (first == nil || one.waiting[0].number < first.waiting[0].number) {
			first = one
		}
	}
	return first
}

// text says how many requests of a tenant wait or are worked at.
func (l *lanes) text(tenant string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b strings.Builder
	for _, one := range l.all {
		busy := len(one.waiting) + one.running
		if one.tenant == tenant || l.bug == bugMetricsNames && busy > 0 {
			fmt.Fprintf(&b, "in_queue{tenant=%q} %d\n", one.tenant, busy)
		}
	}
	return b.String()
}
