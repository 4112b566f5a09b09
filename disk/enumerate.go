package disk

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"github.com/orrery-sim/orrery/sim/choice"
)

// odometer draws every sequence of choices there is, one after another, from all
// zeros up.
type odometer struct {
	digits, bounds []uint64
	next           int
}

func (o *odometer) Draw(bound uint64) uint64 {
	if o.next == len(o.digits) {
		o.digits = append(o.digits, 0)
		o.bounds = append(o.bounds, bound)
	}
	o.next++
	return o.digits[o.next-1]
}

// turn moves on to the next sequence; it reports false after the last.
func (o *odometer) turn() bool {
	o.next = 0
	for n := len(o.digits) - 1; n >= 0; n-- {
		if o.digits[n]++; o.digits[n] < o.bounds[n] {
			return true
		}
		o.digits, o.bounds = o.digits[:n], o.bounds[:n]
	}
	return false
}

// CrashStates calls f with a disk for each state that a crash could leave now,
// each once, until f reports false. It tries at most limit sequences of choices,
// and complete reports whether those were all: their number grows as 2 to the
// power of what is not durable, and a page that is torn between 8 sectors counts
// for 8, so it is for small histories. The disk itself stays as it is.
func (d *Disk) CrashStates(limit int, f func(*Disk, CrashReport) bool) (complete bool) {
	seen := map[[16]byte]bool{}
	var o odometer
	for range limit {
		image := d.clone()
		c := crash{d: image, pick: &o, fate: fateOpen}
		c.run()
		if id := image.Digest(); !seen[id] {
			seen[id] = true
			if !f(image, c.CrashReport) {
				return false
			}
		}
		if !o.turn() {
			return true
		}
	}
	return false
}

// clone returns a copy of a disk that draws from streams of its own, with nothing
// pinned, open or observed.
func (d *Disk) clone() *Disk {
	c := New(d.cfg, choice.New(d.src.Seed()), d.name)
	c.inodes = make([]*inode, len(d.inodes))
	c.used = d.used
	c.jour = journal{slices.Clone(d.jour.ops), d.jour.last}
	for i, in := range d.inodes {
		if in != nil {
			d.absorb(in)
			c.inodes[i] = in.clone()
		}
	}
	for _, in := range d.dirty {
		c.list(c.inodes[in.ino])
	}
	for _, in := range c.inodes {
		if in != nil && in.links == 0 {
			c.reap(in)
		}
	}
	return c
}

func (in *inode) clone() *inode {
	c := *in
	c.opens, c.listed, c.shared, c.region = 0, 0, 0, nil
	c.xattrs = slices.Clone(in.xattrs)
	c.dir.list = slices.Clone(in.dir.list)
	c.dir.byName = make(map[string]uint64, len(in.dir.byName))
	for _, e := range c.dir.list {
		if e.Ino != 0 {
			c.dir.byName[e.Name] = e.Cookie
		}
	}
	c.dir.last = max(c.dir.last, FirstCookie-1)
	c.dirtied, c.failed = slices.Clone(in.dirtied), slices.Clone(in.failed)
	c.chunks = make([]*chunk, len(in.chunks))
	for i, k := range in.chunks {
		if k != nil {
			c.chunks[i] = k.clone()
		}
	}
	return &c
}

func (k *chunk) clone() *chunk {
	c := *k
	for b := range chunkPages {
		for _, p := range [2]**page{&c.now[b], &c.was[b]} {
			if *p != nil {
				fresh := **p
				*p = &fresh
			}
		}
	}
	return &c
}

// Digest sums up what can be read of a disk: names, kinds, modes, extended
// attributes and content. Equal
// disks have equal digests on every machine; times do not count.
func (d *Disk) Digest() [16]byte {
	h := fnv.New128a()
	var word [8]byte
	number := func(n uint64) {
		binary.LittleEndian.PutUint64(word[:], n)
		h.Write(word[:])
	}
	var visit func(ino Ino)
	visit = func(ino Ino) {
		in := d.inode(ino)
		number(uint64(in.kind)<<32 | uint64(in.mode))
		number(uint64(in.links))
		for _, x := range in.sortedXattrs() {
			number(uint64(len(x.name))<<32 | uint64(len(x.value)))
			h.Write([]byte(x.name))
			h.Write(x.value)
		}
		switch in.kind {
		case File:
			number(uint64(in.size))
			for i := range pagesOf(in.size) {
				if p := in.page(i); p != nil && *p != zeroPage {
					number(uint64(i))
					h.Write(p[:])
				}
			}
		case Symlink:
			h.Write([]byte(in.target))
		case Directory:
			names := make([]string, 0, len(in.dir.byName))
			for _, e := range in.dir.list {
				if e.Ino != 0 {
					names = append(names, e.Name)
				}
			}
			slices.Sort(names)
			number(uint64(len(names)))
			for _, name := range names {
				child, _ := in.dir.find(name)
				number(uint64(len(name)))
				h.Write([]byte(name))
				number(uint64(child))
				visit(child)
			}
		}
	}
	visit(Root)
	var sum [16]byte
	h.Sum(sum[:0])
	return sum
}
