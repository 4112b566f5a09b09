package ledger

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// memory is a store that keeps everything in a map, and all that it ever held.
type memory struct {
	holds map[string][]byte
	past  []map[string][]byte // after each transaction
}

func (m *memory) Check() error { return nil }

func (m *memory) View() (View, error) { return memoryView(maps.Clone(m.holds)), nil }

func (m *memory) Commit(changes []Change, _ Durability) error {
	for _, c := range changes {
		switch c.Kind {
		case Put:
			m.holds[c.Key] = c.Value
		case Append:
			m.holds[c.Key] = append(bytes.Clone(m.holds[c.Key]), c.Value...)
		case Delete:
			delete(m.holds, c.Key)
		case DeleteRange:
			maps.DeleteFunc(m.holds, func(k string, _ []byte) bool { return k >= c.Key && k < c.End })
		}
	}
	m.past = append(m.past, maps.Clone(m.holds))
	return nil
}

type memoryView map[string][]byte

func (v memoryView) Get(key string) ([]byte, bool, error) {
	value, ok := v[key]
	return value, ok, nil
}

func (v memoryView) Scan(prefix string, o Order, f func(string, []byte) error) error {
	keys := slices.Sorted(maps.Keys(v))
	if o == Descending {
		slices.Reverse(keys)
	}
	for _, k := range keys {
		if strings.HasPrefix(k, prefix) {
			if err := f(k, v[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (memoryView) Close() error { return nil }

// life opens the store as a start with that nonce would, and commits n transactions
// of each of two writers.
func life(t *testing.T, m *memory, nonce uint64, n int) error {
	t.Helper()
	p := &program{store: m, o: Options{Writers: 2}, nonce: nonce, done: make([]uint64, 2)}
	starts, err := p.load()
	if err != nil {
		return err
	}
	if err := m.Commit([]Change{p.startRecord(starts)}, Synced); err != nil {
		return err
	}
	for range n {
		for _, w := range p.writers {
			tr := transaction{nonce, w.index, w.holds.count + 1}
			if err := p.commit(tr, Buffered); err != nil {
				return err
			}
			w.holds.apply(tr)
		}
	}
	return nil
}

func TestSoundStoreIsSound(t *testing.T) {
	m := &memory{holds: map[string][]byte{}}
	for i, n := range []int{50, 0, 120, 1, 80} {
		if err := life(t, m, uint64(100+i), n); err != nil {
			t.Fatalf("start %d: %v", i, err)
		}
	}
	// A store that lost its last transactions, but whole ones, is sound too.
	m.holds = m.past[len(m.past)-7]
	if err := life(t, m, 200, 10); err != nil {
		t.Fatal(err)
	}
}

// Whatever else a store does to its contents is noticed when it opens.
func TestFaultsAreNoticed(t *testing.T) {
	damage := map[string]func(now, before map[string][]byte) bool{
		"lost key":    func(now, _ map[string][]byte) bool { return take(now, "w1/k", func(k string) { delete(now, k) }) },
		"torn value":  func(now, _ map[string][]byte) bool { return take(now, "w1/k", func(k string) { now[k] = now[k][1:] }) },
		"lost start":  func(now, _ map[string][]byte) bool { return take(now, startPrefix, func(k string) { delete(now, k) }) },
		"count alone": func(now, before map[string][]byte) bool { now[counterKey(0)] = before[counterKey(0)]; return true },
		"resurrected key": func(now, before map[string][]byte) bool {
			return restore(now, before, func(_ []byte, held bool) bool { return !held })
		},
		"older value": func(now, before map[string][]byte) bool {
			return restore(now, before, func(v []byte, held bool) bool { return held })
		},
		"one writer behind": func(now, before map[string][]byte) bool { maps.Copy(now, only(before, "w0/k")); return true },
	}
	for name, do := range damage {
		m := &memory{holds: map[string][]byte{}}
		for i := range 3 {
			if err := life(t, m, uint64(i), 60); err != nil {
				t.Fatal(err)
			}
		}
		if !do(m.holds, m.past[len(m.past)-60]) {
			t.Fatalf("%s: nothing to damage", name)
		}
		if err := life(t, m, 9, 0); err == nil {
			t.Errorf("%s: not noticed", name)
		}
	}
}

// take calls f with the first key of that prefix.
func take(m map[string][]byte, prefix string, f func(key string)) bool {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if strings.HasPrefix(k, prefix) {
			f(k)
			return true
		}
	}
	return false
}

// restore gives the first key for which may agrees, and which differs, its value of before.
func restore(now, before map[string][]byte, may func(value []byte, held bool) bool) bool {
	for _, k := range slices.Sorted(maps.Keys(before)) {
		value, held := now[k]
		if strings.Contains(k, "/k") && !bytes.Equal(value, before[k]) && may(value, held) {
			now[k] = before[k]
			return true
		}
	}
	return false
}

func only(m map[string][]byte, prefix string) map[string][]byte {
	out := maps.Clone(m)
	maps.DeleteFunc(out, func(k string, _ []byte) bool { return !strings.HasPrefix(k, prefix) })
	return out
}

func TestDurable(t *testing.T) {
	for _, c := range []struct {
		lines string
		want  outcome.Verdict
	}{
		{"opened at 0 0|acked 1 0|acked 1 1|opened at 1 1", outcome.OK},
		{"opened at 0 0|acked 1 0|opened at 3 2|acked 4 2|noise|opened at 4 2", outcome.OK},
		{"opened at 0 0|acked 1 0|acked 1 1|opened at 1 0", outcome.Violation},
		{"opened at 0 0|acked 3 0|acked 2 1|opened at 2 1", outcome.Violation},
		{"opened at 0 0|acked 1 0", outcome.Vacuous},
		{"opened at 0 0|opened at 0 0", outcome.Vacuous},
		{"", outcome.Vacuous},
	} {
		if got := durable("n1", strings.Split(c.lines, "|")); got.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", c.lines, got.Verdict, got.Message, c.want)
		}
	}
}
