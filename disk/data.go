package disk

import "syscall"

// Size returns the size of a file.
func (d *Disk) Size(ino Ino) int64 { return d.inode(ino).size }

// ReadAt reads up to len(b) bytes of a file at off; 0 is the end.
func (d *Disk) ReadAt(ino Ino, b []byte, off int64) (int, syscall.Errno) {
	in := d.inode(ino)
	if off >= in.size || len(b) == 0 {
		return 0, 0
	}
	if d.faults.fails(d, FaultReadError, ino, int64(len(b))) {
		return 0, syscall.EIO
	}
	return d.read(in, b, off), 0
}

// read is ReadAt of a disk without faults.
func (d *Disk) read(in *inode, b []byte, off int64) int {
	if off >= in.size {
		return 0
	}
	b = b[:min(int64(len(b)), in.size-off)]
	for n := 0; n < len(b); {
		i, at := (off+int64(n))/PageSize, int((off+int64(n))%PageSize)
		if p := in.page(i); p != nil {
			n += copy(b[n:], p[at:])
			continue
		}
		z := b[n:min(len(b), n+PageSize-at)]
		clear(z)
		n += len(z)
	}
	return len(b)
}

// WriteAt writes b to a file at off. A disk that is full takes what fits.
func (d *Disk) WriteAt(ino Ino, b []byte, off, now int64) (int, syscall.Errno) {
	in := d.inode(ino)
	if len(b) == 0 {
		return 0, 0
	}
	if off >= MaxSize {
		return 0, syscall.EFBIG
	}
	if d.faults.fails(d, FaultWriteError, ino, int64(len(b))) {
		return 0, syscall.EIO
	}
	return d.write(in, b, off, now)
}

// write is WriteAt of a disk without faults.
func (d *Disk) write(in *inode, b []byte, off, now int64) (int, syscall.Errno) {
	b = b[:min(int64(len(b)), MaxSize-off)]
	if off > in.size {
		d.clearTail(in)
	}
	n := 0
	for n < len(b) {
		i, at := (off+int64(n))/PageSize, int((off+int64(n))%PageSize)
		if !d.room(in, i) {
			break
		}
		n += copy(d.writable(in, i)[at:], b[n:])
	}
	if n == 0 {
		d.faults.count(d, FaultFull, in.ino, int64(len(b)))
		return 0, syscall.ENOSPC
	}
	in.size = max(in.size, off+int64(n))
	in.times.Modify, in.times.Change = now, now
	d.observe(EventWrite, in.ino, off, int64(n))
	return n, 0
}

// clearTail zeroes what a shared mapping wrote beyond the end of its file, before
// the file grows over it.
func (d *Disk) clearTail(in *inode) {
	if in.shared > 0 && in.size%PageSize != 0 {
		if p := in.page(in.size / PageSize); p != nil {
			clear(p[in.size%PageSize:])
		}
	}
}

// room reports whether page i can be written: it is allocated or can be.
func (d *Disk) room(in *inode, i int64) bool {
	if d.cfg.Size == 0 {
		return true
	}
	if k, b := in.at(i); k != nil && k.alloc>>b&1 != 0 {
		return true
	}
	return d.used < d.cfg.Size/PageSize
}

// Truncate sets the size of a file.
func (d *Disk) Truncate(ino Ino, size, now int64) syscall.Errno {
	in := d.inode(ino)
	if size < 0 {
		return syscall.EINVAL
	}
	if size > MaxSize {
		return syscall.EFBIG
	}
	in.times.Modify, in.times.Change = now, now
	if size == in.size {
		return 0
	}
	d.setSize(in, size)
	d.observe(EventTruncate, ino, 0, size)
	return 0
}

func (d *Disk) setSize(in *inode, size int64) {
	if size > in.size {
		d.clearTail(in)
	} else {
		d.zero(in, size, pagesOf(size)*PageSize)
		in.each(pagesOf(size), func(k *chunk, b int, i int64) { d.cut(in, k, b, i) })
	}
	in.size = size
	d.list(in)
	d.log(op{kind: opSize, ino: in.ino, size: size})
}

// zero zeroes the bytes of a file from..to that its pages hold.
func (d *Disk) zero(in *inode, from, to int64) {
	d.absorb(in)
	for from < to {
		i := from / PageSize
		end := min(to, (i+1)*PageSize)
		k, b := in.at(i)
		switch {
		case k == nil:
			end = min(to, (i/chunkPages+1)*chunkPages*PageSize)
		case end-from == PageSize:
			if k.alloc>>b&1 != 0 || in.shared > 0 {
				d.cut(in, k, b, i)
			}
		case k.now[b] != nil || in.shared > 0:
			clear(d.writable(in, i)[from%PageSize : from%PageSize+end-from])
		}
		from = end
	}
}

// cut makes page i a hole, and dirty.
func (d *Disk) cut(in *inode, k *chunk, b int, i int64) {
	if in.shared > 0 && k.now[b] == nil {
		k.now[b] = in.pinned(i)
	}
	if bit := uint64(1) << b; k.dirty&bit == 0 || k.failed&bit != 0 {
		d.mark(in, k, b, i)
	}
	d.drop(in, k, b, i)
}

// AllocateMode says what [Disk.Allocate] does with a range.
type AllocateMode uint8

// What may be done with a range.
const (
	AllocateGrow   AllocateMode = iota // take space, and grow the file to its end
	AllocateKeep                       // take space
	AllocatePunch                      // give space back; it reads as zeros
	AllocateZero                       // as AllocateGrow; it reads as zeros
	AllocateZeroIn                     // as AllocateKeep; it reads as zeros
)

// Allocate takes or gives back the space of n bytes at off, as fallocate(2).
func (d *Disk) Allocate(ino Ino, mode AllocateMode, off, n, now int64) syscall.Errno {
	in := d.inode(ino)
	if off < 0 || n <= 0 {
		return syscall.EINVAL
	}
	if off > MaxSize-n {
		return syscall.EFBIG
	}
	if mode >= AllocatePunch {
		d.zero(in, off, min(off+n, pagesOf(in.size)*PageSize))
	}
	if mode != AllocatePunch && !d.take(in, off/PageSize, pagesOf(off+n)) {
		d.faults.count(d, FaultFull, ino, n)
		return syscall.ENOSPC
	}
	if end := off + n; end > in.size && (mode == AllocateGrow || mode == AllocateZero) {
		d.setSize(in, end)
	}
	in.times.Modify, in.times.Change = now, now
	d.observe(EventAllocate, ino, off, n)
	return 0
}

// take allocates the pages from..to of a file, all or none of them.
func (d *Disk) take(in *inode, from, to int64) bool {
	if d.cfg.Size != 0 {
		need := to - from
		in.each(from, func(k *chunk, b int, i int64) {
			if i < to && k.alloc>>b&1 != 0 {
				need--
			}
		})
		if d.used+need > d.cfg.Size/PageSize {
			return false
		}
	}
	for i := from; i < to; i++ {
		k, b := in.make(i)
		d.allocate(in, k, 1<<b)
	}
	return true
}
