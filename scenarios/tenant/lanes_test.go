package tenant

import (
	"slices"
	"testing"
	"time"
)

// Lanes take turns, whoever has more in them; without turns it is by age, or by place.
func TestTurns(t *testing.T) {
	for bug, want := range map[string][]string{
		"":           {"a", "b", "c", "a", "c", "a"},
		bugFIFO:      {"a", "a", "a", "c", "c", "b"},
		bugFirstLane: {"a", "a", "a", "b", "c", "c"},
	} {
		l := newLanes(Accounts{{"a", "1"}, {"b", "2"}, {"c", "3"}}, bug)
		for n, i := range []int{0, 0, 0, 2, 2, 1} {
			l.all[i].waiting = append(l.all[i].waiting, task{number: n})
		}
		var got []string
		for lane := l.next(); lane != nil; lane = l.next() {
			lane.waiting = lane.waiting[1:]
			got = append(got, lane.tenant)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", bug, got, want)
		}
	}
}

// A lane that is full takes no more, and another does.
func TestFullLane(t *testing.T) {
	l := newLanes(Accounts{{"a", "1"}, {"b", "2"}}, "")
	l.all[0].waiting = make([]task, laneMost)
	if l.run("a", func() {}) {
		t.Error("a full lane took one more")
	}
	go func() { // a worker, for b's task
		l.mu.Lock()
		for l.turn = 1; len(l.all[1].waiting) == 0; {
			l.some.Wait()
		}
		one := l.next().waiting[0]
		l.mu.Unlock()
		one.do()
		close(one.done)
	}()
	done := false
	if !l.run("b", func() { done = true }) || !done {
		t.Error("an empty lane took nothing, or it was not done")
	}
}

// A tenant that has used up its tokens gets more with time, and takes nobody else's.
func TestLimits(t *testing.T) {
	now := time.Unix(1, 0)
	for bug, others := range map[string]bool{"": true, bugLimiterGlobal: false} {
		l := newLimits(bug)
		for i := range int(limitBurst) {
			if !l.allow("a", now) {
				t.Fatalf("%q: request %d was refused, of %v at once", bug, i+1, limitBurst)
			}
		}
		if l.allow("a", now) || l.allow("b", now) != others {
			t.Errorf("%q: one too many was allowed, or another tenant is not as wanted: %t", bug, others)
		}
		if !l.allow("a", now.Add(time.Second/limitRate+time.Millisecond)) {
			t.Errorf("%q: no token came back", bug)
		}
	}
}

func TestAccounts(t *testing.T) {
	var a Accounts
	if err := a.Set("acme=t1,globex=t2"); err != nil || a.String() != "acme=t1,globex=t2" || len(a) != 2 {
		t.Errorf("got %v, %v", a, err)
	}
	for _, wrong := range []string{"", "acme", "=t1", "acme="} {
		if err := new(Accounts).Set(wrong); err == nil {
			t.Errorf("%q was taken", wrong)
		}
	}
}
