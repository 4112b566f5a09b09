package kernel

import (
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

// file is an open inode of a disk: a file, a directory, a fifo, or a symlink
// opened with O_PATH. It keeps the inode alive.
type file struct {
	host  *Host
	ino   disk.Ino
	kind  disk.Kind
	at    entry
	flags int // that it was opened with
	// The open files of the host are a list.
	prev, next *file
}

// openFile opens an inode by an entry. It is told of when the call has done all.
func (h *Host) openFile(ino disk.Ino, at entry, flags int) *file {
	h.Disk.Open(ino)
	return h.listFile(&file{host: h, ino: ino, kind: h.Disk.Stat(ino).Kind, at: at, flags: flags})
}

func (h *Host) listFile(f *file) *file {
	if f.next = h.files; f.next != nil {
		f.next.prev = f
	}
	h.files = f
	return f
}

func (f *file) close(k *Kernel) {
	event := uint32(unix.IN_CLOSE_NOWRITE)
	if f.writes() {
		event = unix.IN_CLOSE_WRITE
	}
	f.tell(k, event)
	if f.prev != nil {
		f.prev.next = f.next
	} else {
		f.host.files = f.next
	}
	if f.next != nil {
		f.next.prev = f.prev
	}
	f.host.leave(k, f.ino, f.at)
}

// leave gives up an inode that was open.
func (h *Host) leave(k *Kernel, ino disk.Ino, at entry) {
	watched := len(h.watches[ino]) > 0
	h.Disk.Release(ino)
	if watched {
		h.ended(k, ino, at)
	}
}

func (f *file) writes() bool { return writes(f.flags) }

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

func (f *file) readAt(k *Kernel, b []byte, off int64) (int, syscall.Errno) {
	if f.kind == disk.Directory {
		return 0, syscall.EISDIR
	}
	f.accessed(k)
	return f.host.Disk.ReadAt(f.ino, b, off)
}

// accessed notes that the file was read.
func (f *file) accessed(k *Kernel) {
	if f.flags&unix.O_NOATIME == 0 {
		f.host.Disk.Accessed(f.ino, f.host.Wall(k.now))
	}
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

func (f *file) ioctl(_ *Kernel, d *description, request, arg uintptr) (uintptr, syscall.Errno) {
	if request != unix.TIOCINQ || f.kind != disk.File {
		return 0, syscall.ENOTTY
	}
	*at[int32](arg) = int32(f.size() - d.offset)
	return 0, 0
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

// path returns the absolute path by which a file was reached, as /proc shows it.
func (f *file) path() string {
	if f.kind == disk.Directory {
		if dir, ok := f.host.Disk.Path(f.ino); ok {
			return dir
		}
	}
	dir, _ := f.host.Disk.Path(f.at.dir)
	name := strings.TrimSuffix(dir, "/") + "/" + f.at.name
	if f.at.gone {
		name += " (deleted)"
	}
	return name
}
