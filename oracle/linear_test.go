package oracle

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// script records a history of lines, one an event, 100 ms after the one before:
//
//	c1 put x 1     a call of c1, of key x with an input
//	c1 get x       a call without an input
//	c1 = 1         its answer; c1 = alone is an empty one
//	c1 failed      c1 unknown
func script(t testing.TB, lines string) *History {
	t.Helper()
	now := int64(1_000_000_000)
	h := NewHistory(ClockFunc(func() int64 { return now }))
	open := map[string]Pending{}
	for _, line := range strings.Split(lines, "\n") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		now += int64(100 * time.Millisecond)
		rest := strings.Join(f[2:], " ")
		switch p := open[f[0]]; f[1] {
		case "=":
			p.Node("n" + f[0][1:]).OK(rest)
		case "failed":
			p.Fail(errors.New("refused"))
		case "unknown":
			p.Unknown(errors.New("reset"))
		default:
			key, input, _ := strings.Cut(rest, " ")
			open[f[0]] = h.Invoke(Call{Process: f[0], Type: f[1], Key: key, Input: input})
		}
	}
	return h
}

var decisions = []struct {
	rule  string
	model Model
	bad   string
	why   string // the message
	good  string
}{
	{"an acknowledged put is seen", KV(),
		"c1 put x 1\nc1 =\nc2 get x\nc2 =", "get(x) = nil at 0.400s, want 1",
		"c1 put x 1\nc1 =\nc2 get x\nc2 = 1"},
	{"a put is seen before its answer or not", KV(),
		"c1 put x 1\nc2 get x\nc2 = 1\nc3 get x\nc3 =\nc1 =", "get(x) = nil at 0.500s, want 1",
		"c1 put x 1\nc2 get x\nc2 =\nc3 get x\nc3 = 1\nc1 ="},
	{"a refused put is never seen", KV(),
		"c1 put x 1\nc1 failed\nc2 get x\nc2 = 1", "get(x) = 1 at 0.400s, want nil",
		"c1 put x 1\nc1 unknown\nc2 get x\nc2 = 1"},
	{"an unknown put stays", KV(),
		"c1 put x 1\nc1 unknown\nc2 get x\nc2 = 1\nc2 get x\nc2 =", "get(x) = nil at 0.600s, want 1",
		"c1 put x 1\nc1 unknown\nc2 get x\nc2 =\nc2 get x\nc2 = 1"},
	{"an open put happens once", KV(),
		"c1 put x 1\nc2 get x\nc2 = 1\nc3 put x 2\nc3 =\nc2 get x\nc2 = 1", "get(x) = 1 at 0.700s, want 2",
		"c1 put x 1\nc2 get x\nc2 =\nc3 put x 2\nc3 =\nc2 get x\nc2 = 1"},
	{"nothing is seen before it is asked", KV(),
		"c2 get x\nc2 = 1\nc1 put x 1\nc1 =", "get(x) = 1 at 0.200s, want nil",
		"c2 get x\nc1 put x 1\nc2 = 1\nc1 ="},
	{"keys are apart", KV(),
		"c1 put x 1\nc1 =\nc2 get y\nc2 = 1", "get(y) = 1 at 0.400s, want nil",
		"c1 put x 1\nc1 =\nc2 get y\nc2 ="},
	{"a register has no keys", Register(),
		"c1 put x 1\nc1 =\nc2 get y\nc2 =", "get(y) = nil at 0.400s, want 1",
		"c1 put x 1\nc1 =\nc2 get y\nc2 = 1"},
	{"cas compares", KV(),
		"c1 cas x [1 2]\nc1 = true", "cas(x, 1, 2) = true at 0.200s, want false",
		"c1 cas x [1 2]\nc1 = false"},
	{"cas does not refuse what it compared", KV(),
		"c1 put x 1\nc1 =\nc1 cas x [1 2]\nc1 = false", "cas(x, 1, 2) = false at 0.400s, want true",
		"c1 put x 1\nc1 =\nc1 cas x [1 2]\nc1 = true"},
	{"a refused cas shows an unknown put", KV(),
		"c1 put x 1\nc1 =\nc2 put x 9\nc2 failed\nc1 cas x [1 2]\nc1 = false", "cas(x, 1, 2) = false at 0.600s, want true",
		"c1 put x 1\nc1 =\nc2 put x 9\nc2 unknown\nc1 cas x [1 2]\nc1 = false"},
	{"an append shows an unknown put", KV(),
		"c1 put x 1\nc1 failed\nc2 append x 2\nc2 =\nc1 get x\nc1 = 12", "get(x) = 12 at 0.600s, want 2",
		"c1 put x 1\nc1 unknown\nc2 append x 2\nc2 =\nc1 get x\nc1 = 12"},
	{"one of two cas wins", KV(),
		"c1 cas x [nil 1]\nc2 cas x [nil 2]\nc1 =\nc2 =", "cas(x, nil, 2) ok at 0.400s, want false",
		"c1 cas x [nil 1]\nc2 cas x [nil 2]\nc1 =\nc2 = false"},
	{"append adds", KV(),
		"c1 append x a\nc1 =\nc1 append x b\nc1 =\nc1 get x\nc1 = b", "get(x) = b at 0.600s, want ab",
		"c1 append x a\nc1 =\nc1 append x b\nc1 =\nc1 get x\nc1 = ab"},
	{"delete takes away", KV(),
		"c1 put x 1\nc1 =\nc1 delete x\nc1 =\nc1 get x\nc1 = 1", "get(x) = 1 at 0.600s, want nil",
		"c1 put x 1\nc1 =\nc1 delete x\nc1 =\nc1 get x\nc1 ="},
	{"a lock has one holder", Mutex(),
		"c1 lock m\nc1 =\nc2 lock m\nc2 =", "lock(m) ok at 0.400s, want no such answer",
		"c1 lock m\nc1 =\nc1 unlock m\nc2 lock m\nc2 =\nc1 ="},
	{"only the holder unlocks", Mutex(),
		"c1 lock m\nc1 =\nc2 unlock m\nc2 =", "unlock(m) ok at 0.400s, want no such answer",
		"c1 lock m\nc1 =\nc1 unlock m\nc1 ="},
	{"trylock tells", Mutex(),
		"c1 trylock m\nc1 = true\nc2 trylock m\nc2 = true", "trylock(m) = true at 0.400s, want false",
		"c1 trylock m\nc1 = true\nc2 trylock m\nc2 = false"},
	{"a lock that got no answer may be held", Mutex(),
		"c1 lock m\nc1 unknown\nc2 lock m\nc2 =\nc3 lock m\nc3 =", "lock(m) ok at 0.600s, want no such answer",
		"c1 lock m\nc1 unknown\nc2 lock m\nc2 =\nc2 unlock m\nc2 ="},
	{"sums lose nothing", Counter(),
		"c1 add n 2\nc1 =\nc2 add n 3\nc2 =\nc1 get n\nc1 = 3", "get(n) = 3 at 0.600s, want 5",
		"c1 add n 2\nc1 =\nc2 add n 3\nc2 =\nc1 get n\nc1 = 5"},
	{"incr answers the sum", Counter(),
		"c1 incr n\nc2 incr n\nc1 = 1\nc2 = 1", "incr(n) = 1 at 0.400s, want 2",
		"c1 incr n\nc2 incr n\nc1 = 2\nc2 = 1"},
	{"first in, first out", Queue(),
		"c1 enqueue q a\nc1 =\nc1 enqueue q b\nc1 =\nc2 dequeue q\nc2 = b", "dequeue(q) = b at 0.600s, want a",
		"c1 enqueue q a\nc2 enqueue q b\nc1 =\nc2 =\nc2 dequeue q\nc2 = b"},
	{"an element is taken once", Queue(),
		"c1 push q a\nc1 =\nc1 pop q\nc2 pop q\nc1 = a\nc2 = a", "pop(q) = a at 0.600s, want nil",
		"c1 push q a\nc1 =\nc1 pop q\nc2 pop q\nc1 = a\nc2 ="},
	{"a queue has a length", Queue(),
		"c1 push q a\nc1 =\nc1 len q\nc1 = 0", "len(q) = 0 at 0.400s, want 1",
		"c1 push q a\nc1 =\nc1 len q\nc1 = 1"},
	{"a log keeps its order", Log(),
		"c1 append l a\nc1 =\nc1 append l b\nc1 =\nc1 read l\nc1 = [\"b\" \"a\"]", `read(l) = ["b" "a"] at 0.600s, want ["a" "b"]`,
		"c1 append l a\nc1 =\nc1 append l b\nc1 =\nc1 read l\nc1 = [\"a\" \"b\"]"},
	{"a log gives every index once", Log(),
		"c1 offer l a\nc2 offer l b\nc1 = 0\nc2 = 0", "offer(l, b) = 0 at 0.400s, want 1",
		"c1 offer l a\nc2 offer l b\nc1 = 1\nc2 = 0"},
	{"a log keeps its values", Log(),
		"c1 offer l a\nc1 = 0\nc1 at l 0\nc1 =", "at(l, 0) ok at 0.400s, want a",
		"c1 offer l a\nc1 = 0\nc1 at l 0\nc1 = a"},
	{"a set keeps", Set(),
		"c1 add s a\nc1 =\nc1 read s\nc1 = []", `read(s) = [] at 0.400s, want ["a"]`,
		"c1 add s a\nc1 =\nc1 add s b\nc1 =\nc1 read s\nc1 = #{\"b\" \"a\"}"},
	{"a set forgets", Set(),
		"c1 add s a\nc1 =\nc1 remove s a\nc1 =\nc1 contains s a\nc1 = true", "contains(s, a) = true at 0.600s, want false",
		"c1 add s a\nc1 =\nc1 remove s a\nc1 =\nc1 contains s a\nc1 = false"},
	{"a transaction reads one state", Registers("x", "0", "y", "0"),
		"c1 txn - [[:w \"x\" 1] [:w \"y\" 1]]\nc2 txn - [[:r \"x\" nil] [:r \"y\" nil]]\nc2 = [[:r \"x\" 1] [:r \"y\" 0]]",
		`txn(-, [:r "x" nil], [:r "y" nil]) = [[:r "x" 1] [:r "y" 0]] at 0.300s, want [[:r "x" 0] [:r "y" 0]] or [[:r "x" 1] [:r "y" 1]]`,
		"c1 txn - [[:w \"x\" 1] [:w \"y\" 1]]\nc2 txn - [[:r \"x\" nil] [:r \"y\" nil]]\nc2 = [[:r \"x\" 1] [:r \"y\" 1]]"},
}

// TestDecisions has for every rule a history that breaks it and its nearest clean
// neighbour.
func TestDecisions(t *testing.T) {
	for _, c := range decisions {
		t.Run(strings.ReplaceAll(c.rule, " ", "-"), func(t *testing.T) {
			if out := Linearizable(script(t, c.bad), c.model).Check(); out.Verdict != Violation || out.Message != c.why {
				t.Errorf("bad: %s %q, want violation %q\n%s", out.Verdict, out.Message+out.Reason, c.why, out.Detail)
			}
			if out := Linearizable(script(t, c.good), c.model).Check(); out.Verdict != OK {
				t.Errorf("good: %s %s%s\n%s", out.Verdict, out.Message, out.Reason, out.Detail)
			}
		})
	}
}

func TestEvidenceIsMinimal(t *testing.T) {
	h := script(t, `
		c1 put y 7
		c1 = ok
		c1 put x 5
		c2 get x
		c1 =
		c2 = 5
		c3 put x 9
		c3 unknown
		c1 put x 1
		c1 =
		c2 get x
		c2 = 1
		c2 get y
		c2 = 7
		c1 get x
		c1 = 5
		c1 get x
		c1 = 1`)
	out := Linearizable(h, KV()).Check()
	if want := "get(x) = 5 at 1.600s, want 1"; out.Message != want {
		t.Errorf("message %q, want %q", out.Message, want)
	}
	want := `key x, model kv: no order explains
  1.100s - 1.200s  c2  get(x) = 1  n2
  1.500s - 1.600s  c1  get(x) = 5  n1
whether or not any of 4 other calls took effect
right as well, if a call without an answer took effect: 9`
	if out.Detail != want {
		t.Errorf("detail\n%s\nwant\n%s", out.Detail, want)
	}
	if out.Key != "x" || out.Node != "n1" || out.At != 1_600_000_000 || len(out.Ops) != 2 {
		t.Errorf("key %q, node %q, at %d, %d calls, want x, n1, 1.6 s, 2", out.Key, out.Node, out.At, len(out.Ops))
	}
}

// TestFirstViolation: of two keys that are wrong the one that was wrong first is
// shown, whatever their order.
func TestFirstViolation(t *testing.T) {
	for _, keys := range [][2]string{{"a", "b"}, {"b", "a"}} {
		h := script(t, fmt.Sprintf("c1 get %s\nc1 = 1\nc1 get %s\nc1 = 2", keys[0], keys[1]))
		out := Linearizable(h, KV()).Check()
		if out.Key != keys[0] || !strings.Contains(out.Detail, "2 keys are wrong, this one first: a, b") {
			t.Errorf("key %s first: %s\n%s", keys[0], out.Message, out.Detail)
		}
	}
}

// TestOneInstant: events of one time are ordered as they were recorded.
func TestOneInstant(t *testing.T) {
	h := NewHistory(ClockFunc(func() int64 { return 0 }))
	h.Invoke(Call{Process: "c1", Type: "put", Key: "x", Input: "1"}).OK("")
	h.Invoke(Call{Process: "c2", Type: "get", Key: "x"}).OK("")
	if out := Linearizable(h, KV()).Check(); out.Verdict != Violation {
		t.Errorf("%s, want violation", out.Verdict)
	}
	ops := h.Ops()
	for i := range ops {
		ops[i].Begin, ops[i].End = 0, 0
	}
	loose, err := FromOps(0, ops)
	if err != nil {
		t.Fatal(err)
	}
	if out := Linearizable(loose, KV()).Check(); out.Verdict != OK {
		t.Errorf("without places: %s, want ok", out.Verdict)
	}
}

func TestVacuous(t *testing.T) {
	for lines, want := range map[string]string{
		"":                       "has no calls",
		"c1 put x 1\nc1 unknown": "none of 1 calls was answered",
		"c1 get x\nc1 failed":    "none of 1 calls was answered",
		"c1 put x 1\nc1 =":       "nothing was compared",
	} {
		out := Linearizable(script(t, lines), KV()).Check()
		if out.Verdict != Vacuous || !strings.Contains(out.Reason, want) {
			t.Errorf("%q: %s %q, want vacuous, %q", lines, out.Verdict, out.Reason, want)
		}
	}
}

func TestMisuse(t *testing.T) {
	h := script(t, "c1 put x 1\nc1 =\nc1 unknown\nc2 get x\nc2 = 1")
	if out := Linearizable(h, KV()).Check(); out.Verdict != Unknown || !strings.Contains(out.Reason, "completed as unknown, it was ok already") {
		t.Errorf("a call completed twice: %s %q", out.Verdict, out.Reason)
	}
	h = script(t, "c1 fly x\nc1 =")
	if out := Linearizable(h, KV()).Check(); out.Verdict != Unknown || !strings.Contains(out.Reason, `call 0 is "fly", model kv knows`) {
		t.Errorf("a call that the model does not know: %s %q", out.Verdict, out.Reason)
	}
}

// hard is a history of n puts and a get that overlap, in which the get saw nothing
// that was put: every order must be tried.
func hard(t testing.TB, n int) *History {
	var b strings.Builder
	for i := 0; i < n; i++ {
		fmt.Fprintf(&b, "p%d append x %c\n", i, 'a'+i)
	}
	b.WriteString("c1 get x\n")
	for i := 0; i < n; i++ {
		fmt.Fprintf(&b, "p%d =\n", i)
	}
	return script(t, b.String()+"c1 = z\n")
}

func TestBudget(t *testing.T) {
	h := hard(t, 7)
	full := Linearizable(h, KV()).Check()
	if full.Verdict != Violation {
		t.Fatalf("%s, want violation", full.Verdict)
	}
	out := LinearizableWithin(h, KV(), Limits{Search: 1000}).Check()
	if out.Verdict != Unknown || out.Steps > 1000 || !strings.Contains(out.Reason, "key x was not decided within 1000 steps") {
		t.Errorf("%s after %d steps, %q, want unknown within 1000", out.Verdict, out.Steps, out.Reason)
	}
	// Too few steps for evidence make it larger, and never another verdict.
	out = LinearizableWithin(h, KV(), Limits{Evidence: 10}).Check()
	if out.Verdict != Violation || len(out.Ops) < len(full.Ops) || !strings.Contains(out.Detail, "the step limit was reached") {
		t.Errorf("%s with %d calls\n%s", out.Verdict, len(out.Ops), out.Detail)
	}
}

// TestHardKeyHidesNothing: a key that takes all steps does not hide another's violation.
func TestHardKeyHidesNothing(t *testing.T) {
	ops := hard(t, 9).Ops()
	last := ops[len(ops)-1]
	get := Op{ID: len(ops), Process: "c2", Type: "get", Key: "y", Output: "1", Status: StatusOK,
		Invoke: last.Complete + 1, Complete: last.Complete + 2, Begin: last.End + 1, End: last.End + 2}
	h, err := FromOps(0, append(ops, get))
	if err != nil {
		t.Fatal(err)
	}
	out := LinearizableWithin(h, KV(), Limits{Search: 20000}).Check()
	if out.Verdict != Violation || out.Key != "y" {
		t.Errorf("%s of key %s (%s), want violation of y", out.Verdict, out.Key, out.Reason)
	}
}

// TestManyUnknown: calls without an answer cost nothing while nobody saw them.
func TestManyUnknown(t *testing.T) {
	var b strings.Builder
	for i := 0; i < 60; i++ {
		fmt.Fprintf(&b, "p%d put x %d\np%d unknown\n", i, i, i)
	}
	b.WriteString("c1 put x a\nc1 =\nc1 get x\nc1 = 7\nc1 get x\nc1 = a\n")
	out := LinearizableWithin(script(t, b.String()), KV(), Limits{Search: 1000}).Check()
	if want := "get(x) = a at 12.600s, want 7"; out.Message != want {
		t.Errorf("%s %q, want %q", out.Verdict, out.Message+out.Reason, want)
	}
}

func TestSameOutcomeEveryTime(t *testing.T) {
	h := readFile(t, "knossos/bad/rethink-fail.edn")
	first := Linearizable(h, Register()).Check()
	short := LinearizableWithin(hard(t, 8), KV(), Limits{Search: 50_000, Evidence: 5000}).Check()
	for i := 0; i < 20; i++ {
		if out := Linearizable(h, Register()).Check(); !reflect.DeepEqual(out, first) {
			t.Fatalf("another outcome:\n%+v\nfirst\n%+v", out, first)
		}
		if out := LinearizableWithin(hard(t, 8), KV(), Limits{Search: 50_000, Evidence: 5000}).Check(); !reflect.DeepEqual(out, short) {
			t.Fatalf("another outcome:\n%+v\nfirst\n%+v", out, short)
		}
	}
}

func TestPicture(t *testing.T) {
	h := readFile(t, "knossos/bad/bad-analysis.edn")
	var first string
	for i := 0; i < 10; i++ {
		var b strings.Builder
		if err := Picture(&b, h, Register(), ""); err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = b.String()
		}
		if b.String() != first {
			t.Fatal("two pictures of one history differ")
		}
	}
	for _, want := range []string{"<html", "read(2) = 2"} {
		if !strings.Contains(first, want) {
			t.Errorf("the picture has no %q", want)
		}
	}
	if err := Picture(&strings.Builder{}, h, KV(), "none"); err == nil {
		t.Error("a picture of a key that is not there")
	}
}
