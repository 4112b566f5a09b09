package kernel

import (
	"syscall"
	"unsafe"
)

// pointer is an address of the caller's memory as a pointer. What it points to is
// kept alive and in place by the caller, whose stack is pinned until it is answered.
// What no process can have is the second page of all memory, where nothing is: its
// fault is told from that of a nil pointer of ours.
func pointer(p uintptr) unsafe.Pointer {
	if p < pageSize || p >= memoryEnd {
		p = pageSize
	}
	return *(*unsafe.Pointer)(unsafe.Pointer(&p))
}

// memoryEnd is beyond the addresses of processes.
const memoryEnd = 1 << 47

// bytesAt is the caller's memory at p, n bytes long. It is valid until the call is
// answered.
func bytesAt(p, n uintptr) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(pointer(p)), min(n, memoryEnd))
}

// at is the caller's memory at p as a T.
func at[T any](p uintptr) *T { return (*T)(pointer(p)) }

// stringAt is the caller's NUL-terminated string at p, copied.
func stringAt(p uintptr) string {
	n := uintptr(0)
	for *at[byte](p + n) != 0 {
		n++
	}
	return string(bytesAt(p, n))
}

// addressOf is a pointer as an address.
func addressOf[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// startOf is the address of memory.
func startOf(b []byte) uintptr { return addressOf(unsafe.SliceData(b)) }

// vectors is the buffers of a message.
func vectors(m *syscall.Msghdr) []syscall.Iovec {
	if m.Iovlen == 0 {
		return nil
	}
	return unsafe.Slice(at[syscall.Iovec](addressOf(m.Iov)), m.Iovlen)
}
