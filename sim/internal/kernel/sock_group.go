package kernel

import (
	"encoding/binary"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

func addr4(b []byte) netip.Addr { return netip.AddrFrom4([4]byte(b)) }

func addr16(b []byte) netip.Addr { return netip.AddrFrom16([16]byte(b)) }

// setGroupOption sets what is about multicast groups, at the levels of IPv4 and IPv6.
func (o *socket) setGroupOption(which option, value []byte) syscall.Errno {
	opt := o.s.Options()
	switch which {
	case option{unix.IPPROTO_IP, unix.IP_MULTICAST_LOOP}, option{unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_LOOP}:
		n, errno := smallNumber(which.level, value)
		if errno != 0 || which.level == unix.IPPROTO_IPV6 && n != n&1 {
			return syscall.EINVAL
		}
		opt.MulticastLoop = n != 0
	case option{unix.IPPROTO_IP, unix.IP_MULTICAST_ALL}, option{unix.IPPROTO_IPV6, ipv6MulticastAll}:
		n, errno := smallNumber(which.level, value)
		if errno != 0 || n != n&1 {
			return syscall.EINVAL
		}
		opt.MulticastOwn = n == 0
	case option{unix.IPPROTO_IP, unix.IP_MULTICAST_IF}, option{unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_IF}:
		at, errno := o.sendingInterface(which.level, value)
		if errno != 0 {
			return errno
		}
		opt.MulticastAt = at
	case option{unix.IPPROTO_IP, unix.IP_ADD_MEMBERSHIP}, option{unix.IPPROTO_IP, unix.IP_DROP_MEMBERSHIP},
		option{unix.IPPROTO_IPV6, unix.IPV6_JOIN_GROUP}, option{unix.IPPROTO_IPV6, unix.IPV6_LEAVE_GROUP}:
		return o.changeGroup(which, value)
	default:
		return syscall.ENOPROTOOPT
	}
	o.s.SetOptions(opt)
	return 0
}

const ipv6MulticastAll = 29 // linux/in6.h

// changeGroup joins a group or leaves it.
func (o *socket) changeGroup(which option, value []byte) syscall.Errno {
	var group netip.Addr
	var at net.Interface
	var errno syscall.Errno
	if which.level == unix.IPPROTO_IPV6 {
		if len(value) < unix.SizeofIPv6Mreq {
			return syscall.EINVAL
		}
		group = addr16(value[:16])
		at, errno = interfaceNumbered(value[16:20])
	} else {
		if len(value) < unix.SizeofIPMreq {
			return syscall.EINVAL
		}
		group = addr4(value[:4])
		at, errno = o.interfaceOf(value[4:])
	}
	switch {
	case errno != 0:
		return errno
	case which == option{unix.IPPROTO_IP, unix.IP_ADD_MEMBERSHIP}, which == option{unix.IPPROTO_IPV6, unix.IPV6_JOIN_GROUP}:
		return o.s.Join(group, at)
	}
	return o.s.Leave(group, at)
}

// sendingInterface reads what IP_MULTICAST_IF and IPV6_MULTICAST_IF are given: IPv4's
// may be a request to join, whose group does not matter.
func (o *socket) sendingInterface(level int, value []byte) (net.Interface, syscall.Errno) {
	switch {
	case !o.datagrams() && level == unix.IPPROTO_IPV6:
		return 0, syscall.ENOPROTOOPT
	case !o.datagrams(), len(value) < 4:
		return 0, syscall.EINVAL
	case level == unix.IPPROTO_IPV6:
		return interfaceNumbered(value)
	case len(value) >= unix.SizeofIPMreq:
		return o.interfaceOf(value[4:])
	}
	return o.interfaceOf(value)
}

// interfaceOf reads which interface is meant at IPv4's level: by its address, or by the
// number that may come after.
func (o *socket) interfaceOf(value []byte) (net.Interface, syscall.Errno) {
	if len(value) >= 8 {
		if at, errno := interfaceNumbered(value[4:]); at != 0 || errno != 0 {
			return at, errno
		}
	}
	a := addr4(value[:4])
	if a.IsUnspecified() {
		return 0, 0
	}
	at, ok := o.k.net.InterfaceOf(o.s.Host(), a)
	if !ok {
		return 0, syscall.ENODEV
	}
	return at, 0
}

func interfaceNumbered(b []byte) (net.Interface, syscall.Errno) {
	n := int(int32(binary.NativeEndian.Uint32(b)))
	if n != 0 && deviceAt(n) == nil {
		return 0, syscall.ENODEV
	}
	return net.Interface(n), 0
}

// groupOption reads what setGroupOption set.
func (o *socket) groupOption(which option, b []byte) (int, syscall.Errno) {
	opt := o.s.Options()
	switch which {
	case option{unix.IPPROTO_IP, unix.IP_MULTICAST_LOOP}, option{unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_LOOP}:
		return putNumber(b, number(opt.MulticastLoop)), 0
	case option{unix.IPPROTO_IP, unix.IP_MULTICAST_ALL}, option{unix.IPPROTO_IPV6, ipv6MulticastAll}:
		return putNumber(b, number(!opt.MulticastOwn)), 0
	case option{unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_IF}:
		return putNumber(b, int(opt.MulticastAt)), 0
	case option{unix.IPPROTO_IP, unix.IP_MULTICAST_IF}:
		var ip [4]byte
		if opt.MulticastAt != 0 {
			if a := o.k.deviceAddrs(o.k.hostOf(o.s.Host()), deviceAt(int(opt.MulticastAt)))[0].Addr(); a.Is4() {
				ip = a.As4()
			}
		}
		return copy(b, ip[:]), 0
	}
	return 0, syscall.ENOPROTOOPT
}
