package kernel

import (
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Addresses that mappings get. They lie apart from Go's heap, from where Linux
// puts its own mappings, and from what the race detector uses, and they are given
// in order, so that they repeat from run to run.
const (
	regionBase = 0x4100_0000_0000 // of files
	regionSize = 16 << 30         // address space for one file: it can grow that far
	regionEnd  = 0x5100_0000_0000
	anonBase   = 0x5a00_0000_0000 // of everything else
	anonEnd    = 0x6a00_0000_0000
)

// memory gives out real memory at addresses that repeat.
type memory struct {
	regions uintptr   // address space given to files so far
	free    []uintptr // regions given back, used again latest first
	live    []uintptr // regions given out
	backed  []backing // of those that have aliases
	anon    uintptr
}

// realMap maps zeroed memory: with MAP_FIXED in place of what is there, with
// MAP_FIXED_NOREPLACE where nothing is.
func realMap(a area, prot, fixed int) syscall.Errno {
	flags := unix.MAP_PRIVATE | unix.MAP_ANONYMOUS | unix.MAP_NORESERVE | fixed
	got, _, errno := syscall.Syscall6(syscall.SYS_MMAP, a.addr, a.size, uintptr(prot), uintptr(flags), ^uintptr(0), 0)
	if errno == 0 && got != a.addr { // a Linux before 4.17 takes the address for a hint
		realUnmap(area{got, a.size})
		return syscall.EEXIST
	}
	return errno
}

func realUnmap(a area) { syscall.Syscall(syscall.SYS_MUNMAP, a.addr, a.size, 0) }

func realProtect(a area, prot int) syscall.Errno {
	_, _, errno := syscall.Syscall(syscall.SYS_MPROTECT, a.addr, a.size, uintptr(prot))
	return errno
}

// region returns memory for the pages of one file.
func (m *memory) region() ([]byte, syscall.Errno) {
	for {
		addr := regionBase + m.regions
		if n := len(m.free); n > 0 {
			addr = m.free[n-1]
			m.free = m.free[:n-1]
		} else if m.regions += regionSize; addr+regionSize > regionEnd {
			return nil, syscall.ENOMEM
		}
		switch errno := realMap(area{addr, regionSize}, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_FIXED_NOREPLACE); errno {
		case 0:
			m.live = append(m.live, addr)
			return unsafe.Slice((*byte)(pointer(addr)), regionSize), 0
		case syscall.EEXIST: // another world of this process has it
		default:
			return nil, errno
		}
	}
}

// unpin takes a region back.
func (m *memory) unpin(region []byte) {
	addr := startOf(region)
	realUnmap(area{addr, regionSize})
	m.unback(addr)
	i := slices.Index(m.live, addr)
	m.live = slices.Delete(m.live, i, i+1)
	m.free = append(m.free, addr)
}

// Close ends every process and gives back the memory that files were mapped to.
// The kernel and its disks cannot be used after it.
func (k *Kernel) Close() {
	for _, p := range k.procs {
		if p != nil {
			k.Kill(p)
		}
	}
	for _, addr := range k.memory.live {
		realUnmap(area{addr, regionSize})
		k.memory.unback(addr)
	}
	k.memory.live = nil
}

// anonymous returns the address of n zeroed bytes, n a multiple of the page size.
func (m *memory) anonymous(n uintptr, prot int) (uintptr, syscall.Errno) {
	for {
		addr := anonBase + m.anon
		if n > anonEnd-addr {
			return 0, syscall.ENOMEM
		}
		m.anon += n + pageSize // a page between, that overruns are found
		if errno := realMap(area{addr, n}, prot, unix.MAP_FIXED_NOREPLACE); errno != syscall.EEXIST {
			return addr, errno
		}
	}
}
