package kernel

import (
	"syscall"
	"time"

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

// ignored are options that may be set and change nothing here.
var ignored = map[option]bool{
	{unix.IPPROTO_TCP, unix.TCP_NODELAY}:            true,
	{unix.IPPROTO_TCP, unix.TCP_QUICKACK}:           true,
	{unix.IPPROTO_TCP, unix.TCP_CORK}:               true,
	{unix.IPPROTO_TCP, unix.TCP_DEFER_ACCEPT}:       true,
	{unix.IPPROTO_TCP, unix.TCP_FASTOPEN}:           true,
	{unix.SOL_SOCKET, unix.SO_BROADCAST}:            true,
	{unix.SOL_SOCKET, unix.SO_PRIORITY}:             true,
	{unix.SOL_SOCKET, unix.SO_OOBINLINE}:            true,
	{unix.IPPROTO_IP, unix.IP_TOS}:                  true,
	{unix.IPPROTO_IP, unix.IP_TTL}:                  true,
	{unix.IPPROTO_IP, unix.IP_RECVERR}:              true,
	{unix.IPPROTO_IP, unix.IP_MTU_DISCOVER}:         true,
	{unix.IPPROTO_IP, unix.IP_BIND_ADDRESS_NO_PORT}: true,
}

func sysSetsockopt(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	which := option{int(c.Args[1]), int(c.Args[2])}
	if c.Args[4] < 4 {
		return 0, syscall.EINVAL
	}
	value := int(*at[int32](c.Args[3]))
	opt := o.s.Options()
	switch which {
	case option{unix.SOL_SOCKET, unix.SO_REUSEADDR}:
		opt.ReuseAddr = value != 0
	case option{unix.SOL_SOCKET, unix.SO_REUSEPORT}:
		opt.ReusePort = value != 0
	case option{unix.SOL_SOCKET, unix.SO_KEEPALIVE}:
		opt.KeepAlive = value != 0
	case option{unix.SOL_SOCKET, unix.SO_SNDBUF}:
		opt.SendBuffer = max(2*value, 4096)
	case option{unix.SOL_SOCKET, unix.SO_RCVBUF}:
		opt.RecvBuffer = max(2*value, 4096)
	case option{unix.SOL_SOCKET, unix.SO_LINGER}:
		if c.Args[4] < 8 {
			return 0, syscall.EINVAL
		}
		opt.LingerZero = value != 0 && *at[int32](c.Args[3] + 4) == 0
	case option{unix.IPPROTO_TCP, unix.TCP_KEEPIDLE}:
		opt.KeepIdle = time.Duration(value) * time.Second
	case option{unix.IPPROTO_TCP, unix.TCP_KEEPINTVL}:
		opt.KeepInterval = time.Duration(value) * time.Second
	case option{unix.IPPROTO_TCP, unix.TCP_KEEPCNT}:
		opt.KeepCount = value
	case option{unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT}:
		opt.UserTimeout = time.Duration(value) * time.Millisecond
	default:
		if !ignored[which] {
			return 0, syscall.ENOPROTOOPT
		}
		return 0, 0
	}
	o.s.SetOptions(opt)
	return 0, 0
}

func sysGetsockopt(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	value, errno := o.option(option{int(c.Args[1]), int(c.Args[2])})
	if errno != 0 {
		return 0, errno
	}
	size := at[uint32](c.Args[4])
	if *size < 4 {
		return 0, syscall.EINVAL
	}
	*at[int32](c.Args[3]) = int32(value)
	*size = 4
	return 0, 0
}

func (o *socket) option(which option) (int, syscall.Errno) {
	opt := o.s.Options()
	switch which {
	case option{unix.SOL_SOCKET, unix.SO_ERROR}:
		return int(o.s.Err()), 0
	case option{unix.SOL_SOCKET, unix.SO_TYPE}:
		if o.s.Proto() == net.UDP {
			return syscall.SOCK_DGRAM, 0
		}
		return syscall.SOCK_STREAM, 0
	case option{unix.SOL_SOCKET, unix.SO_DOMAIN}:
		return syscall.AF_INET, 0
	case option{unix.SOL_SOCKET, unix.SO_PROTOCOL}:
		if o.s.Proto() == net.UDP {
			return syscall.IPPROTO_UDP, 0
		}
		return syscall.IPPROTO_TCP, 0
	case option{unix.SOL_SOCKET, unix.SO_ACCEPTCONN}:
		return number(o.s.Listening()), 0
	case option{unix.SOL_SOCKET, unix.SO_REUSEADDR}:
		return number(opt.ReuseAddr), 0
	case option{unix.SOL_SOCKET, unix.SO_REUSEPORT}:
		return number(opt.ReusePort), 0
	case option{unix.SOL_SOCKET, unix.SO_KEEPALIVE}:
		return number(opt.KeepAlive), 0
	case option{unix.SOL_SOCKET, unix.SO_SNDBUF}:
		return opt.SendBuffer, 0
	case option{unix.SOL_SOCKET, unix.SO_RCVBUF}:
		return opt.RecvBuffer, 0
	case option{unix.IPPROTO_TCP, unix.TCP_KEEPIDLE}:
		return int(opt.KeepIdle / time.Second), 0
	case option{unix.IPPROTO_TCP, unix.TCP_KEEPINTVL}:
		return int(opt.KeepInterval / time.Second), 0
	case option{unix.IPPROTO_TCP, unix.TCP_KEEPCNT}:
		return opt.KeepCount, 0
	case option{unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT}:
		return int(opt.UserTimeout / time.Millisecond), 0
	}
	if ignored[which] {
		return 0, 0
	}
	return 0, syscall.ENOPROTOOPT
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
