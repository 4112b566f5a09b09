package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// controlBytes is one control message.
func controlBytes(level, kind int, data []byte) []byte {
	b := make([]byte, controlAligned(sizeofCmsghdr+len(data)))
	*(*controlHeader)(unsafe.Pointer(&b[0])) = controlHeader{uint64(sizeofCmsghdr + len(data)), int32(level), int32(kind)}
	copy(b[sizeofCmsghdr:], data)
	return b
}

// control makes a drawn control message for a side.
type control struct {
	text string
	make func(s *side) []byte
}

// rightsOf passes the descriptors of slots.
func rightsOf(slots ...int) control {
	return control{fmt.Sprintf("rights %v", slots), func(s *side) []byte {
		var b []byte
		for _, slot := range slots {
			b = binary.NativeEndian.AppendUint32(b, uint32(s.fds[slot]))
		}
		return controlBytes(unix.SOL_SOCKET, unix.SCM_RIGHTS, b)
	}}
}

func (p *socketPair) drawControl(t *rapid.T) control {
	switch rapid.IntRange(0, 5).Draw(t, "control") {
	case 0, 1:
		var slots []int
		for range rapid.IntRange(0, 3).Draw(t, "rights") {
			slots = append(slots, p.slot(t))
		}
		return rightsOf(slots...)
	case 2:
		return control{"credentials", func(s *side) []byte {
			c := credentials{pid: s.pid(), uid: 7, gid: 8}.encode()
			return controlBytes(unix.SOL_SOCKET, unix.SCM_CREDENTIALS, c[:])
		}}
	case 3:
		level := rapid.SampledFrom([]int{unix.SOL_SOCKET, unix.IPPROTO_IP, unix.IPPROTO_IPV6, 77}).Draw(t, "level")
		return control{fmt.Sprintf("unknown of level %d", level), func(*side) []byte {
			return controlBytes(level, 99, make([]byte, 4))
		}}
	}
	return control{"none", func(*side) []byte { return nil }}
}

// pid is the number of the side's process.
func (s *side) pid() uint32 {
	if m, ok := s.caller.(*machineUnderTest); ok {
		return uint32(m.p.PID)
	}
	return uint32(syscall.Getpid())
}

func (p *socketPair) sendHeader(t *rapid.T) {
	slot, parts := p.slot(t), [][]byte{drawBytes(t), drawBytes(t)}
	p.sendHeaderAt(t, slot, parts, p.drawControl(t))
}

func (p *socketPair) sendHeaderAt(t rapid.TB, slot int, parts [][]byte, c control) {
	p.step(t, fmt.Sprintf("sendmsg(%d, %q, %s)", slot, parts, c.text), func(s *side) result {
		h, b := header(nil, parts...), c.make(s)
		if len(b) > 0 {
			h.Control, h.Controllen = &b[0], uint64(len(b))
		}
		r1, errno := s.call(unix.SYS_SENDMSG, s.fds[slot], unsafe.Pointer(h), unix.MSG_NOSIGNAL)
		return result{r1, errno, ""}
	})
}

func (p *socketPair) receiveHeader(t *rapid.T) {
	slot := p.slot(t)
	p.receiveHeaderAt(t, slot, receipt{
		size:    rapid.SampledFrom([]int{0, 1, 5, 100}).Draw(t, "size"),
		flags:   p.drawReceive(t, slot),
		control: rapid.SampledFrom([]int{0, 10, 16, 20, 24, 40, 200, 200}).Draw(t, "control"),
		named:   rapid.Bool().Draw(t, "named"),
	})
}

// receipt is what recvmsg is asked for: two buffers, of size and 3 bytes.
type receipt struct {
	size, flags int
	control     int // bytes of room
	named       bool
}

func (p *socketPair) receiveHeaderAt(t rapid.TB, slot int, r receipt) {
	flags := r.flags | unix.MSG_CMSG_CLOEXEC
	p.step(t, fmt.Sprintf("recvmsg(%d, %+v)", slot, r), func(s *side) result {
		one, two, ctl := make([]byte, r.size), make([]byte, 3), make([]byte, r.control)
		h := header(nil, one, two)
		name := make([]byte, sizeofAddrMost)
		if r.named {
			h.Name, h.Namelen = &name[0], sizeofAddrMost
		}
		if r.control > 0 {
			h.Control, h.Controllen = &ctl[0], uint64(r.control)
		}
		r1, errno := s.call(unix.SYS_RECVMSG, s.fds[slot], unsafe.Pointer(h), flags)
		if errno != 0 {
			return result{0, errno, ""}
		}
		text := fmt.Sprintf("%q %q flags %#x", one, two, h.Flags)
		if r.named {
			text += " from " + addrTextOf(name[:h.Namelen])
		}
		return result{r1, errno, text + p.controlText(s, ctl[:h.Controllen])}
	})
}

// controlText is control messages as text; the descriptors among them are kept.
func (p *socketPair) controlText(s *side, b []byte) string {
	var text strings.Builder
	fmt.Fprintf(&text, " control %d:", len(b))
	for len(b) >= sizeofCmsghdr {
		h := headerOf(b)
		data := b[sizeofCmsghdr:min(int(h.size), len(b))]
		fmt.Fprintf(&text, " %d/%d/%d", h.level, h.kind, h.size)
		switch {
		case h.level == unix.SOL_SOCKET && h.kind == unix.SCM_RIGHTS:
			for ; len(data) >= 4; data = data[4:] {
				s.fds = append(s.fds, uintptr(binary.NativeEndian.Uint32(data)))
			}
		case h.level == unix.SOL_SOCKET && h.kind == unix.SCM_CREDENTIALS && len(data) >= 4:
			fmt.Fprintf(&text, " own %v %x", binary.NativeEndian.Uint32(data) == s.pid(), data[4:])
		default:
			fmt.Fprintf(&text, " %x", data)
		}
		b = b[min(controlAligned(int(h.size)), len(b)):]
	}
	return text.String()
}

// socketOptions are those that are set and read.
var socketOptions = []option{
	{unix.SOL_SOCKET, unix.SO_REUSEADDR}, {unix.SOL_SOCKET, unix.SO_REUSEADDR}, {unix.SOL_SOCKET, unix.SO_REUSEPORT},
	{unix.SOL_SOCKET, unix.SO_KEEPALIVE}, {unix.SOL_SOCKET, unix.SO_BROADCAST}, {unix.SOL_SOCKET, unix.SO_PASSCRED},
	{unix.SOL_SOCKET, unix.SO_PASSCRED}, {unix.SOL_SOCKET, unix.SO_TYPE}, {unix.SOL_SOCKET, unix.SO_DOMAIN},
	{unix.SOL_SOCKET, unix.SO_PROTOCOL}, {unix.SOL_SOCKET, unix.SO_ACCEPTCONN}, {unix.SOL_SOCKET, unix.SO_LINGER},
	{unix.SOL_SOCKET, unix.SO_RCVTIMEO}, {unix.SOL_SOCKET, unix.SO_SNDTIMEO}, {unix.SOL_SOCKET, unix.SO_OOBINLINE},
	{unix.SOL_SOCKET, unix.SO_PRIORITY}, {unix.SOL_SOCKET, unix.SO_MARK}, {unix.SOL_SOCKET, unix.SO_DONTROUTE},
	{unix.SOL_SOCKET, unix.SO_BINDTODEVICE}, {unix.SOL_SOCKET, unix.SO_PEERCRED}, {unix.SOL_SOCKET, 9999},
	{unix.SOL_SOCKET, unix.SO_SNDLOWAT},
	{unix.IPPROTO_TCP, unix.TCP_NODELAY}, {unix.IPPROTO_TCP, unix.TCP_KEEPIDLE}, {unix.IPPROTO_TCP, unix.TCP_KEEPINTVL},
	{unix.IPPROTO_TCP, unix.TCP_KEEPCNT}, {unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT}, {unix.IPPROTO_TCP, unix.TCP_DEFER_ACCEPT},
	{unix.IPPROTO_TCP, unix.TCP_SYNCNT}, {unix.IPPROTO_TCP, unix.TCP_CORK}, {unix.IPPROTO_TCP, 9999},
	{unix.IPPROTO_IP, unix.IP_TOS}, {unix.IPPROTO_IP, unix.IP_TTL}, {unix.IPPROTO_IP, unix.IP_RECVERR},
	{unix.IPPROTO_IP, unix.IP_MTU_DISCOVER}, {unix.IPPROTO_IP, unix.IP_PKTINFO}, {unix.IPPROTO_IP, unix.IP_PKTINFO},
	{unix.IPPROTO_IP, unix.IP_RECVTTL}, {unix.IPPROTO_IP, unix.IP_MULTICAST_LOOP}, {unix.IPPROTO_IP, unix.IP_MULTICAST_TTL},
	{unix.IPPROTO_IP, unix.IP_RECVTOS}, {unix.IPPROTO_IP, 9999},
	{unix.IPPROTO_IPV6, unix.IPV6_V6ONLY}, {unix.IPPROTO_IPV6, unix.IPV6_V6ONLY}, {unix.IPPROTO_IPV6, unix.IPV6_RECVPKTINFO},
	{unix.IPPROTO_IPV6, unix.IPV6_RECVPKTINFO}, {unix.IPPROTO_IPV6, unix.IPV6_UNICAST_HOPS}, {unix.IPPROTO_IPV6, unix.IPV6_TCLASS},
	{unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_LOOP}, {unix.IPPROTO_IPV6, unix.IPV6_RECVHOPLIMIT}, {unix.IPPROTO_IPV6, 9999},
}

// drawOption draws an option, of the slot's own levels more often.
func (p *socketPair) drawOption(t *rapid.T) (slot int, o option) {
	return p.slot(t), rapid.SampledFrom(socketOptions).Draw(t, "option")
}

func (p *socketPair) setOption(t *rapid.T) {
	slot, o := p.drawOption(t)
	size := rapid.SampledFrom([]int{4, 4, 4, 16, 8, 3, 1, 0}).Draw(t, "size")
	b := make([]byte, 16)
	n := rapid.SampledFrom([]int{0, 1, 1, 1, 2, 5, 64, 200, -1}).Draw(t, "value")
	binary.NativeEndian.PutUint32(b, uint32(n))
	if o.name == unix.SO_RCVTIMEO || o.name == unix.SO_SNDTIMEO {
		binary.NativeEndian.PutUint64(b, uint64(n))
		binary.NativeEndian.PutUint64(b[8:], rapid.SampledFrom([]uint64{0, 0, 500_000, 1_000_000}).Draw(t, "µs"))
	}
	if o == (option{unix.SOL_SOCKET, unix.SO_BINDTODEVICE}) {
		b, size = []byte(rapid.SampledFrom([]string{"lo\x00", "\x00", "nosuch\x00"}).Draw(t, "device")), 16
		b = append(b, make([]byte, 16)...)
	}
	p.step(t, fmt.Sprintf("setsockopt(%d, %v, %d, %d)", slot, o, n, size), func(s *side) result {
		r1, errno := s.call(unix.SYS_SETSOCKOPT, s.fds[slot], o.level, o.name, b, size)
		return result{r1, errno, ""}
	})
}

func (p *socketPair) getOption(t *rapid.T) {
	slot, o := p.drawOption(t)
	room := rapid.SampledFrom([]int{4, 4, 16, 20, 3, 1, 0}).Draw(t, "room")
	p.step(t, fmt.Sprintf("getsockopt(%d, %v, %d)", slot, o, room), func(s *side) result {
		b, size := make([]byte, 32), []byte{byte(room), 0, 0, 0}
		r1, errno := s.call(unix.SYS_GETSOCKOPT, s.fds[slot], o.level, o.name, b, size)
		if errno != 0 {
			return result{0, errno, ""}
		}
		if o == (option{unix.SOL_SOCKET, unix.SO_PEERCRED}) {
			pid := binary.NativeEndian.AppendUint32(nil, s.pid())
			if cut := pid[:min(room, 4)]; bytes.HasPrefix(b, cut) {
				copy(b, "self"[:len(cut)])
			}
		}
		return result{r1, errno, fmt.Sprintf("%d %q", size[0], b)}
	})
}
