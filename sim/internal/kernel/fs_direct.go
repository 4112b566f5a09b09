package kernel

import (
	"syscall"

	"github.com/orrery-sim/orrery/disk"
)

// directAlign is what offset and size of a transfer by O_DIRECT are multiples of:
// the sectors of the device. Memory need not be aligned, as on Linux with devices
// that can do without.
const directAlign = 512

// extent is n bytes of a file at off.
type extent struct{ off, n int64 }

// direct checks a transfer that goes past the page cache. As on ext4, a read is held
// to the alignment only where there is data: holes and the end are not.
func (f *file) direct(dir direction, e extent) syscall.Errno {
	if f.kind != disk.File || e.n == 0 {
		return 0
	}
	if dir == moveOut {
		return aligned(e)
	}
	for end := e.off + e.n; e.off < min(end, f.size()); {
		at, ok := f.host.Disk.NextData(f.ino, e.off)
		if !ok || at >= end {
			return 0
		}
		to := f.host.Disk.NextHole(f.ino, at)
		to = (to + disk.PageSize - 1) / disk.PageSize * disk.PageSize // the last page is data to its end
		if errno := aligned(extent{at, min(to, end) - at}); errno != 0 {
			return errno
		}
		e.off = to
	}
	return 0
}

func aligned(e extent) syscall.Errno {
	if (e.off|e.n)%directAlign != 0 {
		return syscall.EINVAL
	}
	return 0
}
