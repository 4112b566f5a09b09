package run

import (
	"fmt"
	"strings"
	"testing"
)

func TestSignatureOfMessages(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		names string // of nodes and clients, in both
		same  bool
	}{
		{"get(x) = 3, want 4", "get(x) = 31, want 5", "", true},
		{"get(x) = -3, want 1.5e+06", "get(x) = 4, want 0", "", true},
		{`key "a b" lost`, `key "c" lost`, "", true},
		{`key "a\"b" lost`, `key "c" lost`, "", true},
		{"key `a` lost", "key `bb` lost", "", true},
		{"byte 'a' lost", "byte 'b' lost", "", true},
		{"get(x) = 3", "put(x) = 3", "", false},
		{`it's "unclosed`, `it's "unclosed`, "", true},
		{`it's "unclosed`, `it's "open`, "", false},
		{"it's gone, isn't it", "it's here, isn't it", "", false},
		{"n1 lost 2 of 3", "n1 lost 2 of x", "", false},
		{"n1 lost 2 of 3", "n12 lost 2 of 30", "", true},
		{"no lock after 1m30s: held", "no lock after 45s: held", "", true},
		{"no lock after 250ms: held", "no lock after 1.5s: held", "", true},
		{"bad pointer 0xc000a41f80", "bad pointer 0x18", "", true},
		{"hash 3fa9c1d2ee is not that of 12345678", "hash 00112233 is not that of feedbeef99", "", true},
		{"id 550e8400-e29b-41d4-a716-446655440000 twice", "id 00000000-0000-4000-8000-0000000000ff twice", "", true},
		{"dial tcp 10.0.0.1:8080: refused", "dial tcp 10.0.12.3:80: refused", "", true},
		{"dial tcp [fd00::1]:8080: refused", "dial tcp [fd00::a]:80: refused", "", true},
		{"lost [1 2 3]", "lost [4]", "", true},
		{`lost ["a", "b"]`, `lost ["c"]`, "", true},
		{"12345678.5 is too much", "1.5 is too much", "", true},
		{"east and west disagree", "west and east disagree", "east west", true},
		{"east is behind", "west is behind", "east west", true},
		{"west west west", "east east east", "east west", true},
		{"eastern is behind", "western is behind", "east west", false},
		{"east is behind", "west is ahead", "east west", false},
	} {
		names := strings.Fields(c.names)
		a, b := Signature(Violation{Oracle: "o", Message: c.a, Names: names}), Signature(Violation{Oracle: "o", Message: c.b, Names: names})
		if (a == b) != c.same {
			t.Errorf("%q and %q: signatures %q and %q, want the same: %v", c.a, c.b, a, b, c.same)
		}
	}
}

// stack is a printed stack of functions, innermost first.
func stack(line int, functions ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x%x]\n\ngoroutine %d [running]:\n", line, line)
	for _, f := range functions {
		fmt.Fprintf(&b, "%s(0xc%09x, {0x%x?, ...})\n\tgithub.com/x/kv/server.go:%d +0x%x\n", f, line*16, line, line, line)
	}
	fmt.Fprintf(&b, "created by net/http.(*Server).Serve in goroutine %d\n\tnet/http/server.go:%d\n\ngoroutine 1 [running]:\nmain.other%d()\n\tmain.go:1\n", line, line, line)
	return b.String()
}

// A failure's place is its innermost functions, whatever the line, the addresses,
// the goroutine and who called them.
func TestSignatureOfStacks(t *testing.T) {
	get := stack(17, "panic", "runtime.panicmem", "kv.(*Server).get", "kv.(*Server).handle", "kv.(*Server).serve", "kv.Main", "github.com/orrery-sim/orrery/sim.(*Program).exec")
	for _, c := range []struct {
		name  string
		other string
		same  bool
	}{
		{"other lines", stack(940, "kv.(*Server).get", "kv.(*Server).handle", "kv.(*Server).serve", "kv.Main"), true},
		{"another caller, far out", stack(17, "kv.(*Server).get", "kv.(*Server).handle", "kv.(*Server).serve", "kv.Loop"), true},
		{"another method", stack(17, "kv.(*Server).put", "kv.(*Server).handle", "kv.(*Server).serve"), false},
		{"another receiver", stack(17, "kv.(*Client).get", "kv.(*Server).handle", "kv.(*Server).serve"), false},
		{"another caller", stack(17, "kv.(*Server).get", "kv.(*Server).retry", "kv.(*Server).serve"), false},
	} {
		v := Violation{Oracle: "panic", Message: "nil map"}
		v.Stack = get
		a := Signature(v)
		v.Stack = c.other
		if b := Signature(v); (a == b) != c.same {
			t.Errorf("%s: signatures %q and %q, want the same: %v", c.name, a, b, c.same)
		}
	}
	want := "panic: nil map | kv.(*Server).get | kv.(*Server).handle | kv.(*Server).serve"
	if got := Signature(Violation{Oracle: "panic", Message: "nil map", Stack: get}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// What a panic says in more lines is no frame.
	text := Violation{Oracle: "panic", Message: "two", Stack: "lines (at 17)\n\n" + get}
	if got := Signature(text); strings.Contains(got, "lines") {
		t.Errorf("got %q, want frames alone", got)
	}
	if got := Signature(Violation{Oracle: "fatal", Message: "m", Stack: stack(1, "runtime.gopark", "github.com/orrery-sim/orrery/sim.(*World).start.func1")}); got != "fatal: m" {
		t.Errorf("got %q, want no frame of the runtime and the engine", got)
	}
}

// Which access of a race came first is the schedule's doing.
func TestSignatureOfRaces(t *testing.T) {
	race := func(message string) string { return Signature(Violation{Oracle: OracleRace, Message: message}) }
	a, b := race("data race: write by kv.put, previous read by kv.get"), race("data race: read by kv.get, previous write by kv.put")
	if a != b || a != "race: data race: read by kv.get and write by kv.put" {
		t.Errorf("signatures %q and %q, want one", a, b)
	}
	if c := race("data race: read by kv.get, previous write by kv.del"); c == a {
		t.Errorf("two races have the signature %q", c)
	}
	if got := race("data race"); got != "race: data race" {
		t.Errorf("got %q", got)
	}
}
