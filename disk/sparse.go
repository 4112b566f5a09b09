package disk

import (
	"slices"
	"syscall"
)

// NextData returns where the data of a file goes on at or after off, in pages; ok
// is false if there is none up to the end. Space that was only taken is no data.
func (d *Disk) NextData(ino Ino, off int64) (at int64, ok bool) {
	in := d.inode(ino)
	d.absorb(in)
	for i := off / PageSize; i*PageSize < in.size; i++ {
		k, b := in.at(i)
		if k == nil {
			i |= chunkPages - 1
			continue
		}
		if k.written(b) {
			return max(off, i*PageSize), true
		}
	}
	return 0, false
}

// NextHole returns where the first hole of a file at or after off is, in pages: at
// the end of the file at the latest.
func (d *Disk) NextHole(ino Ino, off int64) int64 {
	in := d.inode(ino)
	d.absorb(in)
	for i := off / PageSize; i*PageSize < in.size; i++ {
		if k, b := in.at(i); k == nil || !k.written(b) {
			return max(off, i*PageSize)
		}
	}
	return in.size
}

// written reports whether a page of the chunk is more than space.
func (k *chunk) written(b int) bool { return k.alloc>>b&1 != 0 && k.now[b] != nil }

// Collapse takes n bytes at off out of a file, so that what follows moves forward;
// both are in whole pages and lie before the end. It becomes durable at once, with
// everything that the file holds, as a file system does that writes a file back
// before it moves its blocks.
func (d *Disk) Collapse(ino Ino, off, n, now int64) syscall.Errno {
	in := d.inode(ino)
	switch {
	case off%PageSize != 0 || n%PageSize != 0 || off < 0 || n <= 0:
		return syscall.EINVAL
	case off+n >= in.size:
		return syscall.EINVAL
	}
	return d.shift(in, off, -n, now)
}

// Insert puts a hole of n bytes at off into a file, so that what was there moves
// back. It is durable as [Disk.Collapse] is.
func (d *Disk) Insert(ino Ino, off, n, now int64) syscall.Errno {
	in := d.inode(ino)
	switch {
	case off%PageSize != 0 || n%PageSize != 0 || off < 0 || n <= 0:
		return syscall.EINVAL
	case in.size > MaxSize-n:
		return syscall.EFBIG
	case off >= in.size:
		return syscall.EINVAL
	}
	return d.shift(in, off, n, now)
}

// shift moves what a file has from off on by n bytes, over what was there before.
func (d *Disk) shift(in *inode, off, n, now int64) syscall.Errno {
	d.commit(in)
	d.flush(in)
	first := off / PageSize
	for _, m := range d.takePages(in, first) {
		if i := m.i + n/PageSize; i >= first { // else it is taken out
			d.putPage(in, i, m)
		}
	}
	in.size += n
	in.durable = in.size
	in.times.Modify, in.times.Change = now, now
	d.observe(EventShift, in.ino, off, n)
	return 0
}

// moved is a page on its way to another place of its file.
type moved struct {
	i    int64
	page *page // nil if there is only space
}

// takePages takes the pages from first on out of a file; they count as durable.
func (d *Disk) takePages(in *inode, first int64) (out []moved) {
	in.each(first, func(k *chunk, b int, i int64) {
		if k.alloc>>b&1 != 0 {
			m := moved{i: i}
			if k.now[b] != nil {
				m.page = d.copyPage(k.now[b])
			}
			out = append(out, m)
		}
		d.drop(in, k, b, i)
		k.failed &^= 1 << b
		d.clean(k, b)
	})
	in.dirtied = slices.DeleteFunc(in.dirtied, func(i int64) bool { return i >= first })
	d.pruneFailed(in)
	return out
}

// putPage puts a durable page at a place of a file where there is none.
func (d *Disk) putPage(in *inode, i int64, m moved) {
	k, b := in.make(i)
	d.allocate(in, k, 1<<b)
	if m.page == nil {
		return
	}
	if p := in.pinned(i); p != nil {
		*p = *m.page
		d.spare = append(d.spare, m.page)
		m.page = p
	}
	k.now[b] = m.page
	if in.shared > 0 {
		d.mark(in, k, b, i)
	}
}

// Pages returns how many pages of space a file takes up.
func (d *Disk) Pages(ino Ino) int64 { return d.inode(ino).pages }
