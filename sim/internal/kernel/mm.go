package kernel

import (
	"fmt"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_MMAP:       sysMmap,
		unix.SYS_MUNMAP:     sysMunmap,
		unix.SYS_MREMAP:     sysMremap,
		unix.SYS_MPROTECT:   sysMprotect,
		unix.SYS_MSYNC:      sysMsync,
		unix.SYS_MADVISE:    sysMadvise,
		unix.SYS_MINCORE:    fail(syscall.ENOSYS),
		unix.SYS_MLOCK:      constant(0),
		unix.SYS_MLOCK2:     constant(0),
		unix.SYS_MUNLOCK:    constant(0),
		unix.SYS_MLOCKALL:   constant(0),
		unix.SYS_MUNLOCKALL: constant(0),
	})
}

const pageSize = disk.PageSize

func roundUp(n uintptr) uintptr { return (n + pageSize - 1) &^ (pageSize - 1) }

// mapping is memory that a process mapped. Of a file that is shared it is the
// memory that the file's pages are in, the same for every mapping of the file;
// anything else has memory of its own.
type mapping struct {
	addr, size uintptr
	prot       int
	file       *file        // that is mapped shared, or nil
	desc       *description // of the file, which the mapping keeps
	shared     bool         // and writable
	mayWrite   bool         // its descriptor was open for writing
}

func (m *mapping) end() uintptr { return m.addr + m.size }

func sysMmap(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	size, prot, flags := roundUp(c.Args[1]), int(c.Args[2]), int(c.Args[3])
	kind := flags & unix.MAP_TYPE
	if c.Args[1] == 0 || kind != unix.MAP_SHARED && kind != unix.MAP_PRIVATE && kind != unix.MAP_SHARED_VALIDATE {
		return 0, syscall.EINVAL
	}
	if size == 0 || size > anonEnd-anonBase {
		return 0, syscall.ENOMEM
	}
	if flags&(unix.MAP_FIXED|unix.MAP_FIXED_NOREPLACE) != 0 {
		k.refused(c)
		return 0, syscall.ENOMEM
	}
	if flags&unix.MAP_ANONYMOUS != 0 {
		return k.mapOwn(c.proc, size, prot)
	}
	off := int64(c.Args[5])
	if off < 0 || off%pageSize != 0 {
		return 0, syscall.EINVAL
	}
	d := c.proc.fd(c.Args[4])
	if d == nil || d.flags&unix.O_PATH != 0 {
		return 0, syscall.EBADF
	}
	f, ok := d.obj.(*file)
	if !ok || f.kind != disk.File {
		return 0, syscall.ENODEV
	}
	mayWrite := reads(d.flags) && writes(d.flags)
	if !reads(d.flags) || kind != unix.MAP_PRIVATE && prot&unix.PROT_WRITE != 0 && !mayWrite {
		return 0, syscall.EACCES
	}
	if kind == unix.MAP_PRIVATE {
		return k.mapCopy(c.proc, f, off, size, prot)
	}
	return k.mapFile(c.proc, off, mapping{size: size, prot: prot, file: f, desc: d, mayWrite: mayWrite})
}

// mapOwn maps zeroed memory.
func (k *Kernel) mapOwn(p *Process, size uintptr, prot int) (uintptr, syscall.Errno) {
	addr, errno := k.memory.anonymous(size, prot)
	if errno == 0 {
		p.maps = append(p.maps, mapping{addr: addr, size: size, prot: prot})
	}
	return addr, errno
}

// mapCopy maps a file as it reads now. POSIX leaves open whether a private
// mapping sees what is written to the file afterwards; this one does not.
func (k *Kernel) mapCopy(p *Process, f *file, off int64, size uintptr, prot int) (uintptr, syscall.Errno) {
	addr, errno := k.mapOwn(p, size, prot|unix.PROT_READ|unix.PROT_WRITE)
	if errno != 0 {
		return 0, errno
	}
	have := max(min(f.size()-off, int64(size)), 0)
	if _, errno := f.host.Disk.ReadAt(f.ino, bytesAt(addr, uintptr(have)), off); errno != 0 {
		k.unmap(p, addr, size)
		return 0, errno
	}
	p.maps[len(p.maps)-1].prot = prot
	return addr, realProtect(addr, size, prot)
}

// mapFile maps the memory of a file's pages.
func (k *Kernel) mapFile(p *Process, off int64, m mapping) (uintptr, syscall.Errno) {
	f, dk := m.file, m.file.host.Disk
	region := dk.Region(f.ino)
	if region == nil {
		var errno syscall.Errno
		if region, errno = k.memory.region(); errno != 0 {
			return 0, errno
		}
		if errno := dk.Pin(f.ino, region); errno != 0 {
			k.memory.unpin(region)
			return 0, syscall.ENOMEM
		}
	}
	if uintptr(off)+m.size > regionSize {
		return 0, syscall.ENOMEM
	}
	m.addr = uintptr(unsafe.Pointer(unsafe.SliceData(region))) + uintptr(off)
	m.desc.refs++
	if m.shared = m.prot&unix.PROT_WRITE != 0; m.shared {
		dk.Share(f.ino)
	}
	p.maps = append(p.maps, m)
	return m.addr, 0
}

// drop gives up what a mapping holds.
func (m *mapping) drop(k *Kernel) {
	if m.file == nil {
		realUnmap(m.addr, m.size)
		return
	}
	if m.shared {
		m.file.host.Disk.Unshare(m.file.ino)
	}
	k.release(m.desc)
}

func (k *Kernel) unmapAll(p *Process) {
	for i := range p.maps {
		p.maps[i].drop(k)
	}
	p.maps = nil
}

func sysMunmap(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if c.Args[0]%pageSize != 0 || c.Args[1] == 0 {
		return 0, syscall.EINVAL
	}
	k.unmap(c.proc, c.Args[0], roundUp(c.Args[1]))
	return 0, 0
}

// unmap ends what is mapped in a range. Two mappings of one file lie at one
// address: one that is just the range goes alone.
func (k *Kernel) unmap(p *Process, addr, size uintptr) {
	for i := range p.maps {
		if m := &p.maps[i]; m.addr == addr && m.size == size {
			gone := *m
			p.maps = append(p.maps[:i], p.maps[i+1:]...)
			gone.drop(k)
			return
		}
	}
	var left []mapping
	for _, m := range p.maps {
		from, to := max(m.addr, addr), min(m.end(), addr+size)
		if from >= to {
			left = append(left, m)
			continue
		}
		left = append(left, m.carve(k, from, to)...)
	}
	p.maps = left
}

// carve ends the part from..to of a mapping and returns what is left of it.
func (m *mapping) carve(k *Kernel, from, to uintptr) []mapping {
	var left []mapping
	for _, part := range [2][2]uintptr{{m.addr, from}, {to, m.end()}} {
		if part[0] < part[1] {
			l := *m
			l.addr, l.size = part[0], part[1]-part[0]
			left = append(left, l)
		}
	}
	gone := *m
	gone.addr, gone.size = from, to-from
	if m.file != nil {
		switch len(left) {
		case 1: // it keeps what the whole held
			return left
		case 2:
			m.desc.refs++
			if m.shared {
				m.file.host.Disk.Share(m.file.ino)
			}
			return left
		}
	}
	gone.drop(k)
	return left
}

// within returns the mapping that holds an address, the latest of several.
func (p *Process) within(addr uintptr) *mapping {
	for i := len(p.maps) - 1; i >= 0; i-- {
		if m := &p.maps[i]; addr >= m.addr && addr < m.end() {
			return m
		}
	}
	return nil
}

func sysMremap(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	addr, was, size, flags := c.Args[0], roundUp(c.Args[1]), roundUp(c.Args[2]), int(c.Args[3])
	if addr%pageSize != 0 || size == 0 || flags&^(unix.MREMAP_MAYMOVE) != 0 {
		return 0, syscall.EINVAL
	}
	m := c.proc.within(addr)
	if m == nil || m.addr != addr || was > m.size {
		return 0, syscall.EFAULT
	}
	if size <= was {
		if size < was {
			k.unmap(c.proc, addr+size, was-size)
		}
		return addr, 0
	}
	if m.file != nil {
		region := uintptr(unsafe.Pointer(unsafe.SliceData(m.file.host.Disk.Region(m.file.ino))))
		if addr+size > region+regionSize {
			return 0, syscall.ENOMEM
		}
		m.size = size
		return addr, 0
	}
	if flags&unix.MREMAP_MAYMOVE == 0 {
		return 0, syscall.ENOMEM
	}
	prot := m.prot
	to, errno := k.mapOwn(c.proc, size, prot|unix.PROT_READ|unix.PROT_WRITE)
	if errno != 0 {
		return 0, errno
	}
	if prot&unix.PROT_READ != 0 {
		copy(bytesAt(to, was), bytesAt(addr, was))
	}
	c.proc.maps[len(c.proc.maps)-1].prot = prot
	k.unmap(c.proc, addr, was)
	return to, realProtect(to, size, prot)
}

// sysMprotect protects memory of the process's own; pages of a file stay readable
// and writable, so that what the kernel does with them works.
func sysMprotect(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	addr, size, prot := c.Args[0], roundUp(c.Args[1]), int(c.Args[2])
	if addr%pageSize != 0 {
		return 0, syscall.EINVAL
	}
	m := c.proc.within(addr)
	if m == nil {
		return 0, 0 // memory of Go's
	}
	if m.file == nil {
		return 0, realProtect(addr, size, prot)
	}
	if prot&unix.PROT_WRITE != 0 && !m.shared {
		if !m.mayWrite {
			return 0, syscall.EACCES
		}
		m.shared = true
		m.file.host.Disk.Share(m.file.ino)
	}
	m.prot = prot
	return 0, 0
}

func sysMsync(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	addr, flags := c.Args[0], int(c.Args[2])
	if addr%pageSize != 0 || flags&^(unix.MS_ASYNC|unix.MS_SYNC|unix.MS_INVALIDATE) != 0 ||
		flags&(unix.MS_ASYNC|unix.MS_SYNC) == unix.MS_ASYNC|unix.MS_SYNC {
		return 0, syscall.EINVAL
	}
	m := c.proc.within(addr)
	if m == nil {
		return 0, syscall.ENOMEM
	}
	if m.file == nil || flags&unix.MS_SYNC == 0 {
		return 0, 0
	}
	f := m.file
	return k.laterOn(c, m.desc, f.host.Disk.Delay(disk.OpSync), func() (uintptr, syscall.Errno) {
		return 0, f.host.Disk.Fsync(f.ino)
	})
}

// sysMadvise takes advice and, as only MADV_DONTNEED changes what a process sees,
// follows that one, on memory of the process's own.
func sysMadvise(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	addr, size := c.Args[0], roundUp(c.Args[1])
	if addr%pageSize != 0 {
		return 0, syscall.EINVAL
	}
	if m := c.proc.within(addr); m != nil && m.file == nil && int(c.Args[2]) == unix.MADV_DONTNEED && addr+size <= m.end() {
		_, _, errno := syscall.Syscall(syscall.SYS_MADVISE, addr, size, unix.MADV_DONTNEED)
		return 0, errno
	}
	return 0, 0
}

// offset is where in its file a mapping starts.
func (m *mapping) offset() uintptr {
	return m.addr - uintptr(unsafe.Pointer(unsafe.SliceData(m.file.host.Disk.Region(m.file.ino))))
}

// mapsText is what /proc/self/maps shows.
func (p *Process) mapsText() string {
	var b strings.Builder
	for _, m := range p.maps {
		bits := []byte("---p")
		for i, bit := range []int{unix.PROT_READ, unix.PROT_WRITE, unix.PROT_EXEC} {
			if m.prot&bit != 0 {
				bits[i] = "rwx"[i]
			}
		}
		if m.file != nil {
			bits[3] = 's'
			fmt.Fprintf(&b, "%x-%x %s %08x 08:%02x %-25d %s\n", m.addr, m.end(), bits, m.offset(), m.file.host.index+1, m.file.ino, m.file.path())
			continue
		}
		fmt.Fprintf(&b, "%x-%x %s 00000000 00:00 0 \n", m.addr, m.end(), bits)
	}
	return b.String()
}
