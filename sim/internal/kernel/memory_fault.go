package kernel

import "syscall"

// guarded is what f answers, or EFAULT if it met memory that is not the caller's to
// read or write. The kernel's goroutine must panic on faults.
func guarded(f func() (uintptr, syscall.Errno)) (r1 uintptr, errno syscall.Errno) {
	defer answerFault(&errno)
	return f()
}

// handle is guarded, of a call's handler.
func (k *Kernel) handle(c *Call) (r1 uintptr, errno syscall.Errno) {
	defer answerFault(&errno)
	return table[c.Nr](k, c)
}

// answerFault, deferred, ends a panic of a fault that has an address. A nil pointer's
// has none.
func answerFault(errno *syscall.Errno) {
	switch e := recover().(type) {
	case nil:
	case interface{ Addr() uintptr }:
		*errno = syscall.EFAULT
	default:
		panic(e)
	}
}

// touch faults if memory that is to be read cannot be, before anything is changed.
func (k *Kernel) touch(b []byte) {
	for i := 0; i < len(b); i += pageSize {
		k.touched = b[i]
	}
	if len(b) > 0 {
		k.touched = b[len(b)-1]
	}
}
