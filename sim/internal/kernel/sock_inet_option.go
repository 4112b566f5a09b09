package kernel

import (
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

// plain is an option of the network's sockets whose value is a number that is kept,
// to be read back: what the network models does not depend on it, or what does
// looks at it here.
type plain struct {
	option
	usual       int // its value at first
	least, most int // beyond is EINVAL; both 0 is any number
	on          bool
	kind        int           // of sockets that have it; 0 is all
	streams     syscall.Errno // a stream's, that sets it
}

// hopLimit is what a packet's hop limit arrives with.
const hopLimit = 64

// plains are the plain options. Time on the way, and not the size of segments, is what the network
// models.
var plains = [...]plain{
	optPktinfo4:  {option: option{unix.IPPROTO_IP, unix.IP_PKTINFO}, on: true},
	optPktinfo6:  {option: option{unix.IPPROTO_IPV6, unix.IPV6_RECVPKTINFO}, on: true},
	optRecvTTL:   {option: option{unix.IPPROTO_IP, unix.IP_RECVTTL}, on: true},
	optRecvTOS:   {option: option{unix.IPPROTO_IP, unix.IP_RECVTOS}, on: true},
	optRecvHops:  {option: option{unix.IPPROTO_IPV6, unix.IPV6_RECVHOPLIMIT}, on: true},
	optRecvClass: {option: option{unix.IPPROTO_IPV6, unix.IPV6_RECVTCLASS}, on: true},
	optDefer:     {option: option{unix.IPPROTO_TCP, unix.TCP_DEFER_ACCEPT}, kind: syscall.SOCK_STREAM},
	optTOS:       {option: option{unix.IPPROTO_IP, unix.IP_TOS}},
	optGroupTTL:  {option: option{unix.IPPROTO_IP, unix.IP_MULTICAST_TTL}, usual: 1, least: 0, most: 255, streams: syscall.EINVAL},
	optGroupHops: {option: option{unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_HOPS}, usual: 1, least: 0, most: 255, streams: syscall.ENOPROTOOPT},

	{option: option{unix.IPPROTO_TCP, unix.TCP_NODELAY}, on: true, kind: syscall.SOCK_STREAM},
	{option: option{unix.IPPROTO_TCP, unix.TCP_CORK}, on: true, kind: syscall.SOCK_STREAM},
	{option: option{unix.IPPROTO_TCP, unix.TCP_QUICKACK}, usual: 1, on: true, kind: syscall.SOCK_STREAM},
	{option: option{unix.IPPROTO_TCP, unix.TCP_SYNCNT}, usual: 6, least: 1, most: 127, kind: syscall.SOCK_STREAM},
	{option: option{unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT}, kind: syscall.SOCK_STREAM},
	{option: option{unix.IPPROTO_TCP, unix.TCP_FASTOPEN}, kind: syscall.SOCK_STREAM},
	{option: option{unix.IPPROTO_TCP, unix.TCP_FASTOPEN_CONNECT}, least: 0, most: 1, kind: syscall.SOCK_STREAM},
	{option: option{unix.IPPROTO_TCP, unix.TCP_LINGER2}, usual: 60, kind: syscall.SOCK_STREAM},
	{option: option{unix.IPPROTO_IP, unix.IP_TTL}, usual: hopLimit, least: 1, most: 255},
	{option: option{unix.IPPROTO_IP, unix.IP_RECVERR}, on: true},
	{option: option{unix.IPPROTO_IP, unix.IP_FREEBIND}, on: true},
	{option: option{unix.IPPROTO_IP, unix.IP_MTU_DISCOVER}, usual: 1, least: 0, most: 5},
	{option: option{unix.IPPROTO_IP, unix.IP_BIND_ADDRESS_NO_PORT}, on: true},
	{option: option{unix.IPPROTO_IPV6, unix.IPV6_UNICAST_HOPS}, usual: hopLimit, least: 0, most: 255},
	{option: option{unix.IPPROTO_IPV6, unix.IPV6_TCLASS}, least: 0, most: 255},
	{option: option{unix.IPPROTO_IPV6, unix.IPV6_RECVERR}, on: true},
	{option: option{unix.IPPROTO_IPV6, unix.IPV6_MTU_DISCOVER}, usual: 1, least: 0, most: 5},
	{option: option{unix.IPPROTO_IPV6, unix.IPV6_DONTFRAG}, on: true},
}

// The places in plains of options that are looked at.
const (
	optPktinfo4 = iota
	optPktinfo6
	optRecvTTL
	optRecvTOS
	optRecvHops
	optRecvClass
	optDefer
	optTOS
	optGroupTTL
	optGroupHops
)

// kept is a plain option that was set.
type kept struct{ place, value int }

func (o *socket) get(place int) int {
	for _, k := range o.kept {
		if k.place == place {
			return k.value
		}
	}
	return plains[place].usual
}

func (o *socket) keep(place, value int) {
	if i := slices.IndexFunc(o.kept, func(k kept) bool { return k.place == place }); i >= 0 {
		o.kept[i].value = value
		return
	}
	o.kept = append(o.kept, kept{place, value})
}

// plainPlace returns the place of a plain option that the socket has, or -1.
func (o *socket) plainPlace(which option) int {
	if which.level == unix.IPPROTO_IPV6 && o.domain != syscall.AF_INET6 {
		return -1
	}
	return slices.IndexFunc(plains[:], func(p plain) bool { return p.option == which && (p.kind == 0 || p.kind == o.kind) })
}

func (o *socket) setPlain(place, n int) syscall.Errno {
	p := plains[place]
	switch {
	case p.streams != 0 && !o.datagrams():
		return p.streams
	case p.on:
		n = number(n != 0)
	case place == optDefer:
		n = deferred(n)
	case place == optTOS:
		n &= 0xff
		if o.kind == syscall.SOCK_STREAM {
			n &^= 3 // the bits of congestion are TCP's own
		}
	case n == -1 && (p.name == unix.IP_TTL && p.level == unix.IPPROTO_IP || p.level == unix.IPPROTO_IPV6 && p.most == 255 || p.name == unix.IP_MULTICAST_TTL && p.level == unix.IPPROTO_IP):
		n = p.usual // the default again
	case p.most != 0 && (n < p.least || n > p.most):
		return syscall.EINVAL
	}
	o.keep(place, n)
	return 0
}

// deferred is how TCP_DEFER_ACCEPT rounds: to the times of repeated SYN-ACKs.
func deferred(seconds int) int {
	sum, wait := 0, 1
	for sum < seconds && sum < 255 {
		sum += wait
		wait = min(2*wait, 120)
	}
	return sum
}

// optionsChanged has the network's options be those that are kept here.
func (o *socket) optionsChanged() {
	opt := o.s.Options()
	opt.ReuseAddr, opt.ReusePort = o.reuseAddr, o.reusePort
	opt.KeepAlive, opt.Broadcast, opt.Device = o.keepAlive, o.broadcast, o.device
	opt.LingerZero = o.linger.Onoff != 0 && o.linger.Linger == 0
	if o.sendBuffer != 0 {
		opt.SendBuffer = int(o.sendBuffer)
	}
	if o.recvBuffer != 0 {
		opt.RecvBuffer = int(o.recvBuffer)
	}
	o.s.SetOptions(opt)
}

func (o *socket) setOption(_ *Process, which option, value []byte) syscall.Errno {
	if place := o.plainPlace(which); place >= 0 {
		if len(value) == 0 && which.level == unix.IPPROTO_IP && plains[place].streams == 0 {
			return o.setPlain(place, 0)
		}
		n, errno := smallNumber(which.level, value)
		if errno != 0 {
			return errno
		}
		return o.setPlain(place, n)
	}
	switch which.level {
	case unix.SOL_SOCKET:
		return o.setSocketOption(which.name, value)
	case unix.IPPROTO_TCP:
		return o.setTCPOption(which.name, value)
	case unix.IPPROTO_IP:
		return o.setGroupOption(which, value)
	case unix.IPPROTO_IPV6:
		if o.domain != syscall.AF_INET6 {
			return syscall.ENOPROTOOPT
		}
		if which.name == unix.IPV6_V6ONLY {
			return o.setV6Only(value)
		}
		return o.setGroupOption(which, value)
	}
	return syscall.ENOPROTOOPT
}

// smallNumber is the value of an option, which IPv4's may give in one byte.
func smallNumber(level int, value []byte) (int, syscall.Errno) {
	switch {
	case len(value) >= 4:
		return numberOf(value), 0
	case level == unix.IPPROTO_IP && len(value) >= 1:
		return int(value[0]), 0
	}
	return 0, syscall.EINVAL
}

func (o *socket) setV6Only(value []byte) syscall.Errno {
	if len(value) < 4 || o.s.Bound() {
		return syscall.EINVAL
	}
	opt := o.s.Options()
	opt.V6Only = numberOf(value) != 0
	o.s.SetOptions(opt)
	return 0
}

func (o *socket) setSocketOption(name int, value []byte) syscall.Errno {
	switch name {
	case unix.SO_REUSEPORT:
		o.reusePort = numberOf(value) != 0
		o.optionsChanged()
		return 0
	case unix.SO_PASSCRED:
		return syscall.EOPNOTSUPP
	}
	return syscall.ENOPROTOOPT
}

const (
	keepTimeMost  = 32767 // seconds, of TCP_KEEPIDLE and TCP_KEEPINTVL
	keepCountMost = 127
)

func (o *socket) setTCPOption(name int, value []byte) syscall.Errno {
	if o.datagrams() {
		return syscall.ENOPROTOOPT
	}
	if name == unix.TCP_CONGESTION {
		return setCongestion(value)
	}
	if len(value) < 4 {
		return syscall.EINVAL
	}
	opt, n, least, most := o.s.Options(), numberOf(value), 1, keepTimeMost
	switch name {
	case unix.TCP_KEEPIDLE:
		opt.KeepIdle = time.Duration(n) * time.Second
	case unix.TCP_KEEPINTVL:
		opt.KeepInterval = time.Duration(n) * time.Second
	case unix.TCP_KEEPCNT:
		opt.KeepCount, most = n, keepCountMost
	case unix.TCP_USER_TIMEOUT:
		opt.UserTimeout, least, most = time.Duration(n)*time.Millisecond, 0, 1<<31-1
	default:
		return syscall.ENOPROTOOPT
	}
	if n < least || n > most {
		return syscall.EINVAL
	}
	o.s.SetOptions(opt)
	return 0
}

// congestion is the only algorithm there is by name: none is at work.
const congestion = "cubic"

func setCongestion(value []byte) syscall.Errno {
	switch name := unixName(value); name {
	case congestion:
		return 0
	case "":
		return syscall.EINVAL
	}
	return syscall.ENOENT
}

func (o *socket) option(_ *Process, which option, b []byte) (int, syscall.Errno) {
	if place := o.plainPlace(which); place >= 0 {
		return putNumber(b, o.get(place)), 0
	}
	switch which.level {
	case unix.SOL_SOCKET:
		return o.socketOption(which.name, b)
	case unix.IPPROTO_IP:
		return o.groupOption(which, b)
	case unix.IPPROTO_TCP:
		if !o.datagrams() {
			return o.tcpOption(which.name, b)
		}
	}
	if o.domain == syscall.AF_INET {
		return 0, syscall.EOPNOTSUPP // what is of another level
	}
	if which == (option{unix.IPPROTO_IPV6, unix.IPV6_V6ONLY}) {
		return putNumber(b, number(o.s.Options().V6Only)), 0
	}
	return o.groupOption(which, b)
}

func (o *socket) socketOption(name int, b []byte) (int, syscall.Errno) {
	switch name {
	case unix.SO_ERROR:
		return putNumber(b, int(o.s.Err())), 0
	case unix.SO_ACCEPTCONN:
		return putNumber(b, number(o.s.Listening())), 0
	case unix.SO_PASSCRED:
		return 0, syscall.EOPNOTSUPP
	case unix.SO_PEERCRED:
		c := nobody.encode()
		return copy(b, c[:]), 0
	}
	return 0, syscall.ENOPROTOOPT
}

// segmentMax is what TCP_MAXSEG answers, that of Ethernet with time stamps; and
// segmentUnknown that of a socket which is not connected.
const (
	segmentMax     = 1448
	segmentUnknown = 536
)

func (o *socket) tcpOption(name int, b []byte) (int, syscall.Errno) {
	opt := o.s.Options()
	switch name {
	case unix.TCP_KEEPIDLE:
		return putNumber(b, int(opt.KeepIdle/time.Second)), 0
	case unix.TCP_KEEPINTVL:
		return putNumber(b, int(opt.KeepInterval/time.Second)), 0
	case unix.TCP_KEEPCNT:
		return putNumber(b, opt.KeepCount), 0
	case unix.TCP_USER_TIMEOUT:
		return putNumber(b, int(opt.UserTimeout/time.Millisecond)), 0
	case unix.TCP_MAXSEG:
		if o.s.State() == net.Closed || o.s.Listening() {
			return putNumber(b, segmentUnknown), 0
		}
		return putNumber(b, segmentMax), 0
	case unix.TCP_CONGESTION:
		clear(b[:congestionMost])
		copy(b, congestion)
		return congestionMost, 0
	case unix.TCP_INFO:
		return o.tcpInfo(b), 0
	}
	return 0, syscall.ENOPROTOOPT
}

// congestionMost is how long the name of an algorithm can be: TCP_CA_NAME_MAX.
const congestionMost = 16
