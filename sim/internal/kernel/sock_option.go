package kernel

import (
	"encoding/binary"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_SETSOCKOPT: sysSetsockopt,
		unix.SYS_GETSOCKOPT: sysGetsockopt,
	})
}

// option is a socket option, by its level and name.
type option struct{ level, name int }

// optioned is an object that has socket options besides sockOptions.
type optioned interface {
	// optionsChanged tells that one of sockOptions was set.
	optionsChanged()
	setOption(p *Process, o option, value []byte) syscall.Errno
	// option writes a value to b, which has room for any, and returns its length.
	option(p *Process, o option, b []byte) (int, syscall.Errno)
}

// sockOptions are the options of SOL_SOCKET that the sockets of all families have.
type sockOptions struct {
	recvLimit, sendLimit     time.Duration // SO_RCVTIMEO and SO_SNDTIMEO; 0 is none
	linger                   syscall.Linger
	reuseAddr, reusePort     bool
	keepAlive, broadcast     bool
	outOfBand, dontRoute     bool
	passCreds                bool
	device                   net.Interface // SO_BINDTODEVICE; 0 is any
	recvBuffer, sendBuffer   int32         // as getsockopt answers them; 0 is the default
	priority, mark, busyPoll int32
}

// Sizes of the buffers, as on Linux: what is set is doubled, for what the kernel
// itself needs.
const (
	bufferMost      = 4 << 20 // net.core.rmem_max and wmem_max
	bufferUsual     = 212992  // net.core.rmem_default and wmem_default
	sendBufferLeast = 4608
	recvBufferLeast = 2304
)

// optionMost is the length of the longest value.
const optionMost = 320

func (c *Call) optionOf() option { return option{int(int32(c.Args[1])), int(int32(c.Args[2]))} }

func sysSetsockopt(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, _, errno := c.socket()
	if errno != 0 {
		return 0, errno
	}
	size := int32(c.Args[4])
	if size < 0 {
		return 0, syscall.EINVAL
	}
	which, value := c.optionOf(), bytesAt(c.Args[3], uintptr(min(size, optionMost)))
	if which.level == unix.SOL_SOCKET && which.name != unix.SO_BINDTODEVICE && size < 4 {
		return 0, syscall.EINVAL
	}
	known := false
	if which.level == unix.SOL_SOCKET {
		known, errno = o.base().setCommon(which.name, value)
	}
	if known {
		o.optionsChanged()
	} else {
		errno = o.setOption(c.proc, which, value)
	}
	if errno == syscall.ENOPROTOOPT && isUnsimulated(which) {
		k.refused(c)
	}
	return 0, errno
}

func sysGetsockopt(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, _, errno := c.socket()
	if errno != 0 {
		return 0, errno
	}
	which, size := c.optionOf(), at[int32](c.Args[4])
	if *size < 0 {
		return 0, syscall.EINVAL
	}
	var b [optionMost]byte
	n, known := 0, false
	if which.level == unix.SOL_SOCKET {
		n, known = o.base().common(which.name, b[:])
		if which.name == unix.SO_BINDTODEVICE && n > 0 && *size < unix.IFNAMSIZ {
			return 0, syscall.EINVAL
		}
	}
	if !known {
		n, errno = o.option(c.proc, which, b[:])
	}
	if errno != 0 {
		return 0, errno
	}
	if which.level == unix.IPPROTO_IP && n == 4 && *size > 0 && *size < 4 && b[1]|b[2]|b[3] == 0 {
		n = 1 // small numbers fit a byte
	}
	*size = min(*size, int32(n))
	copy(bytesAt(c.Args[3], uintptr(*size)), b[:])
	return 0, 0
}

// unsimulated are options that Linux has and that would change what the caller sees:
// they are refused rather than ignored.
var unsimulated = [...]option{
	{unix.SOL_SOCKET, unix.SO_TIMESTAMP}, {unix.SOL_SOCKET, unix.SO_TIMESTAMPNS},
	{unix.SOL_SOCKET, unix.SO_TIMESTAMPING}, {unix.SOL_SOCKET, unix.SO_RCVLOWAT},
	{unix.SOL_SOCKET, unix.SO_ATTACH_FILTER}, {unix.SOL_SOCKET, unix.SO_ATTACH_BPF},
	{unix.SOL_SOCKET, unix.SO_ATTACH_REUSEPORT_CBPF}, {unix.SOL_SOCKET, unix.SO_ATTACH_REUSEPORT_EBPF},
	{unix.SOL_SOCKET, unix.SO_ZEROCOPY}, {unix.SOL_SOCKET, unix.SO_TXTIME},
	{unix.IPPROTO_IP, unix.IP_ADD_SOURCE_MEMBERSHIP}, {unix.IPPROTO_IP, unix.IP_RECVORIGDSTADDR},
	{unix.IPPROTO_UDP, unix.UDP_SEGMENT}, {unix.IPPROTO_UDP, unix.UDP_GRO},
	{unix.IPPROTO_TCP, unix.TCP_ULP}, {unix.IPPROTO_TCP, unix.TCP_MD5SIG}, {unix.IPPROTO_TCP, unix.TCP_REPAIR},
}

func isUnsimulated(o option) bool {
	for _, u := range unsimulated {
		if u == o {
			return true
		}
	}
	return false
}

// numberOf is an option's value as a number.
func numberOf(value []byte) int { return int(int32(binary.NativeEndian.Uint32(value))) }

// putNumber is a number as an option's value.
func putNumber(b []byte, n int) int {
	binary.NativeEndian.PutUint32(b, uint32(n))
	return 4
}

// setCommon sets one of sockOptions; known is false if it is none of them.
func (s *sockOptions) setCommon(name int, value []byte) (known bool, errno syscall.Errno) {
	if name == unix.SO_BINDTODEVICE {
		return true, s.setDevice(value)
	}
	n := numberOf(value)
	if b := s.flag(name); b != nil {
		*b = n != 0
		return true, 0
	}
	switch name {
	case unix.SO_SNDBUF:
		s.sendBuffer = max(doubled(min(uint32(n), bufferMost)), sendBufferLeast)
	case unix.SO_RCVBUF:
		s.recvBuffer = max(doubled(min(uint32(n), bufferMost)), recvBufferLeast)
	case unix.SO_SNDBUFFORCE:
		s.sendBuffer = max(doubled(uint32(max(n, 0))), sendBufferLeast)
	case unix.SO_RCVBUFFORCE:
		s.recvBuffer = max(doubled(uint32(max(n, 0))), recvBufferLeast)
	case unix.SO_PRIORITY:
		s.priority = int32(n)
	case unix.SO_MARK:
		s.mark = int32(n)
	case unix.SO_BUSY_POLL:
		if n < 0 {
			return true, syscall.EINVAL
		}
		s.busyPoll = int32(n)
	case unix.SO_LINGER:
		if len(value) < syscall.SizeofLinger {
			return true, syscall.EINVAL
		}
		l := *(*syscall.Linger)(unsafe.Pointer(&value[0]))
		s.linger.Onoff = int32(number(l.Onoff != 0))
		if l.Onoff != 0 {
			s.linger.Linger = l.Linger // kept when it is switched off
		}
	case unix.SO_RCVTIMEO, unix.SO_RCVTIMEO_NEW:
		s.recvLimit, errno = timeLimit(value)
	case unix.SO_SNDTIMEO, unix.SO_SNDTIMEO_NEW:
		s.sendLimit, errno = timeLimit(value)
	default:
		return false, 0
	}
	return true, errno
}

// doubled is twice a size, of which Linux uses one half itself.
func doubled(n uint32) int32 { return int32(min(n, 1<<30-1)) * 2 }

// timeLimit is a struct timeval as SO_RCVTIMEO takes it: 0 is no limit, and a
// negative one the least there is.
func timeLimit(value []byte) (time.Duration, syscall.Errno) {
	if len(value) < int(unsafe.Sizeof(syscall.Timeval{})) {
		return 0, syscall.EINVAL
	}
	switch t := *(*syscall.Timeval)(unsafe.Pointer(&value[0])); {
	case t.Usec < 0 || t.Usec >= 1e6:
		return 0, syscall.EDOM
	case t.Sec < 0:
		return 1, 0
	case t.Sec >= 1<<33:
		return 0, 0
	default:
		return time.Duration(t.Nano()), 0
	}
}

// common reads one of sockOptions, or what is the same for all; known is false if it
// is neither.
func (o *sockBase) common(name int, b []byte) (n int, known bool) {
	if f := o.flag(name); f != nil {
		return putNumber(b, number(*f)), true
	}
	switch name {
	case unix.SO_TYPE:
		return putNumber(b, o.kind), true
	case unix.SO_DOMAIN:
		return putNumber(b, o.domain), true
	case unix.SO_PROTOCOL:
		return putNumber(b, o.proto), true
	case unix.SO_SNDBUF:
		return putNumber(b, int(usual(o.sendBuffer))), true
	case unix.SO_RCVBUF:
		return putNumber(b, int(usual(o.recvBuffer))), true
	case unix.SO_REUSEPORT:
		return putNumber(b, number(o.reusePort)), true
	case unix.SO_PRIORITY:
		return putNumber(b, int(o.priority)), true
	case unix.SO_MARK:
		return putNumber(b, int(o.mark)), true
	case unix.SO_BUSY_POLL:
		return putNumber(b, int(o.busyPoll)), true
	case unix.SO_RCVLOWAT, unix.SO_SNDLOWAT:
		return putNumber(b, 1), true
	case unix.SO_LINGER:
		putNumber(b, int(o.linger.Onoff))
		putNumber(b[4:], int(o.linger.Linger))
		return syscall.SizeofLinger, true
	case unix.SO_RCVTIMEO, unix.SO_RCVTIMEO_NEW:
		return putTime(b, o.recvLimit), true
	case unix.SO_SNDTIMEO, unix.SO_SNDTIMEO_NEW:
		return putTime(b, o.sendLimit), true
	case unix.SO_BINDTODEVICE:
		return copy(b, deviceName(o.device)), true
	case unix.SO_COOKIE:
		binary.NativeEndian.PutUint64(b, o.ino)
		return 8, true
	}
	return 0, false
}

func usual(buffer int32) int32 {
	if buffer == 0 {
		return bufferUsual
	}
	return buffer
}

func putTime(b []byte, d time.Duration) int {
	t := syscall.NsecToTimeval(int64(d))
	return copy(b, unsafe.Slice((*byte)(unsafe.Pointer(&t)), unsafe.Sizeof(t)))
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// flag is where an option that is on or off is kept, or nil.
func (s *sockOptions) flag(name int) *bool {
	switch name {
	case unix.SO_REUSEADDR:
		return &s.reuseAddr
	case unix.SO_KEEPALIVE:
		return &s.keepAlive
	case unix.SO_BROADCAST:
		return &s.broadcast
	case unix.SO_OOBINLINE:
		return &s.outOfBand
	case unix.SO_DONTROUTE:
		return &s.dontRoute
	}
	return nil
}
