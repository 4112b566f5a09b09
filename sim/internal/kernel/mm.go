package kernel

import (
	"fmt"
	"slices"
	"strings"
	"syscall"

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

// area is a range of addresses; where a mapping is to be, those of addr 0 are any.
type area struct{ addr, size uintptr }

func (a area) end() uintptr { return a.addr + a.size }

// mapping is memory that a process mapped. Of a file that is shared it is the
// memory that the file's pages are in, the same for every mapping of the file but
// those that were put at an address: these are aliases. Anything else has memory
// of its own.
type mapping struct {
	area
	prot     int
	file     *file        // that is mapped shared, or nil
	off      uintptr      // in the file
	desc     *description // of the file, which the mapping keeps
	alias    bool
	shared   bool // and writable
	mayWrite bool // its descriptor was open for writing
}

// own reports whether nothing but the mapping is at its addresses.
func (m *mapping) own() bool { return m.file == nil || m.alias }

func sysMmap(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	a, prot, flags := area{size: roundUp(c.Args[1])}, int(c.Args[2]), int(c.Args[3])
	kind := flags & unix.MAP_TYPE
	if c.Args[1] == 0 || kind != unix.MAP_SHARED && kind != unix.MAP_PRIVATE && kind != unix.MAP_SHARED_VALIDATE {
		return 0, syscall.EINVAL
	}
	if a.size == 0 || a.size > anonEnd-anonBase {
		return 0, syscall.ENOMEM
	}
	anonymous := flags&unix.MAP_ANONYMOUS != 0
	off, d := int64(c.Args[5]), c.proc.fd(c.Args[4])
	if !anonymous && (off < 0 || off%pageSize != 0) {
		return 0, syscall.EINVAL
	}
	if !anonymous && (d == nil || d.flags&unix.O_PATH != 0) {
		return 0, syscall.EBADF
	}
	if flags&(unix.MAP_FIXED|unix.MAP_FIXED_NOREPLACE) != 0 {
		a.addr = c.Args[0]
		if errno := k.mayPlace(c, a, flags); errno != 0 {
			return 0, errno
		}
	}
	if anonymous {
		return k.mapOwn(c.proc, a, prot)
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
		return k.mapCopy(c.proc, f, off, a, prot)
	}
	return k.mapFile(c.proc, mapping{area: a, prot: prot, file: f, off: uintptr(off), desc: d, mayWrite: mayWrite})
}

// mapOwn maps zeroed memory.
func (k *Kernel) mapOwn(p *Process, a area, prot int) (_ uintptr, errno syscall.Errno) {
	if a.addr == 0 {
		a.addr, errno = k.memory.anonymous(a.size, prot)
	} else {
		k.unmap(p, a)
		errno = realMap(a, prot, unix.MAP_FIXED)
	}
	if errno == 0 {
		p.maps = append(p.maps, mapping{area: a, prot: prot})
	}
	return a.addr, errno
}

// mapCopy maps a file as it reads now. POSIX leaves open whether a private
// mapping sees what is written to the file afterwards; this one does not.
func (k *Kernel) mapCopy(p *Process, f *file, off int64, a area, prot int) (uintptr, syscall.Errno) {
	addr, errno := k.mapOwn(p, a, prot|unix.PROT_READ|unix.PROT_WRITE)
	if errno != 0 {
		return 0, errno
	}
	a.addr = addr
	have := max(min(f.size()-off, int64(a.size)), 0)
	if _, errno := f.host.Disk.ReadAt(f.ino, bytesAt(addr, uintptr(have)), off); errno != 0 {
		k.unmap(p, a)
		return 0, errno
	}
	p.maps[len(p.maps)-1].prot = prot
	return addr, realProtect(a, prot)
}

// mapFile maps the memory of a file's pages.
func (k *Kernel) mapFile(p *Process, m mapping) (uintptr, syscall.Errno) {
	region, errno := k.pinned(m.file)
	if errno != 0 {
		return 0, errno
	}
	if m.off+m.size > regionSize {
		return 0, syscall.ENOMEM
	}
	if m.alias = m.addr != 0; !m.alias {
		m.addr = startOf(region) + m.off
	} else if errno := k.alias(p, &m, region); errno != 0 {
		return 0, errno
	}
	m.shared = m.prot&unix.PROT_WRITE != 0
	m.hold()
	p.maps = append(p.maps, m)
	return m.addr, 0
}

// pinned returns the memory of a file's pages.
func (k *Kernel) pinned(f *file) ([]byte, syscall.Errno) {
	dk := f.host.Disk
	if region := dk.Region(f.ino); region != nil {
		return region, 0
	}
	region, errno := k.memory.region()
	if errno != 0 {
		return nil, errno
	}
	if errno := dk.Pin(f.ino, region); errno != 0 {
		k.memory.unpin(region)
		return nil, syscall.ENOMEM
	}
	return region, 0
}

// hold takes what a mapping of a file holds of it.
func (m *mapping) hold() {
	m.desc.refs++
	if m.shared {
		m.file.host.Disk.Share(m.file.ino)
	}
}

// letGo undoes one hold.
func (m *mapping) letGo(k *Kernel) {
	if m.shared {
		m.file.host.Disk.Unshare(m.file.ino)
	}
	k.release(m.desc)
}

// drop gives up what a mapping holds.
func (m *mapping) drop(k *Kernel) {
	if m.own() {
		realUnmap(m.area)
	}
	if m.file != nil {
		m.letGo(k)
	}
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
	k.unmap(c.proc, area{c.Args[0], roundUp(c.Args[1])})
	return 0, 0
}

// unmap ends what is mapped in a range. Two mappings of one file may lie at one
// address: one that is just the range goes alone.
func (k *Kernel) unmap(p *Process, a area) {
	if i := p.exactly(a); i >= 0 {
		gone := p.maps[i]
		p.maps = slices.Delete(p.maps, i, i+1)
		gone.drop(k)
		return
	}
	var left []mapping
	for _, m := range p.maps {
		part := m.meet(a)
		if part.size == 0 {
			left = append(left, m)
			continue
		}
		left = append(left, m.carve(k, part)...)
	}
	p.maps = left
}

// meet is the part of one range that is in the other.
func (a area) meet(b area) area {
	from, to := max(a.addr, b.addr), min(a.end(), b.end())
	if from >= to {
		return area{}
	}
	return area{from, to - from}
}

// carve ends a part of a mapping and returns what is left of it.
func (m *mapping) carve(k *Kernel, gone area) []mapping {
	var left []mapping
	for _, a := range [2]area{{m.addr, gone.addr - m.addr}, {gone.end(), m.end() - gone.end()}} {
		if a.size > 0 {
			l := *m
			l.area = a
			if m.file != nil {
				l.off += a.addr - m.addr
			}
			left = append(left, l)
		}
	}
	if m.own() {
		realUnmap(gone)
	}
	switch {
	case m.file == nil:
	case len(left) == 0:
		m.letGo(k)
	case len(left) == 2:
		m.hold()
	}
	return left
}

// exactly returns the place of a mapping that is just a range, or -1.
func (p *Process) exactly(a area) int {
	return slices.IndexFunc(p.maps, func(m mapping) bool { return m.area == a })
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
	if i := c.proc.exactly(area{addr, was}); i >= 0 {
		m = &c.proc.maps[i]
	}
	if m == nil || m.addr != addr || was > m.size {
		return 0, syscall.EFAULT
	}
	if !m.own() && was == m.size {
		if m.off+size > regionSize {
			return 0, syscall.ENOMEM
		}
		m.size = size
		return addr, 0
	}
	if size <= was {
		if size < was {
			k.unmap(c.proc, area{addr + size, was - size})
		}
		return addr, 0
	}
	if flags&unix.MREMAP_MAYMOVE == 0 || !m.own() {
		return 0, syscall.ENOMEM
	}
	return k.regrow(c.proc, *m, area{addr, was}, size)
}

// regrow gives a part of a mapping that has memory of its own a new size, elsewhere.
func (k *Kernel) regrow(p *Process, m mapping, from area, size uintptr) (uintptr, syscall.Errno) {
	prot := m.prot
	to, errno := k.mapOwn(p, area{size: size}, prot|unix.PROT_READ|unix.PROT_WRITE)
	if errno != 0 {
		return 0, errno
	}
	if m.alias {
		m.area = area{to, size}
		if _, errno := k.mapFile(p, m); errno != 0 {
			return 0, errno
		}
		k.unmap(p, from)
		return to, 0
	}
	if prot&unix.PROT_READ != 0 {
		copy(bytesAt(to, from.size), bytesAt(from.addr, from.size))
	}
	p.maps[len(p.maps)-1].prot = prot
	k.unmap(p, from)
	return to, realProtect(area{to, size}, prot)
}

// sysMprotect protects memory of the process's own; pages of a file stay readable
// and writable where every mapping of it is, so that what the kernel does with them
// works.
func sysMprotect(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	a, prot := area{c.Args[0], roundUp(c.Args[1])}, int(c.Args[2])
	if a.addr%pageSize != 0 {
		return 0, syscall.EINVAL
	}
	for at := a.addr; at < a.end(); {
		m := c.proc.within(at)
		if m == nil {
			return 0, 0 // memory of Go's
		}
		if errno := m.protect(m.meet(a), prot); errno != 0 {
			return 0, errno
		}
		at = m.end()
	}
	return 0, 0
}

// protect protects a part of a mapping.
func (m *mapping) protect(part area, prot int) syscall.Errno {
	if m.file != nil && prot&unix.PROT_WRITE != 0 && !m.shared {
		if !m.mayWrite {
			return syscall.EACCES
		}
		m.shared = true
		m.file.host.Disk.Share(m.file.ino)
	}
	if m.file != nil || part == m.area {
		m.prot = prot
	}
	if !m.own() {
		return 0
	}
	return realProtect(part, prot)
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
			fmt.Fprintf(&b, "%x-%x %s %08x 08:%02x %-25d %s\n", m.addr, m.end(), bits, m.off, m.file.host.index+1, m.file.ino, m.file.path())
			continue
		}
		fmt.Fprintf(&b, "%x-%x %s 00000000 00:00 0 \n", m.addr, m.end(), bits)
	}
	return b.String()
}
