package disk

import (
	"cmp"
	"slices"
)

// chooser draws the choices of a crash.
type chooser interface{ Draw(bound uint64) uint64 }

// CrashReport says what a crash left of what was not durable.
type CrashReport struct {
	PagesKept, PagesLost, PagesTorn int
	OpsKept, OpsLost                int // on names, sizes and extended attributes
	// BytesCut is how much shorter files became.
	BytesCut int64
}

// Lossless reports whether the crash lost nothing.
func (r CrashReport) Lossless() bool {
	return r.PagesLost == 0 && r.PagesTorn == 0 && r.OpsLost == 0 && r.BytesCut == 0
}

// Crash leaves what a loss of power could: everything durable and, of the rest,
// what the stream "disk/NAME" chooses. The choice 0 is that all of it is lost.
// Every file must have been released and every mapping ended. It costs as much
// as was not durable, whatever the disk holds.
func (d *Disk) Crash() CrashReport {
	c := crash{d: d, pick: d.crash}
	// Extremes are drawn often: losing everything and losing nothing are the
	// states that most bugs need.
	switch s := c.pick.Draw(8); {
	case s < 2:
		c.fate = fateLost
	case s == 2:
		c.fate = fateKept
	default:
		c.fate = fateOpen
	}
	c.run()
	d.observe(EventCrash, 0, int64(c.PagesLost+c.PagesTorn), int64(c.OpsLost))
	return c.CrashReport
}

// fate is what becomes of what is not durable.
type fate uint8

const (
	fateLost fate = iota
	fateKept
	fateOpen // each thing for itself
)

type crash struct {
	d    *Disk
	pick chooser
	fate fate
	CrashReport
	pages []int64 // scratch: those of a file that are not durable
}

func (c *crash) run() {
	d := c.d
	for _, in := range d.dirty {
		in.absorbed(d)
	}
	c.operations()
	dirty := slices.Clone(d.dirty)
	slices.SortFunc(dirty, func(a, b *inode) int { return cmp.Compare(a.ino, b.ino) })
	for _, in := range dirty {
		if d.inodes[in.ino] == in {
			c.file(in)
		}
	}
}

// absorbed ends the mappings of a file.
func (in *inode) absorbed(d *Disk) {
	if in.shared > 0 {
		d.absorb(in)
		in.shared = 0
	}
}

// operations keeps some of the journal and takes the rest back, latest first.
func (c *crash) operations() {
	d := c.d
	ops := d.jour.ops
	lost := make([]bool, len(ops))
	keep := c.prefix(len(ops))
	for i := range ops {
		if d.cfg.Mode == Ext4 {
			lost[i] = i >= keep
			continue
		}
		for j := 0; j < i && !lost[i]; j++ {
			lost[i] = lost[j] && d.needs(&ops[i], &ops[j])
		}
		if !lost[i] {
			lost[i] = !c.keeps()
		}
	}
	d.jour.ops = nil
	for i := len(ops) - 1; i >= 0; i-- {
		if !lost[i] {
			continue
		}
		c.OpsLost++
		c.undo(&ops[i])
	}
	for i := range ops {
		if lost[i] {
			d.unhold(&ops[i])
			continue
		}
		c.OpsKept++
		d.settleOp(&ops[i])
	}
}

// undo takes an operation back: of names and attributes now, of a size with the
// pages of its file.
func (c *crash) undo(o *op) {
	switch o.kind {
	case opName:
		c.d.undo(o)
	case opXattr:
		c.d.inode(o.ino).undoXattr(o.xattr)
	case opSize:
		if in := c.d.inode(o.ino); in.undone < 0 || o.size < in.undone {
			in.undone = o.size
		}
	}
}

// prefix returns how many of n operations an ordered journal keeps.
func (c *crash) prefix(n int) int {
	switch {
	case c.d.cfg.Mode != Ext4 || n == 0 || c.fate == fateLost:
		return 0
	case c.fate == fateKept:
		return n
	}
	return int(c.pick.Draw(uint64(n) + 1))
}

func (c *crash) keeps() bool {
	return c.fate == fateKept || c.fate == fateOpen && c.pick.Draw(2) == 1
}

// file leaves of a file's pages and size what the crash does.
func (c *crash) file(in *inode) {
	d := c.d
	c.pages = append(append(c.pages[:0], in.dirtied...), in.failed...)
	slices.Sort(c.pages)
	c.pages = slices.Compact(c.pages)
	undone := in.undone
	in.undone = -1
	grown := in.durable // how far written pages carry the size
	unbroken := undone < 0
	for _, i := range c.pages {
		kept := c.page(in, i, undone)
		if i >= in.durable/PageSize {
			if unbroken = unbroken && kept; unbroken {
				grown = min((i+1)*PageSize, in.size)
			}
		}
	}
	size := in.durable
	if undone < 0 && in.size > in.durable {
		size = c.size(in, max(grown, in.durable))
		c.BytesCut += in.size - size
	}
	in.size, in.durable = size, size
	for _, i := range c.pages {
		if k, b := in.at(i); i*PageSize >= size {
			d.drop(in, k, b, i)
		}
	}
	if tail := size % PageSize; tail != 0 {
		if k, b := in.at(size / PageSize); k != nil && k.now[b] != nil {
			clear(k.now[b][tail:])
		}
	}
	in.dirtied, in.failed = in.dirtied[:0], nil
	d.unlist(in)
}

// size returns the size of a file that grew by writes: grown, as far as its pages
// were kept without a gap, or, in strict mode, any end of a page.
func (c *crash) size(in *inode, grown int64) int64 {
	if c.d.cfg.Mode == Ext4 {
		return grown
	}
	switch c.fate {
	case fateLost:
		return in.durable
	case fateKept:
		return in.size
	}
	first := in.durable / PageSize
	n := c.pick.Draw(uint64(pagesOf(in.size)-first) + 1)
	if n == 0 {
		return in.durable
	}
	return min(in.size, (first+int64(n))*PageSize)
}

// page leaves a page as it is, as it was, or torn, and reports whether it is
// whole. Pages from a truncation on that is undone are as they were.
func (c *crash) page(in *inode, i, undone int64) bool {
	d := c.d
	k, b := in.at(i)
	if k.dirty>>b&1 == 0 {
		return true
	}
	grows := (i+1)*PageSize > in.durable
	differ := c.sectors(k.now[b], k.was[b])
	if len(differ) == 0 && !grows {
		k.failed &^= 1 << b
		d.clean(k, b)
		return true
	}
	verdict := c.verdict(len(differ))
	if k.failed>>b&1 != 0 || undone >= 0 && (i+1)*PageSize > undone {
		verdict = pageLost
	}
	k.failed &^= 1 << b
	switch verdict {
	case pageKept:
		c.PagesKept++
		d.clean(k, b)
		return true
	case pageLost:
		c.PagesLost++
		c.restore(in, i, k, b, differ)
	case pageTorn:
		c.PagesTorn++
		n := uint64(1)<<len(differ) - 2
		mask := c.pick.Draw(n) + 1
		var back []int
		for j, s := range differ {
			if mask>>j&1 == 0 {
				back = append(back, s)
			}
		}
		c.restore(in, i, k, b, back)
	}
	d.clean(k, b)
	return false
}

type pageVerdict uint8

const (
	pageLost pageVerdict = iota
	pageKept
	pageTorn
)

func (c *crash) verdict(differ int) pageVerdict {
	switch {
	case c.fate == fateLost:
		return pageLost
	case c.fate == fateKept:
		return pageKept
	case differ < 2:
		return pageVerdict(c.pick.Draw(2))
	}
	return pageVerdict(c.pick.Draw(3))
}

// sectors returns the offsets of the sectors in which two pages differ.
func (c *crash) sectors(a, b *page) []int {
	if a == nil {
		a = &zeroPage
	}
	if b == nil {
		b = &zeroPage
	}
	if *a == *b {
		return nil
	}
	var out []int
	n := c.d.cfg.sector()
	for s := 0; s < PageSize; s += n {
		if string(a[s:s+n]) != string(b[s:s+n]) {
			out = append(out, s)
		}
	}
	return out
}

// restore gives sectors of a page back what was durable of them.
func (c *crash) restore(in *inode, i int64, k *chunk, b int, sectors []int) {
	if len(sectors) == 0 {
		return
	}
	was := k.was[b]
	if was == nil {
		was = &zeroPage
	}
	if k.now[b] == nil {
		c.d.allocate(in, k, 1<<b)
		if k.now[b] = in.pinned(i); k.now[b] == nil {
			k.now[b] = c.d.newPage()
		}
	}
	for _, s := range sectors {
		n := c.d.cfg.sector()
		copy(k.now[b][s:s+n], was[s:s+n])
	}
}
