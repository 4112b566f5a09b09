package oracle

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// load is a group's calls, one after another.
type load struct {
	group string
	calls int
	takes time.Duration // each
	every time.Duration // from one call's start to the next's, if it does not take longer
	late  int           // how many of them, in the middle, take ten times as long
	ends  Status        // "" is ok
	err   error
	start time.Duration
}

const ms = time.Millisecond

// fairOf makes a history of loads that run side by side.
func fairOf(t testing.TB, loads ...load) *History {
	t.Helper()
	var ops []Op
	for _, l := range loads {
		now := l.start
		for i := range l.calls {
			takes := l.takes
			if i >= l.calls/2 && i < l.calls/2+l.late {
				takes *= 10
			}
			op := Op{Process: l.group, Type: "get", Key: l.group, Status: StatusOK, Invoke: int64(now), Complete: int64(now + takes)}
			if l.ends != "" {
				op.Status, op.Timeout, op.Error = l.ends, errors.Is(l.err, os.ErrDeadlineExceeded), fmt.Sprint(l.err)
			}
			if op.Status == StatusOpen {
				op.Complete, op.Error = 0, ""
			}
			ops = append(ops, op)
			now += max(l.every, takes)
		}
	}
	h, err := FromOps(0, ops)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestFair is the decision table: for each row a history that breaks it and, next to it,
// the nearest one that does not.
func TestFair(t *testing.T) {
	steady := func(group string) load { return load{group: group, calls: 200, takes: 10 * ms, every: 50 * ms} }
	late := func(n int) load { l := steady("b"); l.late = n; return l }
	calm := fairOf(t, steady("a"), steady("b"))
	others := FairRules{ToOthers: 3}
	baseline := FairRules{ToBaseline: 3, Baseline: calm, Groups: []string{"a", "b"}}
	windows := FairRules{Window: time.Second, Answers: 5}
	refused := load{group: "b", calls: 1000, takes: ms, every: 10 * ms, ends: StatusFailed, err: errors.New("busy")}
	for _, c := range []struct {
		name    string
		loads   []load
		rules   FairRules
		verdict outcome.Verdict
		says    string
	}{
		{"all alike", []load{steady("a"), steady("b")}, FairRules{ToOthers: 1.1, ToBaseline: 1.1, Baseline: calm, Window: time.Second, Answers: 5}, OK, ""},

		{"three in two hundred late", []load{steady("a"), late(3)}, others, Violation, `slow: the p99 of "b" is 100ms, 10.0 times the p99 of all others, 10ms, want 3 times at most`},
		{"two in two hundred late", []load{steady("a"), late(2)}, others, OK, ""},
		{"late within the slack", []load{steady("a"), late(3)}, FairRules{ToOthers: 3, Slack: 90 * ms}, OK, ""},
		{"late, just out of the slack", []load{steady("a"), late(3)}, FairRules{ToOthers: 3, Slack: 89 * ms}, Violation, "slow"},
		{"late, of a group that is owed nothing", []load{steady("a"), late(3)}, FairRules{ToOthers: 3, Groups: []string{"a"}}, OK, ""},
		{"a small group late, which the p99 of all does not show", []load{{group: "a", calls: 20000, takes: 10 * ms, every: 50 * ms}, {group: "b", calls: 100, takes: 100 * ms}}, others, Violation, `slow: the p99 of "b"`},
		{"deadlines passed", []load{steady("a"), {group: "b", calls: 200, takes: 100 * ms, ends: StatusUnknown, err: os.ErrDeadlineExceeded}}, others, Violation, `slow: the p99 of "b" is 100ms`},
		{"open calls", []load{steady("a"), steady("b"), {group: "b", calls: 5, ends: StatusOpen}}, others, Violation, `slow: the p99 of "b"`},

		{"all slower than in the baseline", []load{{group: "a", calls: 200, takes: 31 * ms}, {group: "b", calls: 200, takes: 31 * ms}}, baseline, Violation, `noisy neighbour: the p99 of "a" is 31ms, 3.1 times the p99 of its baseline, 10ms, want 3 times at most`},
		{"as slow as it may be", []load{{group: "a", calls: 200, takes: 30 * ms}, {group: "b", calls: 200, takes: 30 * ms}}, baseline, OK, ""},
		{"slower since the second half began", []load{{group: "a", calls: 200, takes: 10 * ms}, {group: "a", calls: 200, takes: 10 * ms, start: 2 * time.Second}, {group: "b", calls: 200, takes: 10 * ms}, {group: "b", calls: 200, takes: 31 * ms, start: 2 * time.Second}},
			FairRules{ToBaseline: 3, From: 2 * time.Second}, Violation, `noisy neighbour: the p99 of "b" is 31ms, 3.1 times the p99 of its baseline, 10ms`},
		{"no slower since", []load{{group: "a", calls: 200, takes: 10 * ms}, {group: "a", calls: 200, takes: 10 * ms, start: 2 * time.Second}, {group: "b", calls: 200, takes: 10 * ms}, {group: "b", calls: 200, takes: 30 * ms, start: 2 * time.Second}},
			FairRules{ToBaseline: 3, From: 2 * time.Second}, OK, ""},
		{"slow only before calls are judged", []load{steady("a"), late(3), {group: "a", calls: 100, takes: 10 * ms, start: 20 * time.Second}, {group: "b", calls: 100, takes: 10 * ms, start: 20 * time.Second}},
			FairRules{ToOthers: 3, From: 20 * time.Second}, OK, ""},
		{"all slower, and alike", []load{{group: "a", calls: 200, takes: 31 * ms}, {group: "b", calls: 200, takes: 31 * ms}}, others, OK, ""},

		{"waits all the time", []load{steady("a"), {group: "b", calls: 30, takes: 250 * ms}}, windows, Violation, `starved: "b" got 3 answers from 0.000s to 1.000s, want 5: its calls waited for 1s, 0 came to nothing, and others got 20 answers`},
		{"waits all the time, and is slower than in the baseline", []load{steady("a"), {group: "b", calls: 30, takes: 250 * ms}}, FairRules{ToBaseline: 3, Baseline: calm, Window: time.Second, Answers: 5}, Violation, "starved"},
		{"waits less", []load{steady("a"), {group: "b", calls: 40, takes: 199 * ms}}, windows, OK, ""},
		{"asks for little after all", []load{steady("a"), {group: "b", calls: 10, takes: 50 * ms, every: 100 * ms}, {group: "b", calls: 10, takes: 50 * ms, every: time.Second}}, windows, OK, ""},
		{"is refused", []load{steady("a"), refused}, windows, Violation, `starved: "b" got 0 answers`},
		{"is refused when nobody is served", []load{{group: "a", calls: 200, takes: 10 * ms, every: 50 * ms, ends: StatusFailed, err: errors.New("busy")}, refused}, windows, Unknown, "group a has no window"},
		{"is refused beside its answers", []load{steady("a"), steady("b"), refused}, windows, OK, ""},
		{"one call that stays open", []load{steady("a"), {group: "b", calls: 1, ends: StatusOpen}}, windows, Violation, `starved: "b"`},

		{"few samples", []load{steady("a"), {group: "b", calls: 99, takes: 10 * ms}}, FairRules{ToOthers: 3, Groups: []string{"b"}}, Unknown, "group b has 99 samples, want 100 for a p99"},
		{"few samples, and even their median is slow", []load{steady("a"), {group: "b", calls: 10, takes: 31 * ms}}, FairRules{ToOthers: 3, Groups: []string{"b"}}, Violation, `slow: the median alone of "b" is 31ms`},
		{"too few samples for a median", []load{steady("a"), {group: "b", calls: 9, takes: 31 * ms}}, FairRules{ToOthers: 3, Groups: []string{"b"}}, Unknown, "group b has 9 samples"},
		{"few samples, and half of them slow", []load{steady("a"), {group: "b", calls: 5, takes: 31 * ms}, {group: "b", calls: 6, takes: 10 * ms}}, FairRules{ToOthers: 3, Groups: []string{"b"}}, Unknown, "group b has 11 samples"},
		{"few samples of others", []load{{group: "a", calls: 99, takes: 10 * ms}, steady("b")}, FairRules{ToOthers: 3, Groups: []string{"b"}}, Unknown, "all others beside group b has 99 samples"},
		{"few samples, few wanted", []load{steady("a"), {group: "b", calls: 99, takes: 10 * ms}}, FairRules{ToOthers: 3, Samples: 99}, OK, ""},
		{"few samples in the baseline", []load{steady("a"), steady("b")}, FairRules{ToBaseline: 3, Baseline: fairOf(t, steady("a"), load{group: "b", calls: 9}), Groups: []string{"a", "b"}}, Unknown, "its baseline beside group b has 9 samples"},
		{"few samples, and a violation by another rule", []load{steady("a"), {group: "b", calls: 30, takes: 250 * ms}}, FairRules{ToOthers: 100, Window: time.Second, Answers: 5}, Violation, "starved"},
		{"few samples for one rule, and a violation by the next", []load{steady("a"), late(3)}, FairRules{ToBaseline: 100, Baseline: fairOf(t, steady("a")), ToOthers: 3, Groups: []string{"b"}}, Violation, "slow"},
		{"one group", []load{steady("a")}, others, Vacuous, "1 group"},
		{"no calls", nil, others, Vacuous, "0 groups"},
		{"no rule", []load{steady("a"), steady("b")}, FairRules{}, Unknown, "no rule was given"},
		{"no baseline", []load{steady("a"), steady("b")}, FairRules{ToBaseline: 3}, Unknown, "no baseline was given"},
		{"no number of answers", []load{steady("a"), steady("b")}, FairRules{Window: time.Second}, Unknown, "set Answers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			check := Fair(fairOf(t, c.loads...), c.rules)
			o := check.Check()
			if text := o.Message + o.Reason; o.Verdict != c.verdict || !strings.HasPrefix(o.Message, c.says) && !strings.Contains(o.Reason, c.says) {
				t.Errorf("got %s: %s, want %s: %s", o.Verdict, text, c.verdict, c.says)
			}
			if o.Verdict != Violation {
				return
			}
			if len(o.Ops) == 0 || o.Key == "" {
				t.Errorf("evidence %d calls of group %q", len(o.Ops), o.Key)
			}
			for _, d := range check.(outcome.Doubter).Doubts() {
				if d.Wrong || !d.Made {
					t.Errorf("%+v", d)
				}
			}
		})
	}
}
