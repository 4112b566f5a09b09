package disk

import "syscall"

// Fsync makes a file or a directory durable, as the disk's [Mode] has it.
func (d *Disk) Fsync(ino Ino) syscall.Errno {
	in := d.inode(ino)
	if d.faults.fails(d, FaultSyncError, ino, d.unsynced(in)) {
		d.fail(in)
		return syscall.EIO
	}
	if d.faults.fails(d, FaultSyncLie, ino, d.unsynced(in)) {
		return 0
	}
	ops := d.commit(in)
	d.observe(EventSync, ino, int64(ops), d.flush(in))
	return 0
}

// Fdatasync makes durable what is needed to read a file's data back.
func (d *Disk) Fdatasync(ino Ino) syscall.Errno { return d.Fsync(ino) }

// SyncAll makes everything durable.
func (d *Disk) SyncAll() syscall.Errno {
	if d.faults.fails(d, FaultSyncError, 0, 0) {
		for _, in := range d.dirty {
			d.fail(in)
		}
		return syscall.EIO
	}
	if d.faults.fails(d, FaultSyncLie, 0, 0) {
		return 0
	}
	d.observe(EventSyncAll, 0, int64(len(d.jour.ops)), d.settleAll())
	return 0
}

// settleAll makes everything durable and returns how many pages that were.
func (d *Disk) settleAll() int64 {
	d.commitFirst(len(d.jour.ops))
	n := int64(0)
	for i := len(d.dirty) - 1; i >= 0; i-- {
		n += d.flush(d.dirty[i]) // takes it off the list, or leaves it in place
	}
	return n
}

// flush makes a file's pages and size durable and returns how many pages that
// were. The operations on its size are committed before.
func (d *Disk) flush(in *inode) int64 {
	d.absorb(in)
	n := int64(0)
	for _, i := range in.dirtied {
		k, b := in.at(i)
		if in.shared == 0 {
			d.clean(k, b)
			n++
			continue
		}
		// Of a file that is mapped to be written, every page stays dirty.
		if !same(k.now[b], k.was[b]) {
			if k.was[b] == nil {
				k.was[b] = d.newPage()
			}
			if k.now[b] == nil {
				*k.was[b] = zeroPage
			} else {
				*k.was[b] = *k.now[b]
			}
			n++
		}
	}
	in.durable = in.size
	if in.shared > 0 {
		return n
	}
	in.dirtied = in.dirtied[:0]
	if d.pruneFailed(in); len(in.failed) == 0 {
		d.unlist(in)
	}
	return n
}

// pruneFailed forgets the pages that were written again since they failed.
func (d *Disk) pruneFailed(in *inode) {
	left := in.failed[:0]
	for _, i := range in.failed {
		if k, b := in.at(i); k.failed>>b&1 != 0 {
			left = append(left, i)
		}
	}
	in.failed = left
}

// fail has the dirty pages of a file count as clean though they are not durable,
// as Linux does once it has reported that it could not write them.
func (d *Disk) fail(in *inode) {
	if in.shared > 0 {
		return // they are written again by the next sync at the latest
	}
	for _, i := range in.dirtied {
		k, b := in.at(i)
		k.failed |= 1 << b
	}
	d.pruneFailed(in)
	in.failed = append(in.failed, in.dirtied...)
	in.dirtied = in.dirtied[:0]
}

// unsynced returns how many bytes of a file are dirty, in whole pages.
func (d *Disk) unsynced(in *inode) int64 { return int64(len(in.dirtied)) * PageSize }
