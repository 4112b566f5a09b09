package oracle

import (
	"slices"
	"testing"

	"github.com/orrery-sim/orrery/sim/outcome"
	"pgregory.net/rapid"
)

// wrongs returns which experiments show that a checker is wrong.
func wrongs(c Checker) (out []bool) {
	for _, d := range c.(outcome.Doubter).Doubts() {
		out = append(out, d.Wrong)
	}
	return out
}

// stale is a history in which a read misses the write before it.
func stale(t *testing.T) *History {
	t.Helper()
	h, err := FromOps(0, []Op{
		{ID: 0, Process: "c1", Type: "put", Key: "x", Input: "1", Status: StatusOK, Invoke: 0, Complete: 10},
		{ID: 1, Process: "c2", Type: "get", Key: "x", Status: StatusOK, Invoke: 20, Complete: 30},
		{ID: 2, Process: "c1", Type: "put", Key: "x", Input: "2", Status: StatusUnknown, Invoke: 40, Complete: 50},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestDoubts(t *testing.T) {
	h := stale(t)
	judgeOf := func(v outcome.Verdict) Judge {
		return func(*History) Outcome { return Outcome{Outcome: outcome.Outcome{Verdict: v, Message: "no"}} }
	}
	right := func(h *History) Outcome { return Linearizable(h, KV()).Check() }
	good, err := h.Answered(KV())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		check Checker
		want  []bool
	}{
		{"linearizable", Linearizable(h, KV()), []bool{false}},
		{"a judge that is right", Judged("reads", h, KV(), right), []bool{false, false}},
		{"a judge that refuses everything", Judged("reads", h, KV(), judgeOf(Violation)), []bool{true, false}},
		{"a judge that refuses everything, of a right history", Judged("reads", good, KV(), judgeOf(Violation)), []bool{true, true}},
		{"a judge that cannot tell", Judged("reads", h, KV(), judgeOf(Unknown)), []bool{false, false}},
	} {
		if got := wrongs(c.check); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// What a model answers is linearizable, whatever was answered in its place.
func TestAnsweredIsLinearizable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := NewHistory(ClockFunc(func() int64 { return 0 }))
		var open []Pending
		for range rapid.IntRange(1, 12).Draw(t, "events") {
			if len(open) > 0 && rapid.Bool().Draw(t, "complete") {
				i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				switch p := open[i]; rapid.IntRange(0, 3).Draw(t, "how") {
				case 0:
					p.Fail(nil)
				case 1:
					p.Unknown(nil)
				default:
					p.OK(rapid.SampledFrom([]string{"", "1", "2", "true", "false"}).Draw(t, "output"))
				}
				open = slices.Delete(open, i, i+1)
				continue
			}
			kind := rapid.SampledFrom([]string{"get", "put", "cas"}).Draw(t, "type")
			input := map[string]string{"get": "", "put": "1", "cas": Values("1", "2")}[kind]
			open = append(open, h.Invoke(Call{Process: "c", Type: kind, Key: "x", Input: input}))
		}
		good, err := h.Answered(KV())
		if err != nil {
			t.Fatal(err)
		}
		if o := Linearizable(good, KV()).Check(); o.Verdict == Violation {
			t.Fatalf("%s\n%s\n%v", o.Message, o.Detail, good.Ops())
		}
	})
}
