package kernel

import (
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// mayPlace reports whether a call may map memory at an address that it chose. It
// can only have what mappings of the process lie at, and nothing else does: what
// else is there may be Go's.
func (k *Kernel) mayPlace(c *Call, a area, flags int) syscall.Errno {
	if a.addr%pageSize != 0 {
		return syscall.EINVAL
	}
	if flags&unix.MAP_FIXED_NOREPLACE != 0 && c.proc.mapped(a) {
		return syscall.EEXIST
	}
	for at := a.addr; at < a.end(); {
		m := c.proc.within(at)
		if m == nil || !m.own() {
			k.refused(c)
			return syscall.ENOMEM
		}
		at = m.end()
	}
	return 0
}

// mapped reports whether a process has mapped some of a range.
func (p *Process) mapped(a area) bool {
	return slices.ContainsFunc(p.maps, func(m mapping) bool { return m.meet(a).size > 0 })
}

// alias maps a file's memory at another address, in place of what is there.
func (k *Kernel) alias(p *Process, m *mapping, region []byte) syscall.Errno {
	b, errno := k.memory.back(m.file, region)
	if errno != 0 {
		return errno
	}
	k.unmap(p, m.area)
	return b.realMap(m.area, m.off, m.prot)
}

// backing is a file of the machine's, without a name, that holds the memory of a
// simulated file from the time on that it is at several addresses.
type backing struct {
	file *file
	addr uintptr // of the region
	fd   uintptr
}

// realMap maps the backing's memory in place of what is there.
func (b backing) realMap(a area, off uintptr, prot int) syscall.Errno {
	_, _, errno := syscall.RawSyscall6(syscall.SYS_MMAP, a.addr, a.size, uintptr(prot), unix.MAP_SHARED|unix.MAP_FIXED|unix.MAP_NORESERVE, b.fd, off)
	return errno
}

// back returns what backs the memory of a file, which it moves there if nothing
// does so far.
func (m *memory) back(f *file, region []byte) (backing, syscall.Errno) {
	addr := startOf(region)
	for _, b := range m.backed {
		if b.addr == addr {
			return b, 0
		}
	}
	b := backing{file: f, addr: addr}
	if errno := b.fill(); errno != 0 {
		return b, errno
	}
	m.backed = append(m.backed, b)
	return b, 0
}

// backingName is what the machine shows of a backing.
var backingName = [...]byte{'f', 'i', 'l', 'e', 0}

// fill has memory that holds the same take the region's place.
func (b *backing) fill() syscall.Errno {
	fd, _, errno := syscall.RawSyscall(unix.SYS_MEMFD_CREATE, addressOf(&backingName[0]), unix.MFD_CLOEXEC, 0)
	if errno != 0 {
		return errno
	}
	b.fd = fd
	if _, _, errno = syscall.RawSyscall(syscall.SYS_FTRUNCATE, fd, regionSize, 0); errno != 0 {
		return errno
	}
	for done, size := uintptr(0), roundUp(uintptr(b.file.size())); done < size; {
		n, _, errno := syscall.RawSyscall6(syscall.SYS_PWRITE64, fd, b.addr+done, size-done, done, 0, 0)
		if errno != 0 {
			return errno
		}
		done += n
	}
	return b.realMap(area{b.addr, regionSize}, 0, unix.PROT_READ|unix.PROT_WRITE)
}

// unback forgets what backs a region that is gone.
func (m *memory) unback(addr uintptr) {
	for i, b := range m.backed {
		if b.addr == addr {
			syscall.RawSyscall(syscall.SYS_CLOSE, b.fd, 0, 0)
			m.backed = append(m.backed[:i], m.backed[i+1:]...)
			return
		}
	}
}

// Part gives the copy of a process memory of its own where a fork leaves both the
// same. It allocates nothing.
func (k *Kernel) Part() syscall.Errno {
	for i := range k.memory.backed {
		b := &k.memory.backed[i]
		shared := b.fd
		if errno := b.fill(); errno != 0 {
			return errno
		}
		syscall.RawSyscall(syscall.SYS_CLOSE, shared, 0, 0)
		for _, p := range k.procs {
			if errno := b.realias(p); errno != 0 {
				return errno
			}
		}
	}
	return 0
}

// realias maps the aliases that a process has of the backing's memory anew.
func (b *backing) realias(p *Process) syscall.Errno {
	if p == nil {
		return 0
	}
	for i := range p.maps {
		m := &p.maps[i]
		if !m.alias || startOf(m.file.host.Disk.Region(m.file.ino)) != b.addr {
			continue
		}
		if errno := b.realMap(m.area, m.off, m.prot); errno != 0 {
			return errno
		}
	}
	return 0
}
