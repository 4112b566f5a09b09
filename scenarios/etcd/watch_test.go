package etcd

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// firstRevision is that of an empty store.
const firstRevision = 1

// watcher watches every key from the store's beginning.
type watcher struct {
	name string

	mu   sync.Mutex
	seen []change
}

// watch watches for ever. When a watch ends, the next one goes on from there.
func (wt *watcher) watch(nodes []*sim.Node) {
	cl := dial(nodes...)
	for {
		ctx, cancel := context.WithCancel(clientv3.WithRequireLeader(context.Background()))
		for r := range cl.Watch(ctx, "", clientv3.WithPrefix(), clientv3.WithRev(wt.last()+1)) {
			wt.saw(r.Events)
		}
		cancel()
		time.Sleep(100 * time.Millisecond)
	}
}

func (wt *watcher) saw(events []*clientv3.Event) {
	wt.mu.Lock()
	defer wt.mu.Unlock()
	for _, e := range events {
		ch := change{e.Kv.ModRevision, string(e.Kv.Key), string(e.Kv.Value)}
		if e.Type == clientv3.EventTypeDelete {
			ch.value = ""
		}
		wt.seen = append(wt.seen, ch)
	}
}

// last is the revision of the last event.
func (wt *watcher) last() int64 {
	wt.mu.Lock()
	defer wt.mu.Unlock()
	if len(wt.seen) == 0 {
		return firstRevision
	}
	return wt.seen[len(wt.seen)-1].revision
}

// revisionsSeen checks that every watch saw each revision once, in order, and that
// all who know of a revision, watches and answers, know the same change.
func revisionsSeen(l *ledger, watchers []*watcher) outcome.Checker {
	return outcome.Func("watch", func() outcome.Outcome {
		events := 0
		changes := map[int64]claim{}
		for _, wt := range watchers {
			events += len(wt.seen)
			for i, ch := range wt.seen {
				before := int64(firstRevision)
				if i > 0 {
					before = wt.seen[i-1].revision
				}
				if ch.revision != before+1 {
					return violation("the watch of %s had %s after revision %d", wt.name, ch, before)
				}
				if o := agreed(changes, claim{ch, "the watch of " + wt.name}); o.Verdict != outcome.OK {
					return o
				}
			}
		}
		for _, a := range l.answers {
			if a.change == nil {
				continue
			}
			if o := agreed(changes, claim{*a.change, "an answer to " + a.by}); o.Verdict != outcome.OK {
				return o
			}
		}
		if events == 0 {
			return outcome.Outcome{Verdict: outcome.Vacuous, Reason: "no watch saw an event"}
		}
		return outcome.Outcome{Verdict: outcome.OK}
	})
}

// claim is what somebody says that a revision did.
type claim struct {
	change
	by string
}

// agreed compares a claim with the first one of its revision.
func agreed(changes map[int64]claim, c claim) outcome.Outcome {
	first, ok := changes[c.revision]
	if !ok {
		changes[c.revision] = c
		return outcome.Outcome{Verdict: outcome.OK}
	}
	if first.change != c.change {
		return violation("by %s %s, by %s %s", first.by, first.change, c.by, c.change)
	}
	return outcome.Outcome{Verdict: outcome.OK}
}

func violation(format string, args ...any) outcome.Outcome {
	return outcome.Outcome{Verdict: outcome.Violation, Message: fmt.Sprintf(format, args...)}
}

func TestRevisionsSeen(t *testing.T) {
	put2, put3, del4 := change{2, "a", "x"}, change{3, "b", "y"}, change{4, "a", ""}
	for name, c := range map[string]struct {
		watches [][]change
		answers []change
		want    outcome.Verdict
	}{
		"no event":                   {[][]change{nil, nil}, []change{put2}, outcome.Vacuous},
		"all":                        {[][]change{{put2, put3, del4}, {put2}}, []change{put3, del4}, outcome.OK},
		"a gap":                      {[][]change{{put2, del4}}, nil, outcome.Violation},
		"a late start":               {[][]change{{put3}}, nil, outcome.Violation},
		"an event twice":             {[][]change{{put2, put2}}, nil, outcome.Violation},
		"out of order":               {[][]change{{put2, del4, put3}}, nil, outcome.Violation},
		"watches that differ":        {[][]change{{put2}, {change{2, "a", "z"}}}, nil, outcome.Violation},
		"an answer that is not seen": {[][]change{{put2, put3}}, []change{{3, "c", "y"}}, outcome.Violation},
		"answers that differ":        {[][]change{{put2}}, []change{{9, "a", "x"}, {9, "a", "y"}}, outcome.Violation},
	} {
		var watchers []*watcher
		for _, seen := range c.watches {
			watchers = append(watchers, &watcher{name: "w", seen: seen})
		}
		l := &ledger{}
		for _, ch := range c.answers {
			l.answers = append(l.answers, answer{by: "c", change: &ch})
		}
		if got := revisionsSeen(l, watchers).Conclude(); got.Verdict != c.want {
			t.Errorf("%s: %s %s, want %s", name, got.Verdict, got.Message, c.want)
		}
	}
}
