package oracle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// drawAny draws a history of any text.
func drawAny(t *rapid.T) *History {
	now := int64(0)
	h := NewHistory(ClockFunc(func() int64 { return now }))
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "nil", "true", "1", "-7", "007", "1.5", "1/2", ":k", "[1 2]", "[1  2]", "(", `{"a" nil}`, "#{1}", "#t 1", `\a`, "x y", `"q"`, ":nemesis", "\xff", "\x00"}))
	open := map[string]Pending{}
	for n := rapid.IntRange(0, 12).Draw(t, "events"); n > 0; n-- {
		now += int64(rapid.IntRange(0, 5).Draw(t, "later"))
		h.SetEpoch(rapid.IntRange(h.epoch, h.epoch+1).Draw(t, "epoch"))
		process := rapid.SampledFrom([]string{"c1", "2", ":nemesis", ""}).Draw(t, "process")
		p, busy := open[process]
		if !busy {
			open[process] = h.Invoke(Call{process, text.Draw(t, "type"), text.Draw(t, "key"), text.Draw(t, "input"), text.Draw(t, "node")})
			continue
		}
		delete(open, process)
		switch rapid.IntRange(0, 3).Draw(t, "end") {
		case 0:
			p.Node(text.Draw(t, "node")).OK(text.Draw(t, "output"))
		case 1:
			p.Fail(errors.New(text.Draw(t, "error")))
		case 2:
			p.Unknown(fmt.Errorf("call: %w", context.DeadlineExceeded))
		default:
			p.Unknown(nil)
		}
	}
	return h
}

func TestRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawAny(t)
		for name, format := range map[string]struct {
			write func(*History, *bytes.Buffer) error
			read  func(*bytes.Buffer) (*History, error)
		}{
			"jsonl": {func(h *History, b *bytes.Buffer) error { return h.WriteJSONL(b) }, func(b *bytes.Buffer) (*History, error) { return ReadJSONL(b) }},
			"edn":   {func(h *History, b *bytes.Buffer) error { return h.WriteEDN(b) }, func(b *bytes.Buffer) (*History, error) { return ReadEDN(b) }},
		} {
			var b bytes.Buffer
			if err := format.write(h, &b); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			back, err := format.read(&b)
			if err != nil {
				t.Fatalf("%s: %v in\n%s", name, err, text)
			}
			got, want := back.Ops(), h.Ops()
			if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: read\n%+v\nwant\n%+v\nin\n%s", name, got, want, text)
			}
		}
	})
}

func TestValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vs := rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "values")
		op := Op{Input: Values(vs...)}
		if got := op.Args(); !reflect.DeepEqual(got, vs) {
			t.Fatalf("%q came back as %q from %s", vs, got, op.Input)
		}
	})
	for input, want := range map[string]string{"a b": "a b", "[": "[", "": ""} {
		op := Op{Input: input}
		if op.Arg(0) != want || op.Arg(1) != "" {
			t.Errorf("%q is %q", input, op.Args())
		}
	}
}

func TestFilesAsTheyAreWritten(t *testing.T) {
	h := script(t, "c1 put x 1\nc1 =\nc2 cas x [1 2]\nc2 unknown\nc3 get x")
	var j, e strings.Builder
	if err := errors.Join(h.WriteJSONL(&j), h.WriteEDN(&e)); err != nil {
		t.Fatal(err)
	}
	wantJ := `{"history":1,"start":1000000000}
{"id":0,"process":"c1","type":"put","key":"x","input":"1","status":"ok","node":"n1","invoke":1100000000,"complete":1200000000,"begin":1,"end":2}
{"id":1,"process":"c2","type":"cas","key":"x","input":"[1 2]","status":"unknown","error":"reset","invoke":1300000000,"complete":1400000000,"begin":3,"end":4}
{"id":2,"process":"c3","type":"get","key":"x","status":"open","invoke":1500000000,"begin":5}
`
	if j.String() != wantJ {
		t.Errorf("json lines\n%s\nwant\n%s", j.String(), wantJ)
	}
	wantE := `{:index 0, :type :invoke, :process "c1", :f :put, :value 1, :time 100000000, :key "x", :node "n1"}
{:index 1, :type :ok, :process "c1", :f :put, :value nil, :time 200000000}
{:index 2, :type :invoke, :process "c2", :f :cas, :value [1 2], :time 300000000, :key "x"}
{:index 3, :type :info, :process "c2", :f :cas, :value [1 2], :time 400000000, :error "reset"}
{:index 4, :type :invoke, :process "c3", :f :get, :value nil, :time 500000000, :key "x"}
`
	if e.String() != wantE {
		t.Errorf("edn\n%s\nwant\n%s", e.String(), wantE)
	}
}

func TestNemesisBeginsEpochs(t *testing.T) {
	h, err := ReadEDN(strings.NewReader(`[{:type :invoke :process 0 :f :read :value nil}
		{:type :info :process :nemesis :f :start} {:type :info :process :nemesis :f :start :value "cut"}
		{:type :ok :process 0 :f :read :value 1}
		#jepsen.history.Op{:type :invoke :process 1 :f :read :value nil}]`))
	if err != nil {
		t.Fatal(err)
	}
	if ops := h.Ops(); len(ops) != 2 || ops[0].Epoch != 0 || ops[1].Epoch != 2 || ops[0].Output != "1" {
		t.Errorf("%+v", ops)
	}
}

func TestReadErrors(t *testing.T) {
	edn := func(s string) error { _, err := ReadEDN(strings.NewReader(s)); return err }
	jsonl := func(s string) error { _, err := ReadJSONL(strings.NewReader(s)); return err }
	for _, c := range []struct {
		read func(string) error
		text string
		want string
	}{
		{edn, "[{:type :invoke\n  :process 1", "history: line 1, column 2: found a bracket that is never closed, want '}' after its elements: check whether the file was cut short"},
		{edn, "\n {:type :ok :process 1}", "line 2, column 2: found a completion of process 1, which has no open call"},
		{edn, "{:type :invoke :process 1}\n{:type :invoke :process 1}", "line 2, column 1: found a second call of process 1, whose call 0 is open"},
		{edn, "{:type :walk :process 1}", "line 1, column 8: found :walk, want :invoke, :ok, :fail or :info"},
		{edn, "{:process 1}", "line 1, column 1: found an event without :type"},
		{edn, "[1]", "line 1, column 2: found 1, want a map"},
		{edn, "{:type}", "found a map of 1 forms, want a value for every key"},
		{edn, "[1a]", `found "1a", want a number`},
		{edn, `["\q"]`, "found an escape that is unknown"},
		{edn, `["a`, "found a string that is never closed"},
		{edn, "]", "found ']', want a value"},
		{edn, "{:type :invoke :time 1.5}", "line 1, column 22: found 1.5, want a whole number"},
		{edn, strings.Repeat("[", 10000), "nested more than 200 deep"},
		{edn, strings.Repeat("#_", 10000), "nested more than 200 deep"},
		{edn, "[\n \"\xff\"]", "line 2, column 3: found the byte 0xff, want text in UTF-8"},
		{edn, strings.Repeat("\u00e9", 100), "found " + strings.Repeat("\u00e9", 20) + "..., want a map"},
		{edn, "#_", "found the end of the file"},
		{edn, `\`, `found a lone \`},
		{edn, "# 1", "found a lone #"},
		{jsonl, "{\"history\":1}\n{\"id\":0,", "history: line 2, column 8: found a line that is no JSON"},
		{jsonl, `{"history":9}`, "line 1, column 1: found version 9, want version 1"},
		{jsonl, `{"id":"x"}`, "found a string, want int as id"},
		{jsonl, `{"id":0,"status":"done"}`, `history: line 1, column 1: found status "done", want ok, failed, unknown or open`},
		{jsonl, `{"id":0,"status":"ok","begin":2,"end":1}`, "line 1, column 1: found its begin at place 2 and its end at 1, want its end later"},
		{jsonl, `{"id":0,"status":"ok","begin":1,"end":2,"invoke":2,"complete":1}`, "found it invoked at 2 and complete at 1"},
		{jsonl, `{"id":0,"status":"open","begin":1,"end":2}`, "found it open with an end at place 2"},
		{jsonl, `{"id":3,"status":"open","begin":1}`, "found it as number 0 in order of invocation"},
		{jsonl, `{"status":"fine","invoke":5}` + "\n" + `{"status":"open","invoke":1}`, "line 1, column 1: found status \"fine\""},
		{jsonl, `{"status":"open","invoke":1}` + "\n" + `{"status":"fine","invoke":1}`, "line 2, column 1: found status \"fine\""},
		{jsonl, `{"id":0,"status":"open","begin":1}` + "\n" + `{"id":1,"status":"open","begin":1}`, "line 2, column 1: found an event at place 1, as of call 0"},
	} {
		err := c.read(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.text, err, c.want)
		}
	}
}

// fuzzCheck reads, checks and writes whatever can be read: none may panic.
func fuzzCheck(t *testing.T, h *History, err error) {
	if err != nil {
		if !strings.HasPrefix(err.Error(), "history: ") {
			t.Errorf("error %q, want a place first", err)
		}
		return
	}
	if len(h.Ops()) > 50 {
		return
	}
	for _, m := range []Model{KV(), Registers(), Mutex(), Counter(), Queue(), Log(), Set()} {
		m.Types = nil
		for _, op := range h.Ops() {
			m.Types = append(m.Types, op.Type)
		}
		LinearizableWithin(h, m, Limits{Search: 2000, Evidence: 2000}).Check()
	}
	var b bytes.Buffer
	if err := h.WriteJSONL(&b); err != nil {
		t.Error(err)
	}
	back, err := ReadJSONL(&b)
	if err != nil || len(h.Ops()) > 0 && !reflect.DeepEqual(back.Ops(), h.Ops()) {
		t.Errorf("written and read again: %v\n%+v\nwant\n%+v", err, back, h.Ops())
	}
}

func FuzzReadEDN(f *testing.F) {
	for _, s := range []string{
		"{:type :invoke, :process 0, :f :txn, :value [[:r 1 nil] [:w 1 2]]}\n{:type :ok :process 0 :f :txn :value [[:r 1 2] [:w 1 2]]}",
		`[{:type :invoke :process "a" :f :cas :key :k :value [1 "x\n\u0041"] :time 5} ; note` + "\n" + `{:type :info :process "a" :error [:timed-out] :node "n1"}]`,
		`(#_1 #tag {:type :invoke :f :add :value #{1 2}} \a 1/2 1e3M 'x)`, "[", "{", `"\`, "#", `\`, "#_", ":", "+", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, err := ReadEDN(strings.NewReader(s))
		fuzzCheck(t, h, err)
	})
}

func FuzzReadJSONL(f *testing.F) {
	for _, s := range []string{
		`{"history":1,"start":5}` + "\n" + `{"id":0,"process":"c1","type":"cas","key":"x","input":"[1 2]","output":"true","status":"ok","invoke":5,"complete":6,"begin":1,"end":2}`,
		`{"status":"open"}` + "\n\n" + `{"status":"ok","type":"enqueue"}`, "{", "[]", "null", `{"id":1e99}`, "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, err := ReadJSONL(strings.NewReader(s))
		fuzzCheck(t, h, err)
	})
}

// TestConcurrentClients is for -race: real clients share a history.
func TestConcurrentClients(t *testing.T) {
	var clock sync.Mutex
	now := int64(0)
	h := NewHistory(ClockFunc(func() int64 { clock.Lock(); defer clock.Unlock(); now++; return now }))
	var clients, register sync.WaitGroup
	var mu sync.Mutex
	value := ""
	register.Add(1)
	for c := 0; c < 4; c++ {
		clients.Go(func() {
			register.Wait()
			for i := 0; i < 50; i++ {
				v := fmt.Sprint(c, ".", i)
				put := h.Invoke(Call{Process: fmt.Sprint(c), Type: "put", Input: v})
				mu.Lock()
				value = v
				mu.Unlock()
				put.OK("")
				get := h.Invoke(Call{Process: fmt.Sprint(c), Type: "get"})
				mu.Lock()
				got := value
				mu.Unlock()
				get.Node("n1").OK(got)
			}
		})
	}
	register.Done()
	clients.Wait()
	if out := Linearizable(h, KV()).Check(); out.Verdict != OK {
		t.Errorf("%s %s\n%s", out.Verdict, out.Message+out.Reason, out.Detail)
	}
	if n := h.Counts(); n != (Counts{Invoked: 400, OK: 400}) {
		t.Errorf("%+v", n)
	}
}
