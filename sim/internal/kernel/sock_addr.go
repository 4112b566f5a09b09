package kernel

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"syscall"
)

// Lengths of addresses: of a sockaddr_in, and of a sockaddr_in6 with its scope and
// without, which is enough.
const (
	sizeofInet4      = syscall.SizeofSockaddrInet4
	sizeofInet6      = syscall.SizeofSockaddrInet6
	sizeofInet6Least = 24
	sizeofNetlink    = syscall.SizeofSockaddrNetlink
	sizeofAddrMost   = 128 // of sockaddr_storage
	sizeofFamily     = 2
)

// address is the address of a socket of any family.
type address struct {
	family uint16
	size   int            // of what the caller gave, in bytes; 0 is no address
	ip     netip.AddrPort // of AF_INET and AF_INET6, and of AF_UNSPEC as of AF_INET
	name   string         // of AF_UNIX: a path, or NUL and an abstract name; "" is none
	port   uint32         // of AF_NETLINK
}

// readAddr reads an address of the caller's. Whether its family and length are the
// socket's is for the socket to say.
func readAddr(p, size uintptr) (address, syscall.Errno) {
	n := int(int32(size))
	if n < 0 || n > sizeofAddrMost {
		return address{}, syscall.EINVAL
	}
	a := address{size: n}
	if p == 0 {
		return address{}, 0
	}
	b := bytesAt(p, uintptr(n))
	if n < sizeofFamily {
		return a, 0
	}
	a.family = binary.NativeEndian.Uint16(b)
	switch {
	case a.family == syscall.AF_UNIX:
		a.name = unixName(b[sizeofFamily:])
	case a.family == syscall.AF_INET6 && n >= sizeofInet6Least:
		a.ip = netip.AddrPortFrom(netip.AddrFrom16([16]byte(b[8:24])), binary.BigEndian.Uint16(b[2:]))
	case (a.family == syscall.AF_INET || a.family == syscall.AF_UNSPEC) && n >= sizeofInet4:
		a.ip = netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), binary.BigEndian.Uint16(b[2:]))
	case a.family == syscall.AF_NETLINK && n >= sizeofNetlink:
		a.port = binary.NativeEndian.Uint32(b[4:])
	}
	return a, 0
}

// unixName is the name in a sockaddr_un: a path ends at its NUL, an abstract name
// with the address.
func unixName(b []byte) string {
	if len(b) > 0 && b[0] != 0 {
		b, _, _ = bytes.Cut(b, []byte{0})
	}
	return string(b)
}

// encode writes a as a socket address to b, which has room for any, and returns its
// length.
func (a *address) encode(b *[sizeofAddrMost]byte) int {
	binary.NativeEndian.PutUint16(b[:], a.family)
	switch a.family {
	case syscall.AF_INET:
		binary.BigEndian.PutUint16(b[2:], a.ip.Port())
		ip := a.ip.Addr().As4()
		copy(b[4:], ip[:])
		return sizeofInet4
	case syscall.AF_INET6:
		binary.BigEndian.PutUint16(b[2:], a.ip.Port())
		ip := a.ip.Addr().As16() // an address of IPv4 is mapped
		copy(b[8:], ip[:])
		return sizeofInet6
	case syscall.AF_NETLINK:
		binary.NativeEndian.PutUint32(b[4:], a.port)
		return sizeofNetlink
	}
	n := sizeofFamily + copy(b[sizeofFamily:], a.name)
	if a.name != "" && a.name[0] != 0 {
		n++ // the path's NUL
	}
	return n
}

// write writes a into the caller's buffer at p, whose length is at size: as much as
// fits, and then the whole length there. A nil buffer gets nothing.
func (a *address) write(p, size uintptr) {
	if p == 0 || size == 0 {
		return
	}
	var b [sizeofAddrMost]byte
	n := a.encode(&b)
	room := at[uint32](size)
	copy(bytesAt(p, uintptr(min(*room, uint32(n)))), b[:n])
	*room = uint32(n)
}
