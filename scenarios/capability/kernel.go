package capability

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Feature is a feature of the kernel that a system call tells of.
type Feature string

// The features that are asked for by a system call.
const (
	FeatureSeccomp Feature = "seccomp"  // a process can filter its own system calls
	FeatureIOUring Feature = "io_uring" // io_uring_setup
)

// Ask asks for a feature with an address that there is not: a kernel that has it, and
// lets this process use it, finds that out; another one refuses the request. It
// changes nothing.
func (f Feature) Ask() error {
	var errno unix.Errno
	switch f {
	case FeatureSeccomp:
		_, _, errno = unix.RawSyscall(unix.SYS_PRCTL, unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(nil)))
	case FeatureIOUring:
		_, _, errno = unix.RawSyscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(nil)), 0)
	default:
		return fmt.Errorf("feature %q is not known", string(f))
	}
	if errno == unix.EFAULT {
		return nil
	}
	if errno == 0 {
		return errors.New("a request with a bad address was taken")
	}
	return errno
}
