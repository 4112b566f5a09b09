package kernel

import (
	"encoding/binary"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/orrery-sim/orrery/net"
	"github.com/orrery-sim/orrery/sim/choice"
)

var socketCalls = flag.Int("sockets.calls", 0, "how many random calls on sockets are compared with Linux's; 0 is a sample, the same every time")

// TestSocketsConformToLinux drives sockets of all kinds on both kernels. None of the
// calls blocks, and each is made once what the one before began has come to rest.
// By itself it makes the same calls every time: -sockets.calls explores.
func TestSocketsConformToLinux(t *testing.T) {
	inOwnNetworks(t)
	compare(t, *socketCalls, func(rt *rapid.T) int {
		p := newSocketPair(t, rt)
		defer p.close()
		rt.Repeat(p.socketActions())
		return len(p.done)
	})
}

// inOwnNetworks skips the test if it cannot compare sockets, and gives it a directory.
func inOwnNetworks(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("simulated processes are root, and a network of its own needs to be: compare as root")
	}
	t.Chdir(t.TempDir())
}

// ownNetwork gives the thread a network of its own, with nothing but the loopback.
func ownNetwork(t rapid.TB) {
	runtime.LockOSThread() // for ever: the thread ends with its goroutine
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	up, err := unix.NewIfreq("lo")
	if err != nil {
		t.Fatal(err)
	}
	up.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, up); err != nil {
		t.Fatal(err)
	}
}

// socketPair is both kernels with sockets in their slots.
type socketPair struct {
	pair
	m      *machineUnderTest
	byIPv4 map[*socket]bool // those that spoiled asks for
}

func newSocketPair(tb testing.TB, t rapid.TB) *socketPair {
	ownNetwork(t)
	src := choice.New(1)
	m := &machineUnderTest{t: tb, rt: &testRuntime{answers: map[Caller]answer{}}}
	m.k = New(m.rt, src, net.New(net.Config{}, src))
	m.k.Advance(1_000_000_000_000_000_000)
	m.h = m.k.AddHost(HostConfig{Name: "n1"})
	p, errno := m.k.StartProcess(m.h, Start{Args: []string{"prog"}, Dir: "/w"})
	if errno != 0 {
		t.Fatal(errno)
	}
	m.p = p
	left, _ := os.ReadDir(".") // of the one before
	for _, f := range left {
		os.Remove(f.Name())
	}
	return &socketPair{
		pair: pair{sim: &side{caller: m}, real: &side{caller: realLinux{}}},
		m:    m, byIPv4: map[*socket]bool{},
	}
}

func (p *socketPair) socketActions() map[string]func(*rapid.T) {
	actions := map[string]func(*rapid.T){
		"":           func(t *rapid.T) { p.quiet(t) },
		"socket":     p.newSocket,
		"connection": p.newConnection,
		"pair":       p.newUnixPair,
		"epoll":      p.newEpoll,
		"bind":       p.bind,
		"listen":     p.listenOn,
		"connect":    p.connectTo,
		"reach":      p.connectToSlot,
		"accept":     p.acceptOn,
		"close":      p.closeOne,
		"dup":        p.dup,
		"shutdown":   p.shutdown,
		"send":       p.sendTo,
		"reply":      p.sendToSlot,
		"write":      p.writeSome,
		"read":       p.readSome,
		"receive":    p.receiveFrom,
		"sendmsg":    p.sendHeader,
		"recvmsg":    p.receiveHeader,
		"names":      p.names,
		"set":        p.setOption,
		"get":        p.getOption,
		"error":      p.socketError,
		"unread":     p.unreadOf,
		"unlink":     p.unlink,
		"watch":      p.watchSocket,
		"events":     p.epollWait,
		"select":     p.selectSome,
	}
	for _, name := range []string{"connection", "write", "read", "recvmsg", "receive", "reach"} {
		actions[name+"2"] = actions[name]
	}
	for name, action := range actions {
		if name == "" {
			continue
		}
		actions[name] = func(t *rapid.T) {
			if p.slots == 0 && !strings.HasPrefix(name, "connection") {
				p.newSocket(t)
				return
			}
			action(t)
		}
	}
	return actions
}

// step makes a call of both kernels and compares; then what it began comes to rest.
func (p *socketPair) step(t rapid.TB, what string, do func(s *side) result) result {
	r := p.pair.step(t, what, do)
	p.slots = len(p.real.fds)
	p.quiet(t)
	return r
}

// quiet lets both kernels come to rest, and compares what all sockets are ready for
// and how much there is to read. Linux moves packets in its own time: it may look
// different for a moment.
func (p *socketPair) quiet(t rapid.TB) {
	p.m.k.Advance(p.m.k.Now() + int64(time.Millisecond))
	sim, deadline := p.state(p.sim), time.Now().Add(time.Second)
	real := p.state(p.real)
	for real != sim && time.Now().Before(deadline) {
		time.Sleep(100 * time.Microsecond)
		real = p.state(p.real)
	}
	if sim != real {
		t.Fatalf("ready: simulated %s, Linux %s\nafter %s", sim, real, strings.Join(p.done, "\n"))
	}
}

func (p *socketPair) state(s *side) string {
	fds := make([]unix.PollFd, len(s.fds))
	for i, fd := range s.fds {
		fds[i] = unix.PollFd{Fd: int32(fd), Events: 0x3fff} // all there are
	}
	s.call(unix.SYS_PPOLL, unsafe.Pointer(unsafe.SliceData(fds)), len(fds), make([]byte, 16), 0)
	var text strings.Builder
	for i := range fds {
		n := new(int32)
		if _, ok := p.object(i).(*epoll); !ok {
			s.call(unix.SYS_IOCTL, s.fds[i], unix.TIOCINQ, unsafe.Pointer(n))
		}
		// The bits for bands and messages are of no use.
		fmt.Fprintf(&text, "%d:%x/%d ", i, fds[i].Revents&^(0x80|0x200|0x400), *n)
	}
	return text.String()
}

// kinds are the sockets that there are to make.
var socketKinds = []struct {
	name         string
	family, kind int
}{
	{"tcp4", unix.AF_INET, unix.SOCK_STREAM},
	{"tcp6", unix.AF_INET6, unix.SOCK_STREAM},
	{"udp4", unix.AF_INET, unix.SOCK_DGRAM},
	{"udp6", unix.AF_INET6, unix.SOCK_DGRAM},
	{"unix", unix.AF_UNIX, unix.SOCK_STREAM},
	{"unixgram", unix.AF_UNIX, unix.SOCK_DGRAM},
	{"unixpacket", unix.AF_UNIX, unix.SOCK_SEQPACKET},
}

func (p *socketPair) newSocket(t *rapid.T) {
	p.makeSocket(t, rapid.IntRange(0, len(socketKinds)-1).Draw(t, "kind"))
}

func (p *socketPair) makeSocket(t rapid.TB, kind int) int {
	k := socketKinds[kind]
	p.step(t, "socket("+k.name+")", func(s *side) result {
		r1, errno := s.call(unix.SYS_SOCKET, k.family, k.kind|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
		return opened(s, r1, errno)
	})
	return p.slots - 1
}

func (p *socketPair) newUnixPair(t *rapid.T) {
	p.makePair(t, rapid.SampledFrom([]int{unix.SOCK_STREAM, unix.SOCK_DGRAM, unix.SOCK_SEQPACKET, unix.SOCK_RAW}).Draw(t, "kind"))
}

func (p *socketPair) makePair(t rapid.TB, kind int) {
	p.makeTwo(t, fmt.Sprintf("socketpair(%d)", kind), unix.SYS_SOCKETPAIR, func(fds unsafe.Pointer) []any {
		return []any{syscall.AF_UNIX, kind | unix.SOCK_NONBLOCK | unix.SOCK_CLOEXEC, 0, fds}
	})
}

// base is the simulated socket of a slot, or nil.
func (p *socketPair) base(slot int) *sockBase {
	if o, ok := p.object(slot).(endpoint); ok {
		return o.base()
	}
	return nil
}

// Addresses to draw from.
var (
	unixPaths = []string{"s0", "s1", "missing/s"}
	abstract  = []string{"\x00a", "\x00ab", "\x00a\x00"}
	inet4s    = []string{"127.0.0.1", "127.0.0.1", "0.0.0.0", "127.0.0.2"}
	inet6s    = []string{"::1", "::1", "::", "::ffff:127.0.0.1", "::ffff:0.0.0.0"}
	ports     = []int{0, 1001, 1001, 1002, 1003}
)

// drawAddr draws an address of a family, mostly.
func drawAddr(t *rapid.T, family int) []byte {
	if rapid.IntRange(0, 14).Draw(t, "other family") == 0 {
		family = rapid.SampledFrom([]int{unix.AF_UNSPEC, unix.AF_INET, unix.AF_INET6, unix.AF_UNIX}).Draw(t, "family")
	}
	var a address
	switch family {
	case unix.AF_UNIX:
		a.name = rapid.SampledFrom(slices.Concat(unixPaths, unixPaths[:2], abstract)).Draw(t, "name")
	case unix.AF_INET6:
		a.ip = netip.AddrPortFrom(netip.MustParseAddr(rapid.SampledFrom(inet6s).Draw(t, "ip")), uint16(rapid.SampledFrom(ports).Draw(t, "port")))
	case unix.AF_INET:
		a.ip = netip.AddrPortFrom(netip.MustParseAddr(rapid.SampledFrom(inet4s).Draw(t, "ip")), uint16(rapid.SampledFrom(ports).Draw(t, "port")))
	default:
		return make([]byte, 16)
	}
	a.family = uint16(family)
	var b [sizeofAddrMost]byte
	n := a.encode(&b)
	if rapid.IntRange(0, 29).Draw(t, "cut") == 0 {
		n = rapid.IntRange(0, n).Draw(t, "size")
	}
	return b[:n]
}

func (p *socketPair) family(slot int) int {
	if b := p.base(slot); b != nil {
		return b.domain
	}
	return unix.AF_INET
}

// addrText is an address as text in which both kernels agree: what a kernel chose is
// not told. Linux may choose one port for several connections.
func addrTextOf(b []byte) string {
	if len(b) < sizeofFamily {
		return fmt.Sprintf("%x", b)
	}
	a, errno := readAddr(uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
	if errno != 0 {
		return errno.Error()
	}
	switch a.family {
	case unix.AF_UNIX:
		if len(a.name) == 6 && a.name[0] == 0 {
			return "unix chosen"
		}
		return fmt.Sprintf("unix %q/%d", a.name, len(b))
	case unix.AF_INET, unix.AF_INET6:
		port := fmt.Sprint(a.ip.Port())
		if a.ip.Port() >= 32768 {
			port = "chosen"
		}
		return fmt.Sprintf("%v %s/%d", a.ip.Addr(), port, len(b))
	}
	return fmt.Sprintf("%x", b)
}

func (p *socketPair) bind(t *rapid.T) {
	slot := p.slot(t)
	p.bindTo(t, slot, drawAddr(t, p.family(slot)))
}

func (p *socketPair) bindTo(t rapid.TB, slot int, a []byte) {
	p.step(t, fmt.Sprintf("bind(%d, %s)", slot, addrTextOf(a)), func(s *side) result {
		_, errno := s.call(unix.SYS_BIND, s.fds[slot], a, len(a))
		return result{0, errno, ""}
	})
}

func (p *socketPair) listenOn(t *rapid.T) {
	p.listenAt(t, p.slot(t), rapid.SampledFrom([]int{5, 0, 1, -1}).Draw(t, "backlog"))
}

func (p *socketPair) listenAt(t rapid.TB, slot, n int) {
	p.step(t, fmt.Sprintf("listen(%d, %d)", slot, n), func(s *side) result {
		_, errno := s.call(unix.SYS_LISTEN, s.fds[slot], n)
		return result{0, errno, ""}
	})
}

func (p *socketPair) connectTo(t *rapid.T) {
	slot := p.slot(t)
	a := drawAddr(t, p.family(slot))
	if p.spoiled(slot, a) {
		return
	}
	p.allAcknowledged(slot)
	p.step(t, fmt.Sprintf("connect(%d, %s)", slot, addrTextOf(a)), func(s *side) result {
		_, errno := s.call(unix.SYS_CONNECT, s.fds[slot], a, len(a))
		return result{0, errno, ""}
	})
}

// spoiled reports whether a socket is to connect by IPv6 that has tried to connect by
// IPv4: on Linux its SYN then has no answer. It notes who has.
func (p *socketPair) spoiled(slot int, addr []byte) bool {
	o, ok := p.object(slot).(*socket)
	if !ok || o.datagrams() || o.domain != unix.AF_INET6 || len(addr) < sizeofInet6Least {
		return false
	}
	a, _ := readAddr(word(addr), uintptr(len(addr)))
	switch {
	case a.family != unix.AF_INET6:
	case a.ip.Addr().Is4In6():
		p.byIPv4[o] = true
	default:
		return p.byIPv4[o]
	}
	return false
}

// allAcknowledged waits until Linux has acknowledged the ends of all connections, which
// it may put off for 40 ms, if a socket is to connect from a port of its own: its
// addresses may be those of a connection that ends.
func (p *socketPair) allAcknowledged(slot int) {
	if o, ok := p.object(slot).(*socket); !ok || o.datagrams() || !o.s.Bound() {
		return
	}
	for deadline := time.Now().Add(time.Second); unacknowledged() && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
}

// unacknowledged reports whether the thread's network has a connection whose end is
// on its way: in FIN-WAIT-1, LAST-ACK or CLOSING.
func unacknowledged() bool {
	for _, file := range []string{"tcp", "tcp6"} {
		text, _ := os.ReadFile("/proc/thread-self/net/" + file)
		for line := range strings.Lines(string(text)) {
			const state = 3
			if words := strings.Fields(line); len(words) > state && slices.Contains([]string{"04", "09", "0B"}, words[state]) {
				return true
			}
		}
	}
	return false
}

// nameOf is the address of a slot's socket.
func nameOf(s *side, slot int) []byte {
	b, size := make([]byte, sizeofAddrMost), []byte{sizeofAddrMost, 0, 0, 0}
	s.call(unix.SYS_GETSOCKNAME, s.fds[slot], b, size)
	return b[:binary.NativeEndian.Uint32(size)%(sizeofAddrMost+1)]
}

func (p *socketPair) connectToSlot(t *rapid.T) {
	slot, to := p.slot(t), p.slot(t)
	if o, ok := p.object(to).(*socket); p.base(slot) == nil || p.base(to) == nil || ok && !o.s.Bound() && o.s.LocalAddr().Port() != 0 {
		return // to a port that was given back: Linux may choose it again to connect from
	}
	p.connectSlots(t, slot, to)
}

func (p *socketPair) connectSlots(t rapid.TB, slot, to int) {
	if p.spoiled(slot, nameOf(p.sim, to)) {
		return
	}
	p.allAcknowledged(slot)
	p.step(t, fmt.Sprintf("connect(%d, to %d)", slot, to), func(s *side) result {
		a := nameOf(s, to)
		_, errno := s.call(unix.SYS_CONNECT, s.fds[slot], a, len(a))
		return result{0, errno, addrTextOf(a)}
	})
}

func (p *socketPair) acceptOn(t *rapid.T) { p.acceptAt(t, p.slot(t)) }

func (p *socketPair) acceptAt(t rapid.TB, slot int) {
	p.step(t, fmt.Sprintf("accept4(%d)", slot), func(s *side) result {
		b, size := make([]byte, sizeofAddrMost), []byte{sizeofAddrMost, 0, 0, 0}
		r1, errno := s.call(unix.SYS_ACCEPT4, s.fds[slot], b, size, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
		r := opened(s, r1, errno)
		if errno == 0 {
			r.text = addrTextOf(b[:size[0]])
		}
		return r
	})
}

// newConnection makes a listener, or takes one, connects to it and accepts.
func (p *socketPair) newConnection(t *rapid.T) {
	kind := rapid.SampledFrom([]int{0, 1, 4, 6}).Draw(t, "kind")
	l := p.makeSocket(t, kind)
	p.bindTo(t, l, drawAddr(t, socketKinds[kind].family))
	p.listenAt(t, l, 5)
	p.connectSlots(t, p.makeSocket(t, kind), l)
	p.acceptAt(t, l)
}

func (p *socketPair) closeOne(t *rapid.T) {
	if i := p.slot(t); i != 0 {
		p.closeAt(t, i)
	}
}

// closeAt has Linux look for Unix sockets that only messages refer to, as far as there
// may be any, which it does a little after any Unix socket closes.
func (p *socketPair) closeAt(t rapid.TB, slot int) {
	passed := len(p.m.k.carriers) > 0
	p.pair.closeAt(t, slot)
	if passed {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			t.Fatal(err)
		}
		unix.Close(fd)
		time.Sleep(20 * time.Millisecond)
	}
	p.quiet(t)
}

func (p *socketPair) shutdown(t *rapid.T) {
	p.shutdownAt(t, p.slot(t), rapid.IntRange(0, 3).Draw(t, "how"))
}

func (p *socketPair) shutdownAt(t rapid.TB, slot, how int) {
	p.step(t, fmt.Sprintf("shutdown(%d, %d)", slot, how), func(s *side) result {
		_, errno := s.call(unix.SYS_SHUTDOWN, s.fds[slot], how)
		return result{0, errno, ""}
	})
}

// drawBytes draws what is sent: little, for buffers are counted otherwise on Linux.
func drawBytes(t *rapid.T) []byte {
	n := rapid.IntRange(0, 12).Draw(t, "size")
	b := make([]byte, n)
	first := rapid.Byte().Draw(t, "first")
	for i := range b {
		b[i] = first + byte(i)
	}
	return b
}

var sendFlags = []int{0, 0, unix.MSG_NOSIGNAL, unix.MSG_DONTWAIT, unix.MSG_EOR}

func (p *socketPair) sendTo(t *rapid.T) {
	slot, b := p.slot(t), drawBytes(t)
	a := drawAddr(t, p.family(slot))
	flags := rapid.SampledFrom(sendFlags).Draw(t, "flags") | unix.MSG_NOSIGNAL
	p.step(t, fmt.Sprintf("sendto(%d, %d bytes, %#x, %s)", slot, len(b), flags, addrTextOf(a)), func(s *side) result {
		r1, errno := s.call(unix.SYS_SENDTO, s.fds[slot], b, len(b), flags, a, len(a))
		return result{r1, errno, ""}
	})
}

func (p *socketPair) sendToSlot(t *rapid.T) {
	slot, to, b := p.slot(t), p.slot(t), drawBytes(t)
	if p.base(to) == nil {
		return
	}
	p.step(t, fmt.Sprintf("sendto(%d, %d bytes, to %d)", slot, len(b), to), func(s *side) result {
		a := nameOf(s, to)
		r1, errno := s.call(unix.SYS_SENDTO, s.fds[slot], b, len(b), unix.MSG_NOSIGNAL, a, len(a))
		return result{r1, errno, addrTextOf(a)}
	})
}

func (p *socketPair) writeSome(t *rapid.T) {
	slot, b := p.slot(t), drawBytes(t)
	p.step(t, fmt.Sprintf("write(%d, %d bytes)", slot, len(b)), func(s *side) result {
		r1, errno := s.call(unix.SYS_WRITE, s.fds[slot], b, len(b))
		return result{r1, errno, ""}
	})
}

func (p *socketPair) readSome(t *rapid.T) {
	slot, n := p.slot(t), rapid.SampledFrom([]int{0, 1, 5, 100}).Draw(t, "size")
	p.step(t, fmt.Sprintf("read(%d, %d)", slot, n), func(s *side) result {
		b := make([]byte, n)
		r1, errno := s.call(unix.SYS_READ, s.fds[slot], b, n)
		return result{r1, errno, string(b)}
	})
}

var receiveFlags = []int{0, 0, unix.MSG_PEEK, unix.MSG_TRUNC, unix.MSG_PEEK | unix.MSG_TRUNC, unix.MSG_WAITALL, unix.MSG_DONTWAIT, unix.MSG_OOB, unix.MSG_ERRQUEUE}

// drawReceive draws the flags of a receipt, but not those that throw bytes of a TCP
// stream away.
func (p *socketPair) drawReceive(t *rapid.T, slot int) int {
	flags := rapid.SampledFrom(receiveFlags).Draw(t, "flags")
	if b := p.base(slot); b != nil && b.kind == unix.SOCK_STREAM && b.domain != unix.AF_UNIX {
		flags &^= unix.MSG_TRUNC
	}
	return flags
}

func (p *socketPair) receiveFrom(t *rapid.T) {
	slot, n := p.slot(t), rapid.SampledFrom([]int{0, 1, 5, 100}).Draw(t, "size")
	flags, room := p.drawReceive(t, slot), rapid.SampledFrom([]int{128, 128, 0, 10}).Draw(t, "room")
	p.step(t, fmt.Sprintf("recvfrom(%d, %d, %#x)", slot, n, flags), func(s *side) result {
		b, a, size := make([]byte, n), make([]byte, sizeofAddrMost), []byte{byte(room), 0, 0, 0}
		r1, errno := s.call(unix.SYS_RECVFROM, s.fds[slot], b, n, flags, a, size)
		text := string(b)
		if errno == 0 && room == sizeofAddrMost {
			text += " " + addrTextOf(a[:size[0]])
		}
		if errno == 0 {
			text += fmt.Sprintf(" %d", size[0])
		}
		return result{r1, errno, text}
	})
}

func (p *socketPair) names(t *rapid.T) {
	slot, nr := p.slot(t), rapid.SampledFrom([]uintptr{unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME}).Draw(t, "call")
	p.step(t, fmt.Sprintf("getsockname or getpeername %d(%d)", nr, slot), func(s *side) result {
		b, size := make([]byte, sizeofAddrMost), []byte{sizeofAddrMost, 0, 0, 0}
		_, errno := s.call(nr, s.fds[slot], b, size)
		if errno != 0 {
			return result{0, errno, ""}
		}
		return result{0, 0, addrTextOf(b[:size[0]])}
	})
}

func (p *socketPair) unreadOf(t *rapid.T) {
	if slot := p.slot(t); p.base(slot) != nil {
		p.step(t, fmt.Sprintf("ioctl(%d, FIONREAD)", slot), func(s *side) result {
			b := make([]byte, 4)
			r1, errno := s.call(unix.SYS_IOCTL, s.fds[slot], unix.TIOCINQ, b)
			return result{r1, errno, string(b)}
		})
	}
}

func (p *socketPair) unlink(t *rapid.T) {
	name := rapid.SampledFrom(unixPaths).Draw(t, "path")
	p.step(t, "unlink("+name+")", func(s *side) result {
		_, errno := s.call(unix.SYS_UNLINKAT, atCwd, name, 0)
		return result{0, errno, ""}
	})
}

// watchSocket is watch without the edges of writing, which Linux also tells of when
// there was room before.
func (p *socketPair) watchSocket(t *rapid.T) {
	e, slot := p.epollSlot(t), p.slot(t)
	op := rapid.IntRange(1, 4).Draw(t, "op")
	ev := uint32(rapid.SampledFrom([]int{0, unix.EPOLLIN, unix.EPOLLOUT, unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP}).Draw(t, "events"))
	ev |= rapid.SampledFrom([]uint32{0, 0, unix.EPOLLONESHOT}).Draw(t, "flags")
	p.step(t, fmt.Sprintf("epoll_ctl(%d, %d, %d, %#x)", e, op, slot, ev), func(s *side) result {
		x := &unix.EpollEvent{Events: ev, Fd: int32(slot), Pad: 77}
		_, errno := s.call(unix.SYS_EPOLL_CTL, s.fds[e], op, s.fds[slot], unsafe.Pointer(x))
		return result{0, errno, ""}
	})
}
