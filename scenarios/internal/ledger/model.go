package ledger

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// keys is how many keys a writer has: few, so that their versions pile up.
const keys = 40

// transaction names the n-th transaction of a writer, from 1, made by the start
// that drew the nonce.
type transaction struct {
	nonce  uint64
	writer int
	n      uint64
}

// data is a value that a seed determines.
type data struct {
	seed uint64
	size int
}

func (d data) append(b []byte) []byte {
	r := rand.NewPCG(d.seed, 0)
	var word uint64
	for i := range d.size {
		if i%16 == 0 {
			word = r.Uint64() // every word twice, so that there is something to compress
		}
		b = append(b, byte(word>>(8*(i%8))))
	}
	return b
}

// edit is a change before its value is written out.
type edit struct {
	kind     Kind
	key, end int
	value    data
}

// edits returns what the transaction does, beside counting itself.
func (t transaction) edits() []edit {
	r := rand.New(rand.NewPCG(t.nonce+uint64(t.writer), t.n))
	out := make([]edit, 1+r.IntN(6))
	for i := range out {
		e := edit{key: r.IntN(keys), value: data{r.Uint64(), 1 + r.IntN(200)}}
		if r.IntN(16) == 0 {
			e.value.size += r.IntN(8000)
		}
		switch roll := r.IntN(100); {
		case roll < 60:
			e.kind = Put
		case roll < 75:
			e.kind = Append
		case roll < 95:
			e.kind = Delete
		default:
			e.kind, e.end = DeleteRange, e.key+1+r.IntN(keys/4)
		}
		out[i] = e
	}
	return out
}

// changes returns all that the transaction does, as the store sees it.
func (t transaction) changes() []Change {
	out := []Change{{Kind: Put, Key: counterKey(t.writer), Value: binary.BigEndian.AppendUint64(nil, t.n)}}
	for _, e := range t.edits() {
		c := Change{Kind: e.kind, Key: dataKey(t.writer, e.key)}
		switch e.kind {
		case Put, Append:
			c.Value = e.value.append(nil)
		case DeleteRange:
			c.End = dataKey(t.writer, e.end)
		}
		out = append(out, c)
	}
	return out
}

func prefixOf(writer int) string     { return fmt.Sprintf("w%d/", writer) }
func counterKey(writer int) string   { return prefixOf(writer) + "count" }
func dataKey(writer, key int) string { return fmt.Sprintf("%sk%03d", prefixOf(writer), key) }
func startKey(i int) string          { return fmt.Sprintf("%s%06d", startPrefix, i) }

const startPrefix = "start/"

// contents is what the keys of one writer hold.
type contents struct {
	count  uint64 // of transactions
	values map[int][]data
}

func (c *contents) clone() contents { return contents{c.count, maps.Clone(c.values)} }

func (c *contents) apply(t transaction) {
	c.count = t.n
	for _, e := range t.edits() {
		switch e.kind {
		case Put:
			c.values[e.key] = []data{e.value}
		case Append:
			c.values[e.key] = append(slices.Clip(c.values[e.key]), e.value)
		case Delete:
			delete(c.values, e.key)
		case DeleteRange:
			maps.DeleteFunc(c.values, func(k int, _ []data) bool { return k >= e.key && k < e.end })
		}
	}
}

// item is a key and what it holds.
type item struct {
	key   string
	value []byte
}

// items returns all that the writer's keys hold, in order of the keys.
func (c *contents) items(writer int) (out []item) {
	if c.count > 0 {
		out = append(out, item{counterKey(writer), binary.BigEndian.AppendUint64(nil, c.count)})
	}
	for _, k := range slices.Sorted(maps.Keys(c.values)) {
		it := item{key: dataKey(writer, k)}
		for _, d := range c.values[k] {
			it.value = d.append(it.value)
		}
		out = append(out, it)
	}
	return out
}

// compare checks that a view holds what it should of a writer, whichever way it is
// read.
func (c *contents) compare(v View, writer int) error {
	want := c.items(writer)
	if err := compareScan(v, prefixOf(writer), Ascending, want); err != nil {
		return err
	}
	for k := range keys {
		key := dataKey(writer, k)
		i, held := slices.BinarySearchFunc(want, key, func(it item, key string) int { return bytes.Compare([]byte(it.key), []byte(key)) })
		got, found, err := v.Get(key)
		if err != nil {
			return fmt.Errorf("get %s: %w", key, err)
		}
		if found != held || held && !bytes.Equal(got, want[i].value) {
			return fmt.Errorf("get %s after %d transactions: found %v with %d bytes, want %v", key, c.count, found, len(got), held)
		}
	}
	slices.Reverse(want)
	return compareScan(v, prefixOf(writer), Descending, want)
}

// compareScan checks that a scan meets the wanted items and no others.
func compareScan(v View, prefix string, o Order, want []item) error {
	err := v.Scan(prefix, o, func(key string, value []byte) error {
		if len(want) == 0 {
			return fmt.Errorf("found %s, want no more keys", key)
		}
		w := want[0]
		want = want[1:]
		if key != w.key {
			return fmt.Errorf("found %s, want %s", key, w.key)
		}
		if !bytes.Equal(value, w.value) {
			return fmt.Errorf("%s holds %d bytes, want %d others", key, len(value), len(w.value))
		}
		return nil
	})
	if err == nil && len(want) > 0 {
		err = fmt.Errorf("found no more keys, want %s", want[0].key)
	}
	if err != nil {
		return fmt.Errorf("scan %s in order %d: %w", prefix, o, err)
	}
	return nil
}
