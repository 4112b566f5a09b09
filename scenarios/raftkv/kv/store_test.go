package kv

import (
	"bytes"
	"io"
	"testing"

	"github.com/hashicorp/raft"
	"pgregory.net/rapid"
)

func drawCommand(t *rapid.T) command {
	value := rapid.SampledFrom([]string{"", "1", "2", "a longer one\x00"})
	return command{
		op:  op(rapid.IntRange(int(opPut), int(opCAS)).Draw(t, "op")),
		key: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "key"),
		old: value.Draw(t, "old"),
		new: value.Draw(t, "new"),
	}
}

func TestCommandEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawCommand(t)
		want.new = rapid.StringN(0, 300, -1).Draw(t, "long")
		b := want.encode()
		if got, err := decodeCommand(b); err != nil || got != want {
			t.Fatalf("got %+v, %v, want %+v", got, err, want)
		}
		for size := range b {
			if got, err := decodeCommand(b[:size]); err == nil {
				t.Fatalf("first %d bytes of %d read as %+v", size, len(b), got)
			}
		}
		if _, err := decodeCommand(append(b, 0)); err == nil {
			t.Fatal("a byte too many was accepted")
		}
	})
}

type sink struct{ bytes.Buffer }

func (*sink) ID() string    { return "s" }
func (*sink) Cancel() error { return nil }
func (*sink) Close() error  { return nil }

// The store against a map, through snapshots that are restored into another.
func TestStoreModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newStore()
		model := map[string]string{}
		term := uint64(0)
		t.Repeat(map[string]func(*rapid.T){
			"apply": func(t *rapid.T) {
				cmd := drawCommand(t)
				var want result
				want.value, want.found = model[cmd.key]
				want.swapped = cmd.op == opCAS && model[cmd.key] == cmd.old
				if cmd.op == opPut || want.swapped {
					model[cmd.key] = cmd.new
				}
				term++
				got := s.Apply(&raft.Log{Type: raft.LogCommand, Term: term, Data: cmd.encode()})
				if got != want || s.lastTerm() != term {
					t.Fatalf("%+v: got %+v, want %+v", cmd, got, want)
				}
			},
			"snapshot": func(t *rapid.T) {
				snap, err := s.Snapshot()
				if err != nil {
					t.Fatal(err)
				}
				// What comes after a snapshot was taken is not in it.
				s.Apply(&raft.Log{Data: command{op: opPut, key: "x", new: "later"}.encode()})
				var to sink
				if err := snap.Persist(&to); err != nil {
					t.Fatal(err)
				}
				s = newStore()
				s.Apply(&raft.Log{Term: 1, Data: command{op: opPut, key: "z", new: "earlier"}.encode()})
				if err := s.Restore(io.NopCloser(&to.Buffer)); err != nil {
					t.Fatal(err)
				}
				if s.lastTerm() != 0 {
					t.Fatal("a restored store claims to have applied a command")
				}
			},
			"": func(t *rapid.T) {
				for _, key := range []string{"x", "y", "z"} {
					value, found := model[key]
					if got := s.get(key); got != (result{value: value, found: found}) {
						t.Fatalf("%s: got %+v, want %q, %t", key, got, value, found)
					}
				}
			},
		})
	})
}

func TestPeers(t *testing.T) {
	var ps peers
	if err := ps.Set("n1=10.0.0.1,n2=db:7001,n3=[::1]:1/h:2,n4=::1"); err != nil {
		t.Fatal(err)
	}
	want := "n1=10.0.0.1:7000/10.0.0.1:8000,n2=db:7001/db:8000,n3=[::1]:1/h:2,n4=[::1]:7000/[::1]:8000"
	if got := ps.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, bad := range []string{"", "n1", "n1=", "=h", "n1=a,n1=b", "n1=a,"} {
		if err := ps.Set(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}
