package disk

import "math/bits"

// PageSize is the unit of the page cache, in bytes.
const PageSize = 4096

// MaxSize is the largest size of a file: 16 TiB, as on ext4.
const MaxSize = 16 << 40

const chunkPages = 64

type page [PageSize]byte

var zeroPage page

// content is the data of a file: the page cache, and what is durable where that
// differs. Bytes of a page beyond size are zero.
type content struct {
	size    int64
	durable int64    // the size that is durable
	chunks  []*chunk // nil where nothing is
	pages   int64    // allocated
	gone    bool     // nothing can read it: its pages do not count as used
	listed  int      // place in Disk.dirty, from 1; 0 if not in it
	// dirtied holds every page that is dirty and not failed, each once.
	dirtied []int64
	// failed holds every page that is failed; one may be so no longer.
	failed []int64
	// undone is the least size of a truncation that a crash undid, during it; -1
	// if there was none.
	undone int64

	region []byte // the pages' memory, if pinned
	shared int    // writable shared mappings
}

// chunk is chunkPages consecutive pages. A page that is nil reads as zeros, or,
// if the file is pinned, is in the region.
type chunk struct {
	now [chunkPages]*page
	// was is what is durable of a dirty page; nil is zeros. It means nothing for
	// a clean one, whose durable content is now.
	was [chunkPages]*page
	// Bits by page. A failed page is dirty too: a sync of it failed, and since
	// then it counts as clean though it is not durable.
	alloc, dirty, failed uint64
}

func pagesOf(size int64) int64 { return (size + PageSize - 1) / PageSize }

// at returns the chunk of page i and the page's bit, or nil if there is none.
func (c *content) at(i int64) (*chunk, int) {
	n := i / chunkPages
	if n >= int64(len(c.chunks)) {
		return nil, 0
	}
	return c.chunks[n], int(i % chunkPages)
}

// make returns the chunk of page i and the page's place in it.
func (c *content) make(i int64) (*chunk, int) {
	n := i / chunkPages
	for n >= int64(len(c.chunks)) {
		c.chunks = append(c.chunks, nil)
	}
	if c.chunks[n] == nil {
		c.chunks[n] = new(chunk)
	}
	return c.chunks[n], int(i % chunkPages)
}

// page returns page i as it reads now; nil is zeros.
func (c *content) page(i int64) *page {
	if k, b := c.at(i); k != nil && k.now[b] != nil {
		return k.now[b]
	}
	return c.pinned(i)
}

// pinned returns the memory of page i in the region, or nil.
func (c *content) pinned(i int64) *page {
	if end := (i + 1) * PageSize; end <= int64(len(c.region)) {
		return (*page)(c.region[end-PageSize : end])
	}
	return nil
}

// writable returns page i to be changed: allocated, dirty, its durable content
// kept aside.
func (d *Disk) writable(in *inode, i int64) *page {
	k, b := in.make(i)
	bit := uint64(1) << b
	d.allocate(in, k, bit)
	if k.dirty&bit == 0 || k.failed&bit != 0 {
		d.mark(in, k, b, i)
	}
	if k.now[b] == nil {
		if k.now[b] = in.pinned(i); k.now[b] == nil {
			k.now[b] = d.newPage()
		}
	}
	return k.now[b]
}

func (d *Disk) allocate(in *inode, k *chunk, bit uint64) {
	if k.alloc&bit == 0 {
		k.alloc |= bit
		in.pages++
		if !in.gone {
			d.used++
		}
	}
}

// mark makes page i dirty and keeps aside what is durable of it.
func (d *Disk) mark(in *inode, k *chunk, b int, i int64) {
	bit := uint64(1) << b
	if k.dirty&bit == 0 {
		k.dirty |= bit
		k.was[b] = nil
		if k.now[b] != nil {
			k.was[b] = d.copyPage(k.now[b])
		}
	}
	k.failed &^= bit
	in.dirtied = append(in.dirtied, i)
	d.list(in)
}

// list enters an inode among those that are not durable.
func (d *Disk) list(in *inode) {
	if in.listed == 0 {
		d.dirty = append(d.dirty, in)
		in.listed = len(d.dirty)
	}
}

// unlist undoes list.
func (d *Disk) unlist(in *inode) {
	if in.listed == 0 {
		return
	}
	last := d.dirty[len(d.dirty)-1]
	d.dirty[in.listed-1], last.listed = last, in.listed
	d.dirty[len(d.dirty)-1] = nil
	d.dirty = d.dirty[:len(d.dirty)-1]
	in.listed = 0
}

// drop takes page i out of the file, so that it reads as zeros.
func (d *Disk) drop(in *inode, k *chunk, b int, i int64) {
	if k.now[b] != nil {
		if in.pinned(i) == k.now[b] {
			clear(k.now[b][:])
		} else {
			d.spare = append(d.spare, k.now[b])
		}
		k.now[b] = nil
	}
	if bit := uint64(1) << b; k.alloc&bit != 0 {
		k.alloc &^= bit
		in.pages--
		if !in.gone {
			d.used--
		}
	}
}

// clean forgets what was durable of a page: what it holds now is.
func (d *Disk) clean(k *chunk, b int) {
	if k.was[b] != nil {
		d.spare = append(d.spare, k.was[b])
		k.was[b] = nil
	}
	k.dirty &^= 1 << b
}

// discard gives back everything that a file holds.
func (d *Disk) discard(in *inode) {
	for n, k := range in.chunks {
		if k == nil {
			continue
		}
		for b := range chunkPages {
			d.drop(in, k, b, int64(n*chunkPages+b))
			if k.dirty>>b&1 != 0 {
				d.clean(k, b)
			}
		}
	}
	if in.region != nil && d.Unpinned != nil {
		d.Unpinned(in.ino, in.region)
	}
	d.unlist(in)
	in.content = content{gone: true, undone: -1}
}

// newPage returns a page of zeros.
func (d *Disk) newPage() *page {
	if n := len(d.spare); n > 0 {
		p := d.spare[n-1]
		d.spare = d.spare[:n-1]
		*p = zeroPage
		return p
	}
	return new(page)
}

func (d *Disk) copyPage(from *page) *page {
	var p *page
	if n := len(d.spare); n > 0 {
		p = d.spare[n-1]
		d.spare = d.spare[:n-1]
	} else {
		p = new(page)
	}
	*p = *from
	return p
}

// same reports whether two pages, nil being zeros, hold the same.
func same(a, b *page) bool {
	if a == nil {
		a = &zeroPage
	}
	if b == nil {
		b = &zeroPage
	}
	return a == b || *a == *b
}

// each calls f with every page that there is at or beyond index from.
func (c *content) each(from int64, f func(k *chunk, b int, i int64)) {
	for n := from / chunkPages; n < int64(len(c.chunks)); n++ {
		k := c.chunks[n]
		if k == nil {
			continue
		}
		have := k.alloc | k.dirty
		if n == from/chunkPages {
			have &= ^uint64(0) << (from % chunkPages)
		}
		for ; have != 0; have &= have - 1 {
			b := bits.TrailingZeros64(have)
			f(k, b, n*chunkPages+int64(b))
		}
	}
}
