package disk

import "syscall"

// Pin moves a file's pages into region, memory that the caller supplies zeroed
// and never moves, for as long as the inode lives: then mappings of the file and
// its reads and writes share it. It returns EFBIG if the file is larger, and does
// nothing if the file is pinned; see [Disk.Region].
func (d *Disk) Pin(ino Ino, region []byte) syscall.Errno {
	in := d.inode(ino)
	if in.region != nil {
		return 0
	}
	region = region[:len(region)/PageSize*PageSize]
	if in.size > int64(len(region)) {
		return syscall.EFBIG
	}
	in.region = region
	in.each(0, func(k *chunk, b int, i int64) {
		if p := in.pinned(i); p != nil && k.now[b] != nil {
			*p = *k.now[b]
			d.spare = append(d.spare, k.now[b])
			k.now[b] = p
		}
	})
	return 0
}

// Region returns the memory that a file is pinned in, or nil.
func (d *Disk) Region(ino Ino) []byte { return d.inode(ino).region }

// Share says that a pinned file is mapped shared and writable from now on: any
// page may change without a call. It is undone by [Disk.Unshare].
func (d *Disk) Share(ino Ino) {
	in := d.inode(ino)
	in.shared++
	if in.shared > 1 {
		return
	}
	in.each(0, func(k *chunk, b int, i int64) {
		if k.dirty>>b&1 == 0 || k.failed>>b&1 != 0 {
			d.mark(in, k, b, i)
		}
	})
	d.list(in)
}

// Unshare undoes one [Disk.Share].
func (d *Disk) Unshare(ino Ino) {
	in := d.inode(ino)
	d.absorb(in)
	if in.shared--; in.shared > 0 {
		return
	}
	left := in.dirtied[:0]
	for _, i := range in.dirtied {
		k, b := in.at(i)
		if i*PageSize < in.durable && same(k.now[b], k.was[b]) {
			d.clean(k, b)
			continue
		}
		left = append(left, i)
	}
	in.dirtied = left
}

// absorb notes the pages that a writable mapping made out of holes. Pages that
// there were are dirty all the while.
func (d *Disk) absorb(in *inode) {
	if in.shared == 0 {
		return
	}
	if tail := in.size % PageSize; tail != 0 {
		if p := in.page(in.size / PageSize); p != nil {
			clear(p[tail:])
		}
	}
	for i := range pagesOf(in.size) {
		k, b := in.at(i)
		if k != nil && k.now[b] != nil {
			continue
		}
		if p := in.pinned(i); p != nil && *p != zeroPage {
			d.writable(in, i)
		}
	}
}
