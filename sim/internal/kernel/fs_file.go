package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

// file is an open inode of a disk: a file, a directory, a fifo, or a symlink
// opened with O_PATH. It keeps the inode alive.
type file struct {
	host *Host
	ino  disk.Ino
	kind disk.Kind
}

func (k *Kernel) openFile(h *Host, ino disk.Ino) *file {
	h.Disk.Open(ino)
	return &file{h, ino, h.Disk.Stat(ino).Kind}
}

func (f *file) close(*Kernel) { f.host.Disk.Release(f.ino) }

func (f *file) size() int64 {
	if f.kind == disk.Directory {
		return 1<<63 - 1 // offsets of directories are cookies
	}
	return f.host.Disk.Size(f.ino)
}

func (f *file) read(k *Kernel, d *description, b []byte) (int, syscall.Errno) {
	n, errno := f.readAt(k, b, d.offset)
	d.offset += int64(n)
	return n, errno
}

func (f *file) readAt(_ *Kernel, b []byte, off int64) (int, syscall.Errno) {
	if f.kind == disk.Directory {
		return 0, syscall.EISDIR
	}
	return f.host.Disk.ReadAt(f.ino, b, off)
}

func (f *file) write(k *Kernel, d *description, b []byte) (int, syscall.Errno) {
	if d.flags&syscall.O_APPEND != 0 && len(b) > 0 {
		d.offset = f.size()
	}
	n, errno := f.writeAt(k, b, d.offset)
	d.offset += int64(n)
	return n, errno
}

func (f *file) writeAt(k *Kernel, b []byte, off int64) (int, syscall.Errno) {
	return f.host.Disk.WriteAt(f.ino, b, off, f.host.Wall(k.now))
}

func (f *file) stat(_ *Kernel, st *syscall.Stat_t) syscall.Errno {
	f.host.stat(f.ino, st)
	return 0
}

// device returns the number of a host's disk: 8:1 on the first, as of sda1.
func (h *Host) device() uint64 { return unix.Mkdev(8, uint32(h.index)+1) }

// stat fills in st for an inode.
func (h *Host) stat(ino disk.Ino, st *syscall.Stat_t) {
	s := h.Disk.Stat(ino)
	*st = syscall.Stat_t{
		Dev:     h.device(),
		Ino:     uint64(s.Ino),
		Mode:    s.Kind.Format() | s.Mode,
		Uid:     s.UID,
		Gid:     s.GID,
		Size:    s.Size,
		Blksize: disk.PageSize,
		Blocks:  s.Blocks,
		Atim:    syscall.NsecToTimespec(s.Access),
		Mtim:    syscall.NsecToTimespec(s.Modify),
		Ctim:    syscall.NsecToTimespec(s.Change),
	}
	setLinks(st, s.Links)
}

// statx fills in x from st, and the time of birth if there is one.
func statx(st *syscall.Stat_t, birth int64, x *unix.Statx_t) {
	*x = unix.Statx_t{
		Mask:            unix.STATX_BASIC_STATS,
		Blksize:         uint32(st.Blksize),
		Nlink:           uint32(st.Nlink),
		Uid:             st.Uid,
		Gid:             st.Gid,
		Mode:            uint16(st.Mode),
		Ino:             st.Ino,
		Size:            uint64(st.Size),
		Blocks:          uint64(st.Blocks),
		Atime:           statxTime(st.Atim),
		Mtime:           statxTime(st.Mtim),
		Ctime:           statxTime(st.Ctim),
		Rdev_major:      unix.Major(st.Rdev),
		Rdev_minor:      unix.Minor(st.Rdev),
		Dev_major:       unix.Major(st.Dev),
		Dev_minor:       unix.Minor(st.Dev),
		Attributes_mask: 0,
	}
	if birth != 0 {
		x.Mask |= unix.STATX_BTIME
		x.Btime = statxTime(syscall.NsecToTimespec(birth))
	}
}

func statxTime(t syscall.Timespec) unix.StatxTimestamp {
	return unix.StatxTimestamp{Sec: t.Sec, Nsec: uint32(t.Nsec)}
}

// path returns an absolute path of a file, if it has a name.
func (f *file) path() (string, bool) { return f.host.Disk.PathOf(f.ino) }
