package shrink

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// model is a scenario whose runs are a function of what was asked for: two clients
// of eight operations each, a link, and a goroutine that departs from first in,
// first out.
type model struct {
	fails func(m made) bool
	runs  atomic.Int64
}

// made is what a run of the model did.
type made struct {
	req    run.Request
	values map[string][]uint64 // by stream, as the run drew them
}

// drew reports whether a stream drew this value at an index.
func (m made) drew(stream string, index int, value uint64) bool {
	v := m.values[stream]
	return index < len(v) && v[index] == value
}

// Run draws every choice as a world does: the seed's, or 0 where it is neutral, or
// what is given.
func (m *model) Run(_ context.Context, req run.Request) (run.Output, error) {
	m.runs.Add(1)
	w := recorder{src: choice.New(req.Seed, req.Overrides...)}
	w.src.Neutral(choice.NameKeys(req.Neutral))
	w.src.Record(w.choice)
	did := made{req, map[string][]uint64{}}
	draw := func(t *choice.Stream, bound uint64) uint64 {
		v := t.Draw(bound)
		did.values[t.Name()] = append(did.values[t.Name()], v)
		return v
	}
	for c := range 2 {
		client := fmt.Sprint("c", c+1)
		drops := w.src.NeutralStream("drop/" + client)
		if draw(drops, 2) != 0 {
			continue
		}
		for i := range 8 {
			if draw(drops, 2) == 0 {
				draw(w.src.Stream(fmt.Sprint("client/", client, "/", i)), 100)
			}
		}
	}
	links := []*choice.Stream{w.src.Stream("net/n1>n2"), w.src.Stream("net/n2>n1"), w.src.Stream("disk/n1/latency")}
	for range 20 {
		for _, t := range links {
			draw(t, 1000)
		}
	}
	if req.Faults == nil { // as a world draws it
		req.Faults = numbered(6)
		did.req.Faults = req.Faults
	}
	out := run.Output{Result: run.Result{Seed: req.Seed, Verdict: run.Pass, Virtual: 20e9}, Events: w.words}
	if req.Safety > 0 {
		out.Virtual = req.Safety
	}
	for _, f := range req.Faults {
		out.Faults = append(out.Faults, run.Fault{Text: f, Landed: true})
	}
	if m.fails(did) {
		out.Verdict, out.Violation = run.Violated, &run.Violation{Oracle: "model", Message: "it fails"}
	}
	return out, nil
}

// recorder writes choices as the runtime records them.
type recorder struct {
	src   *choice.Source
	words []uint64
}

func (w *recorder) choice(c choice.Choice) {
	if c.Index == 0 {
		text := make([]uint64, (len(c.Stream)+7)/8)
		for i := range len(c.Stream) {
			text[i/8] |= uint64(c.Stream[i]) << (i % 8 * 8)
		}
		w.words = append(w.words, uint64(trace.Stream)|uint64(len(c.Stream))<<16, 0, uint64(c.Key), 0, 0, 0)
		w.words = append(w.words, text...)
	}
	w.words = append(w.words, uint64(trace.Run), 0, 0, 0, 0, 0)
	w.words = append(w.words, uint64(trace.Choice), c.Value, uint64(c.Key), c.Index, c.Bound, 0)
}

func shrunkBy(t *testing.T, runs Runs, procs int) Outcome {
	t.Helper()
	req := run.Request{Seed: 5, Params: map[string]string{"nodes": "5"}, Faults: numbered(6)}
	failed, err := runs.Run(t.Context(), req)
	if err != nil || failed.Violation == nil {
		t.Fatalf("the model does not fail: %v", err)
	}
	out, err := Shrink(t.Context(), runs, req, failed.Result, Options{
		Budget: 5000, Procs: procs, Params: map[string][]string{"nodes": {"3", "5", "7"}, "bug": {"none", "some"}}, Now: time.Now,
	})
	if err != nil || out.End != Minimal {
		t.Fatalf("shrinking ended with %s, %v", out.End, err)
	}
	return out
}

// parting is a model that makes runs that part, too: the slow way, and to see that
// each is the run until it parts.
type parting struct {
	model
	t       *testing.T
	futures atomic.Int64
}

func (p *parting) Branch(ctx context.Context, req run.Request, branches []run.Branch) (out [][]run.Output, err error) {
	trunk, err := p.Run(ctx, req)
	if err != nil {
		return nil, err
	}
	for i, b := range branches {
		if i > 0 && b.At.Events <= branches[i-1].At.Events {
			p.t.Errorf("branches after %d events, and then %d", branches[i-1].At.Events, b.At.Events)
		}
		var outputs []run.Output
		for _, f := range b.Futures {
			future := req
			future.Overrides = slices.Concat(req.Overrides, f.Overrides)
			o, err := p.Run(ctx, future)
			if err != nil {
				return nil, err
			}
			if w := eventWords(trunk.Events, b.At.Events); !slices.Equal(w, eventWords(o.Events, b.At.Events)) {
				p.t.Errorf("a future after %d events differs before: %v", b.At.Events, f.Overrides)
			}
			outputs = append(outputs, o)
			p.futures.Add(1)
		}
		out = append(out, outputs)
	}
	return out, nil
}

// eventWords returns the words of a record's first n events that count.
func eventWords(words []uint64, n uint64) []uint64 {
	at := 0
	for r := trace.NewReader(words); n > 0; {
		e, _ := r.Next()
		at += 6 + (len(e.Text)+7)/8
		if e.Kind.Hashed() {
			n--
		}
	}
	return words[:at]
}

// TestKnownMinima: what a failure is made to need is what is left.
func TestKnownMinima(t *testing.T) {
	needs := func(faults ...string) func(made) bool {
		return func(m made) bool { return holds(m.req.Faults, faults...) }
	}
	at := func(stream string, index uint64, bound uint64) uint64 {
		s := choice.New(5).Stream(stream)
		for range index {
			s.Draw(bound)
		}
		return s.Draw(bound)
	}
	link, argument := at("net/n1>n2", 7, 1000), at("client/c2/3", 0, 100)
	for _, c := range []struct {
		name    string
		fails   func(made) bool
		want    run.Request
		clients int
		calls   int
		futures bool
	}{
		{
			name: "nothing", fails: func(made) bool { return true },
			want: run.Request{
				Params: map[string]string{"nodes": "3"}, Faults: []string{}, Safety: 1e6,
				Overrides: dropped("drop/c1", 0, "drop/c2", 0), Neutral: []string{"disk", "net", "sched"},
			},
		},
		{
			name: "a delay", fails: func(m made) bool { return m.drew("net/n1>n2", 7, link) && needs("at 300ms kill n3")(m) },
			want: run.Request{
				Params: map[string]string{"nodes": "3"}, Faults: []string{"at 300ms kill n3"}, Safety: 1e6,
				Overrides: slices.Concat(dropped("drop/c1", 0, "drop/c2", 0), []choice.Override{{Stream: "net/n1>n2", Index: 7, Value: link}}),
				Neutral:   []string{"disk", "net", "sched"},
			},
		},
		{
			name: "a delay, or faults that a plan in place of none would have", fails: func(m made) bool {
				return m.drew("net/n1>n2", 7, link) || len(m.req.Faults) == 6
			},
			want: run.Request{
				Params: map[string]string{"nodes": "3"}, Faults: []string{}, Safety: 1e6,
				Overrides: slices.Concat(dropped("drop/c1", 0, "drop/c2", 0), []choice.Override{{Stream: "net/n1>n2", Index: 7, Value: link}}),
				Neutral:   []string{"disk", "net", "sched"},
			},
		},
		{
			name: "a call with its argument, of five nodes", fails: func(m made) bool {
				return m.drew("client/c2/3", 0, argument) && m.req.Params["nodes"] == "5"
			},
			want: run.Request{
				Params: map[string]string{"nodes": "5"}, Faults: []string{}, Safety: 1e6,
				Overrides: slices.Concat([]choice.Override{{Stream: "client/c2/3", Index: 0, Value: argument}},
					dropped("drop/c1", 0, "drop/c2", 1, "drop/c2", 2, "drop/c2", 3, "drop/c2", 5, "drop/c2", 6, "drop/c2", 7, "drop/c2", 8)),
				Neutral: []string{"client/c2/3", "disk", "net", "sched"},
			},
			clients: 1, calls: 1,
		},
		{
			name: "a call, whatever its argument", fails: func(m made) bool { return len(m.values["client/c1/6"]) > 0 },
			want: run.Request{
				Params: map[string]string{"nodes": "3"}, Faults: []string{}, Safety: 1e6,
				Overrides: dropped("drop/c1", 1, "drop/c1", 2, "drop/c1", 3, "drop/c1", 4, "drop/c1", 5, "drop/c1", 6, "drop/c1", 8, "drop/c2", 0),
				Neutral:   []string{"client/c1/6", "disk", "net", "sched"},
			},
			clients: 1, calls: 1,
		},
		{
			name: "calls of two clients", futures: true, fails: func(m made) bool {
				return len(m.values["client/c1/1"]) > 0 && len(m.values["client/c1/6"]) > 0 && len(m.values["client/c2/4"]) > 0
			},
			want: run.Request{
				Params: map[string]string{"nodes": "3"}, Faults: []string{}, Safety: 1e6,
				Overrides: dropped("drop/c1", 1, "drop/c1", 3, "drop/c1", 4, "drop/c1", 5, "drop/c1", 6, "drop/c1", 8,
					"drop/c2", 1, "drop/c2", 2, "drop/c2", 3, "drop/c2", 4, "drop/c2", 6, "drop/c2", 7, "drop/c2", 8),
				Neutral: []string{"client/c1/1", "client/c1/6", "client/c2/4", "disk", "net", "sched"},
			},
			clients: 2, calls: 3,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &model{fails: c.fails}
			out := shrunkBy(t, m, 1)
			c.want.Seed = 5
			got := out.Request
			if got.Safety > 50e6 { // the model's time is what is asked for: the length goes down to the grain
				t.Errorf("the run lasts %d ns", got.Safety)
			}
			got.Safety = c.want.Safety
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
			if out.After.Clients != c.clients || out.After.Calls != c.calls {
				t.Errorf("%d clients and %d calls are left, want %d and %d", out.After.Clients, out.After.Calls, c.clients, c.calls)
			}
			for _, procs := range []int{2, 7} {
				parts := &parting{model: model{fails: c.fails}, t: t}
				for name, runs := range map[string]Runs{"alone": &model{fails: c.fails}, "as futures": parts} {
					again := shrunkBy(t, runs, procs)
					if !reflect.DeepEqual(again.Request, out.Request) || again.Runs != out.Runs {
						t.Errorf("%d at a time, %s: %+v in %d runs, want %+v in %d", procs, name, again.Request, again.Runs, out.Request, out.Runs)
					}
				}
				if n := parts.futures.Load(); procs == 2 && (n > 0) != c.futures {
					t.Errorf("%d at a time: %d candidates were futures", procs, n)
				}
			}
			if !strings.Contains(string(out.End), "minimal") || m.runs.Load() > 2000 {
				t.Errorf("%d runs, end %s", m.runs.Load(), out.End)
			}
		})
	}
}

// unrepeated is a model no two runs of which are equal.
type unrepeated struct{ model }

func (u *unrepeated) Run(ctx context.Context, req run.Request) (run.Output, error) {
	out, err := u.model.Run(ctx, req)
	out.Hash = fmt.Sprint(u.runs.Load())
	return out, err
}

// TestRunsThatDiffer: a run that differs from its record ends the search, and is told
// as that with any budget.
func TestRunsThatDiffer(t *testing.T) {
	for _, budget := range []int{1, 2, 5000} {
		runs := &unrepeated{model{fails: func(made) bool { return true }}}
		req := run.Request{Seed: 5, Faults: numbered(6)}
		failed, err := runs.Run(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Shrink(t.Context(), runs, req, failed.Result, Options{Budget: budget})
		if !errors.Is(err, ErrNondeterministic) || out.End != Interrupted {
			t.Errorf("budget %d: %s, %v; want %v", budget, out.End, err, ErrNondeterministic)
		}
	}
}

// dropped makes overrides that leave out: a stream, an index, a stream ...
func dropped(pairs ...any) (out []choice.Override) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, choice.Override{Stream: pairs[i].(string), Index: uint64(pairs[i+1].(int)), Value: 1})
	}
	return out
}

// Calm goes away as far as the failure allows.
func TestCalmIsTakenAway(t *testing.T) {
	const whole = int64(16 * time.Second)
	for _, needed := range []int64{0, whole / 16, whole / 4} {
		m := &model{fails: func(m made) bool { return m.req.Calm >= needed }}
		req := run.Request{Seed: 5, Faults: numbered(2), Calm: whole}
		failed, err := m.Run(t.Context(), req)
		if err != nil || failed.Violation == nil {
			t.Fatalf("the model does not fail: %v", err)
		}
		out, err := Shrink(t.Context(), m, req, failed.Result, Options{Budget: 2000})
		if err != nil || out.Request.Calm != needed {
			t.Errorf("calm of %v is left, want %v: %v", time.Duration(out.Request.Calm), time.Duration(needed), err)
		}
	}
}
