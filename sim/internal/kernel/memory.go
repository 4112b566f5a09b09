package kernel

import (
	"syscall"
	"unsafe"
)

// pointer is an address of the caller's memory as a pointer. What it points to is
// kept alive and in place by the caller, whose stack is pinned until it is answered.
func pointer(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// bytesAt is the caller's memory at p, n bytes long. It is valid until the call is
// answered.
func bytesAt(p, n uintptr) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(pointer(p)), n)
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

// uintptrOf and addressOf are pointers that the caller's memory holds, as addresses.
func uintptrOf(p *byte) uintptr { return uintptr(unsafe.Pointer(p)) }

func addressOf(p *uint32) uintptr { return uintptr(unsafe.Pointer(p)) }

// vectors is the buffers of a message.
func vectors(m *syscall.Msghdr) []syscall.Iovec {
	if m.Iovlen == 0 {
		return nil
	}
	return unsafe.Slice(m.Iov, m.Iovlen)
}
