package kernel

import "unsafe"

// bytesAt is the caller's memory at p, n bytes long. It is valid during the call
// only: the caller's stack is pinned until it is answered.
func bytesAt(p, n uintptr) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), n) //nolint
}

// at is the caller's memory at p as a T.
func at[T any](p uintptr) *T { return (*T)(unsafe.Pointer(p)) }

// stringAt is the caller's NUL-terminated string at p, copied.
func stringAt(p uintptr) string {
	n := uintptr(0)
	for *(*byte)(unsafe.Pointer(p + n)) != 0 {
		n++
	}
	return string(bytesAt(p, n))
}
