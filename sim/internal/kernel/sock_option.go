package kernel

import (
	"encoding/binary"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_SETSOCKOPT: sysSetsockopt,
		unix.SYS_GETSOCKOPT: sysGetsockopt,
	})
}

// option is a socket option, by its level and name.
type option struct{ level, name int }

// inert are options that change nothing here; they are kept to be read back. Time
// on the way, and not the size of segments, is what the network models.
var inert = [...]option{
	{unix.IPPROTO_TCP, unix.TCP_NODELAY},
	{unix.IPPROTO_TCP, unix.TCP_QUICKACK},
	{unix.IPPROTO_TCP, unix.TCP_CORK},
	{unix.IPPROTO_TCP, unix.TCP_DEFER_ACCEPT},
	{unix.IPPROTO_TCP, unix.TCP_FASTOPEN},
	{unix.IPPROTO_TCP, unix.TCP_FASTOPEN_CONNECT},
	{unix.IPPROTO_TCP, unix.TCP_SYNCNT},
	{unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT},
	{unix.SOL_SOCKET, unix.SO_BROADCAST},
	{unix.SOL_SOCKET, unix.SO_PRIORITY},
	{unix.SOL_SOCKET, unix.SO_OOBINLINE},
	{unix.IPPROTO_IP, unix.IP_TOS},
	{unix.IPPROTO_IP, unix.IP_TTL},
	{unix.IPPROTO_IP, unix.IP_RECVERR},
	{unix.IPPROTO_IP, unix.IP_MTU_DISCOVER},
	{unix.IPPROTO_IP, unix.IP_BIND_ADDRESS_NO_PORT},
}

// keptOptions are the values of inert options, by their place there.
type keptOptions [len(inert)]int32

// lingerOption is the one that is no number.
var lingerOption = option{unix.SOL_SOCKET, unix.SO_LINGER}

// optioned is an object that has socket options.
type optioned interface {
	option(option) (int, syscall.Errno)
	setOption(option, int) syscall.Errno
	getLinger() syscall.Linger
	setLinger(syscall.Linger)
}

func (c *Call) optioned() (optioned, syscall.Errno) {
	d, errno := c.descriptor(c.Args[0])
	if errno != 0 {
		return nil, errno
	}
	if o, ok := d.obj.(optioned); ok {
		return o, 0
	}
	return nil, syscall.ENOTSOCK
}

// option is the option that the call is about.
func (c *Call) option() option { return option{int(int32(c.Args[1])), int(int32(c.Args[2]))} }

func sysSetsockopt(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, errno := c.optioned()
	if errno != 0 {
		return 0, errno
	}
	which, p, size := c.option(), c.Args[3], int32(c.Args[4])
	if size < 4 {
		return 0, syscall.EINVAL
	}
	if which != lingerOption {
		return 0, o.setOption(which, int(*at[int32](p)))
	}
	if size < syscall.SizeofLinger {
		return 0, syscall.EINVAL
	}
	o.setLinger(*at[syscall.Linger](p))
	return 0, 0
}

func sysGetsockopt(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, errno := c.optioned()
	if errno != 0 {
		return 0, errno
	}
	which, size := c.option(), at[int32](c.Args[4])
	if *size < 0 {
		return 0, syscall.EINVAL
	}
	var b [syscall.SizeofLinger]byte
	n := int32(4)
	if which == lingerOption {
		l := o.getLinger()
		n = int32(len(b))
		binary.NativeEndian.PutUint32(b[:], uint32(l.Onoff))
		binary.NativeEndian.PutUint32(b[4:], uint32(l.Linger))
	} else {
		value, errno := o.option(which)
		if errno != 0 {
			return 0, errno
		}
		binary.NativeEndian.PutUint32(b[:], uint32(value))
	}
	*size = min(*size, n)
	copy(bytesAt(c.Args[3], uintptr(*size)), b[:])
	return 0, 0
}

func (o *socket) getLinger() syscall.Linger { return o.linger }

// setLinger knows the time 0, for which closing resets; with another one closing
// waits on Linux, which it does not here.
func (o *socket) setLinger(l syscall.Linger) {
	opt := o.s.Options()
	opt.LingerZero = l.Onoff != 0 && l.Linger == 0
	o.linger = l
	o.s.SetOptions(opt)
}

func (o *socket) setOption(which option, value int) syscall.Errno {
	if i := slices.Index(inert[:], which); i >= 0 {
		o.kept[i] = int32(value)
		return 0
	}
	opt := o.s.Options()
	switch which {
	case option{unix.SOL_SOCKET, unix.SO_REUSEADDR}:
		opt.ReuseAddr = value != 0
	case option{unix.SOL_SOCKET, unix.SO_REUSEPORT}:
		opt.ReusePort = value != 0
	case option{unix.SOL_SOCKET, unix.SO_KEEPALIVE}:
		opt.KeepAlive = value != 0
	case option{unix.SOL_SOCKET, unix.SO_SNDBUF}, option{unix.SOL_SOCKET, unix.SO_SNDBUFFORCE}:
		opt.SendBuffer = 2 * value // as Linux, which counts what it needs itself
	case option{unix.SOL_SOCKET, unix.SO_RCVBUF}, option{unix.SOL_SOCKET, unix.SO_RCVBUFFORCE}:
		opt.RecvBuffer = 2 * value
	default:
		return o.setTCPOption(which, value)
	}
	o.s.SetOptions(opt)
	return 0
}

const (
	keepTimeMost  = 32767 // seconds, of TCP_KEEPIDLE and TCP_KEEPINTVL
	keepCountMost = 127
)

func (o *socket) setTCPOption(which option, value int) syscall.Errno {
	if which.level != unix.IPPROTO_TCP || o.datagrams() {
		return syscall.ENOPROTOOPT
	}
	opt, least, most := o.s.Options(), 1, keepTimeMost
	switch which.name {
	case unix.TCP_KEEPIDLE:
		opt.KeepIdle = time.Duration(value) * time.Second
	case unix.TCP_KEEPINTVL:
		opt.KeepInterval = time.Duration(value) * time.Second
	case unix.TCP_KEEPCNT:
		opt.KeepCount, most = value, keepCountMost
	case unix.TCP_USER_TIMEOUT:
		opt.UserTimeout, least, most = time.Duration(value)*time.Millisecond, 0, 1<<31-1
	default:
		return syscall.ENOPROTOOPT
	}
	if value < least || value > most {
		return syscall.EINVAL
	}
	o.s.SetOptions(opt)
	return 0
}

func (o *socket) option(which option) (int, syscall.Errno) {
	if i := slices.Index(inert[:], which); i >= 0 {
		return int(o.kept[i]), 0
	}
	if which.level == unix.IPPROTO_TCP {
		return o.tcpOption(which.name)
	}
	if which.level != unix.SOL_SOCKET {
		return 0, syscall.ENOPROTOOPT
	}
	opt := o.s.Options()
	switch which.name {
	case unix.SO_ERROR:
		return int(o.s.Err()), 0
	case unix.SO_TYPE:
		if o.datagrams() {
			return syscall.SOCK_DGRAM, 0
		}
		return syscall.SOCK_STREAM, 0
	case unix.SO_DOMAIN:
		return syscall.AF_INET, 0
	case unix.SO_PROTOCOL:
		if o.datagrams() {
			return syscall.IPPROTO_UDP, 0
		}
		return syscall.IPPROTO_TCP, 0
	case unix.SO_ACCEPTCONN:
		return number(o.s.Listening()), 0
	case unix.SO_REUSEADDR:
		return number(opt.ReuseAddr), 0
	case unix.SO_REUSEPORT:
		return number(opt.ReusePort), 0
	case unix.SO_KEEPALIVE:
		return number(opt.KeepAlive), 0
	case unix.SO_SNDBUF:
		return opt.SendBuffer, 0
	case unix.SO_RCVBUF:
		return opt.RecvBuffer, 0
	}
	return 0, syscall.ENOPROTOOPT
}

// segmentMax is what TCP_MAXSEG answers, that of Ethernet with time stamps.
const segmentMax = 1448

func (o *socket) tcpOption(name int) (int, syscall.Errno) {
	if o.datagrams() {
		return 0, syscall.ENOPROTOOPT
	}
	opt := o.s.Options()
	switch name {
	case unix.TCP_KEEPIDLE:
		return int(opt.KeepIdle / time.Second), 0
	case unix.TCP_KEEPINTVL:
		return int(opt.KeepInterval / time.Second), 0
	case unix.TCP_KEEPCNT:
		return opt.KeepCount, 0
	case unix.TCP_USER_TIMEOUT:
		return int(opt.UserTimeout / time.Millisecond), 0
	case unix.TCP_MAXSEG:
		return segmentMax, 0
	}
	return 0, syscall.ENOPROTOOPT
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
