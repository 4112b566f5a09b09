package etcd

import (
	"fmt"
	"sync"
	"testing"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// change is what one revision of the store did. No write of this scenario
// changes two keys, and none writes the empty string, which stands for a key that
// was deleted.
type change struct {
	revision   int64
	key, value string
}

func (c change) String() string {
	if c.value == "" {
		return fmt.Sprintf("revision %d deleted %s", c.revision, c.key)
	}
	return fmt.Sprintf("revision %d put %s=%s", c.revision, c.key, c.value)
}

// answer is what a linearizable call told of the store's revisions.
type answer struct {
	by       string
	revision int64   // of the store
	change   *change // that the call made or saw; nil: none
	wrote    bool    // the call made it

	begun int // place of the call's begin
}

// ledger checks the revisions of answers: a revision is one change, and a call
// that begins when another has been answered knows all that one did. This orders
// calls of different keys too.
type ledger struct {
	mu      sync.Mutex
	places  int
	answers []answer // in their order
	floors  map[int]answer
	known   answer // with the greatest revision so far
	wrong   string // the first call that did not know what it must
}

// begin notes that a call begins, and returns its place.
func (l *ledger) begin() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.places++
	if l.floors == nil {
		l.floors = map[int]answer{}
	}
	l.floors[l.places] = l.known
	return l.places
}

// answered notes the answer of a call that began at a place.
func (l *ledger) answered(begun int, a answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a.begun = begun
	floor := l.floors[begun]
	delete(l.floors, begun)
	if l.wrong == "" && (a.revision < floor.revision || a.wrote && a.revision == floor.revision) {
		l.wrong = fmt.Sprintf("%s was answered at revision %d, after %s had been answered at revision %d", a.by, a.revision, floor.by, floor.revision)
	}
	if a.revision > l.known.revision {
		l.known = a
	}
	l.answers = append(l.answers, a)
}

// Name is the promise that the ledger checks.
func (l *ledger) Name() string { return "revisions" }

// Conclude tells the first call that did not know what it must.
func (l *ledger) Conclude() outcome.Outcome {
	switch {
	case len(l.answers) == 0:
		return outcome.Outcome{Verdict: outcome.Vacuous, Reason: "no call was answered"}
	case l.wrong != "":
		return outcome.Outcome{Verdict: outcome.Violation, Message: l.wrong}
	}
	return outcome.Outcome{Verdict: outcome.OK}
}

func TestLedger(t *testing.T) {
	for name, c := range map[string]struct {
		play func(l *ledger)
		want outcome.Verdict
	}{
		"nothing": {func(*ledger) {}, outcome.Vacuous},
		"in order": {func(l *ledger) {
			l.answered(l.begin(), answer{revision: 2, wrote: true})
			l.answered(l.begin(), answer{revision: 2})
			l.answered(l.begin(), answer{revision: 3, wrote: true})
		}, outcome.OK},
		"at once": {func(l *ledger) {
			a, b := l.begin(), l.begin()
			l.answered(a, answer{revision: 3, wrote: true})
			l.answered(b, answer{revision: 2, wrote: true})
		}, outcome.OK},
		"stale read": {func(l *ledger) {
			l.answered(l.begin(), answer{revision: 3, wrote: true})
			l.answered(l.begin(), answer{revision: 2})
		}, outcome.Violation},
		"a revision twice": {func(l *ledger) {
			l.answered(l.begin(), answer{revision: 3, wrote: true})
			l.answered(l.begin(), answer{revision: 3, wrote: true})
		}, outcome.Violation},
		"stale to an answer that came while another call was under way": {func(l *ledger) {
			a := l.begin()
			l.answered(l.begin(), answer{revision: 5, wrote: true})
			b := l.begin()
			l.answered(a, answer{revision: 4, wrote: true})
			l.answered(b, answer{revision: 4})
		}, outcome.Violation},
	} {
		l := &ledger{}
		c.play(l)
		if got := l.Conclude().Verdict; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
