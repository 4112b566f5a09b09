package disk

import (
	"slices"
	"syscall"
	"time"
)

// Ino numbers the inodes of one disk, in the order of their creation. 0 is none.
type Ino uint64

// Root is the root directory, with the number that ext4 gives it.
const Root Ino = 2

// Kind is what an inode is.
type Kind uint8

// The kinds of inodes. A fifo or socket is a name only: what it does is the
// kernel's.
const (
	File Kind = iota
	Directory
	Symlink
	Fifo
	Socket
)

// Format returns the kind as the S_IFMT bits of a mode.
func (k Kind) Format() uint32 {
	switch k {
	case Directory:
		return syscall.S_IFDIR
	case Symlink:
		return syscall.S_IFLNK
	case Fifo:
		return syscall.S_IFIFO
	case Socket:
		return syscall.S_IFSOCK
	}
	return syscall.S_IFREG
}

type inode struct {
	ino   Ino
	kind  Kind
	mode  uint32 // 07777
	uid   uint32
	gid   uint32
	times Times

	links int // entries that name it; of the root, 1
	opens int // Open without Release
	holds int // journalled operations that name it
	// lastOp is the last operation that touched it, committed or not.
	lastOp uint64

	content        // of a file
	dir     dir    // of a directory
	parent  Ino    // of a directory
	target  string // of a symlink
	xattrs  []xattr
	// linkable says that the inode may get its first name: it was made without.
	linkable bool
}

// Times are when an inode was last accessed, modified, changed and when it was
// made, in nanoseconds since 1970.
type Times struct{ Access, Modify, Change, Birth int64 }

// Stat describes an inode.
type Stat struct {
	Ino    Ino
	Kind   Kind
	Mode   uint32 // 07777
	UID    uint32
	GID    uint32
	Links  int
	Size   int64
	Blocks int64 // of 512 bytes
	Times
}

func (d *Disk) newInode(k Kind, mode uint32, now int64) *inode {
	in := &inode{ino: Ino(len(d.inodes)), kind: k, mode: mode & 0o7777, times: Times{now, now, now, now}}
	in.undone = -1
	d.inodes = append(d.inodes, in)
	return in
}

// inode returns a live inode; a number that is none is our own mistake.
func (d *Disk) inode(ino Ino) *inode {
	if ino < Ino(len(d.inodes)) {
		if in := d.inodes[ino]; in != nil {
			return in
		}
	}
	panic("disk: an inode that there is not")
}

// shortTarget is the length from which a symlink's target has a block: a shorter one
// is in the inode, as on ext4.
const shortTarget = 60

// pageBlocks is the blocks of 512 bytes in a page.
const pageBlocks = PageSize / 512

// Stat describes an inode.
func (d *Disk) Stat(ino Ino) Stat {
	in := d.inode(ino)
	s := Stat{
		Ino: ino, Kind: in.kind, Mode: in.mode, UID: in.uid, GID: in.gid, Links: in.links,
		Size: in.size, Blocks: in.pages * pageBlocks, Times: in.times,
	}
	if slices.ContainsFunc(in.xattrs, func(x xattr) bool { return x.block }) {
		s.Blocks += pageBlocks
	}
	switch in.kind {
	case Directory:
		s.Size = PageSize
		s.Blocks += pageBlocks
		if in.links > 0 {
			s.Links = 2 + in.dir.subdirs
		}
	case Symlink:
		if s.Size = int64(len(in.target)); s.Size >= shortTarget {
			s.Blocks += pageBlocks
		}
	}
	return s
}

// Chmod sets the permission bits.
func (d *Disk) Chmod(ino Ino, mode uint32, now int64) {
	in := d.inode(ino)
	in.mode = mode & 0o7777
	in.times.Change = now
}

// Chown sets owner and group.
func (d *Disk) Chown(ino Ino, uid, gid uint32, now int64) {
	in := d.inode(ino)
	in.uid, in.gid, in.times.Change = uid, gid, now
}

// Chtimes sets the times of access and modification.
func (d *Disk) Chtimes(ino Ino, access, modify, now int64) {
	in := d.inode(ino)
	in.times.Access, in.times.Modify, in.times.Change = access, modify, now
}

// accessedEvery is how long a time of access stays as it is while a file is read.
const accessedEvery = int64(24 * time.Hour)

// Accessed notes that an inode was read. As relatime has it, the time of access
// changes only if nothing was read since the last change, or not for a day.
func (d *Disk) Accessed(ino Ino, now int64) {
	t := &d.inode(ino).times
	if t.Access <= t.Modify || t.Access <= t.Change || now-t.Access >= accessedEvery {
		t.Access = now
	}
}

// Modified notes that something was written to what has no bytes on the disk.
func (d *Disk) Modified(ino Ino, now int64) {
	t := &d.inode(ino).times
	t.Modify, t.Change = now, now
}

// Opens returns how often an inode is open.
func (d *Disk) Opens(ino Ino) int { return d.inode(ino).opens }

// Open keeps an inode alive until [Disk.Release], named or not.
func (d *Disk) Open(ino Ino) { d.inode(ino).opens++ }

// Release undoes one [Disk.Open].
func (d *Disk) Release(ino Ino) {
	in := d.inode(ino)
	if in.opens--; in.opens < 0 {
		panic("disk: an inode is released more often than opened")
	}
	d.reap(in)
}

// reap drops what an inode holds once nothing can reach it: its space when it
// has no name and is not open, itself when no operation may yet name it again.
func (d *Disk) reap(in *inode) {
	if in.links > 0 {
		if in.gone {
			in.gone = false
			d.used += in.pages
		}
		return
	}
	if in.opens > 0 {
		return
	}
	if !in.gone {
		in.gone = true
		d.used -= in.pages
	}
	if in.holds > 0 {
		return
	}
	d.discard(in)
	d.inodes[in.ino] = nil
}
