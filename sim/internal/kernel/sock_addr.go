package kernel

import (
	"encoding/binary"
	"net/netip"
	"syscall"
)

// sizeofInet4 is the length of a sockaddr_in: family, port, address, padding.
const sizeofInet4 = syscall.SizeofSockaddrInet4

// readAddr reads a sockaddr_in.
func readAddr(p, size uintptr) (netip.AddrPort, syscall.Errno) {
	if size < sizeofInet4 {
		return netip.AddrPort{}, syscall.EINVAL
	}
	b := bytesAt(p, sizeofInet4)
	if family := binary.NativeEndian.Uint16(b); family != syscall.AF_INET {
		return netip.AddrPort{}, syscall.EAFNOSUPPORT
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), binary.BigEndian.Uint16(b[2:])), 0
}

// writeAddr writes a sockaddr_in: see writeSockaddr.
func writeAddr(p, size uintptr, a netip.AddrPort) {
	var b [sizeofInet4]byte
	binary.NativeEndian.PutUint16(b[:], syscall.AF_INET)
	binary.BigEndian.PutUint16(b[2:], a.Port())
	ip := a.Addr().As4()
	copy(b[4:], ip[:])
	writeSockaddr(p, size, b[:])
}

// writeUnnamed writes the address of an end of a pair: its family alone.
func writeUnnamed(p, size uintptr) {
	var b [2]byte
	binary.NativeEndian.PutUint16(b[:], syscall.AF_UNIX)
	writeSockaddr(p, size, b[:])
}

// writeSockaddr writes b into the caller's buffer, whose length is at size: as much
// as fits, and then the whole length there. A nil buffer gets nothing.
func writeSockaddr(p, size uintptr, b []byte) {
	if p == 0 || size == 0 {
		return
	}
	room := at[uint32](size)
	copy(bytesAt(p, uintptr(min(*room, uint32(len(b))))), b)
	*room = uint32(len(b))
}
