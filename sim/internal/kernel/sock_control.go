package kernel

import (
	"encoding/binary"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// passed is what a message passes besides its bytes.
type passed struct {
	rights []*description // each counted as one more reference
	creds  credentials
	vouch  bool // creds were given by a control message
}

// credentials are a struct ucred. All processes are root's.
type credentials struct{ pid, uid, gid uint32 }

const sizeofUcred = unix.SizeofUcred

// nobody are the credentials where there is no peer, unknown those of who was not asked.
var (
	nobody  = credentials{0, ^uint32(0), ^uint32(0)}
	unknown = credentials{0, 65534, 65534}
)

func credentialsOf(p *Process) credentials { return credentials{pid: uint32(p.PID)} }

func (c credentials) encode() (b [sizeofUcred]byte) {
	binary.NativeEndian.PutUint32(b[:], c.pid)
	binary.NativeEndian.PutUint32(b[4:], c.uid)
	binary.NativeEndian.PutUint32(b[8:], c.gid)
	return b
}

// drop gives back the descriptors that nobody took.
func (s *passed) drop(k *Kernel) {
	list := s.rights
	*s = passed{} // collectUnix may look while they go
	for _, d := range list {
		k.release(d)
	}
}

const (
	sizeofCmsghdr = unix.SizeofCmsghdr
	rightsMost    = 253 // descriptors of one message
)

// controlHeader is a struct cmsghdr.
type controlHeader struct {
	size        uint64
	level, kind int32
}

func headerOf(cm []byte) controlHeader { return *(*controlHeader)(unsafe.Pointer(&cm[0])) }

func controlAligned(n int) int { return (n + 7) &^ 7 }

// readControl reads the control messages of one that is sent.
func (m *message) readControl() syscall.Errno {
	m.scm = passed{}
	if m.header == nil || m.done > 0 {
		return 0
	}
	b := bytesAt(addressOf(m.header.Control), uintptr(m.header.Controllen))
	for len(b) >= sizeofCmsghdr {
		h := headerOf(b)
		if h.size < sizeofCmsghdr || h.size > uint64(len(b)) {
			return syscall.EINVAL
		}
		if errno := m.o.sendControl(m, b[:h.size]); errno != 0 {
			return errno
		}
		b = b[min(controlAligned(int(h.size)), len(b)):]
	}
	return 0
}

// controlWriter writes control messages to the caller's memory.
type controlWriter struct {
	b    []byte
	n    int  // bytes written
	none bool // there is no buffer
	cut  bool // something did not fit
}

// put writes one control message, cut to the room that there is.
func (w *controlWriter) put(level, kind int, data []byte) {
	room := w.b[w.n:]
	if w.none || len(room) < sizeofCmsghdr {
		w.cut = true
		return
	}
	size := sizeofCmsghdr + len(data)
	if size > len(room) {
		w.cut = true
		size = len(room)
	}
	*(*controlHeader)(unsafe.Pointer(&room[0])) = controlHeader{uint64(size), int32(level), int32(kind)}
	copy(room[sizeofCmsghdr:size], data)
	w.n += min(controlAligned(size), len(room))
}

func (w *controlWriter) number(level, kind, value int) {
	var b [4]byte
	binary.NativeEndian.PutUint32(b[:], uint32(value))
	w.put(level, kind, b[:])
}

// rights gives the process as many of the descriptors that were passed as there is
// room for; the others close.
func (w *controlWriter) rights(m *message) {
	list := m.scm.rights
	if len(list) == 0 {
		return
	}
	fit := 0
	if room := len(w.b) - w.n - sizeofCmsghdr; !w.none && room > 0 {
		fit = min(room/4, len(list))
	}
	for fit > 0 && !m.p.room(fit) {
		fit--
	}
	if fit > 0 {
		b := make([]byte, 4*fit)
		for i, d := range list[:fit] {
			fd := m.p.free(0)
			m.p.put(d, fd)
			d.refs-- // what put counted was counted when it was sent
			m.p.fds[fd].cloexec = m.flags&unix.MSG_CMSG_CLOEXEC != 0
			binary.NativeEndian.PutUint32(b[4*i:], uint32(fd))
		}
		w.put(syscall.SOL_SOCKET, syscall.SCM_RIGHTS, b)
	}
	m.scm.rights = list[fit:]
	w.cut = w.cut || fit < len(list)
}

// unixControl takes a control message that is sent through a Unix socket.
func (m *message) unixControl(cm []byte) syscall.Errno {
	h, data := headerOf(cm), cm[sizeofCmsghdr:]
	if h.level != syscall.SOL_SOCKET {
		return 0
	}
	switch h.kind {
	case syscall.SCM_RIGHTS:
		return m.passRights(data)
	case syscall.SCM_CREDENTIALS:
		if len(data) != sizeofUcred {
			return syscall.EINVAL
		}
		m.scm.creds = *(*credentials)(unsafe.Pointer(&data[0]))
		m.scm.vouch = true
		if m.scm.creds.pid != uint32(m.p.PID) && m.o.base().k.byPID(m.p.Host, int(m.scm.creds.pid)) == nil {
			return syscall.ESRCH
		}
		return 0
	}
	return syscall.EINVAL
}

func (m *message) passRights(data []byte) syscall.Errno {
	n := len(data) / 4
	if n+len(m.scm.rights) > rightsMost {
		return syscall.EINVAL
	}
	for i := range n {
		d := m.p.fd(uintptr(binary.NativeEndian.Uint32(data[4*i:])))
		if d == nil {
			return syscall.EBADF
		}
		m.scm.rights = append(m.scm.rights, d)
	}
	return 0
}

// sendControl knows the packet information of IPv4 and IPv6, which says what address
// a datagram comes from.
func (o *socket) sendControl(m *message, cm []byte) syscall.Errno {
	h, data := headerOf(cm), cm[sizeofCmsghdr:]
	if h.level == syscall.SOL_SOCKET && h.kind != syscall.SCM_RIGHTS && h.kind != syscall.SCM_CREDENTIALS {
		return syscall.EINVAL // none of them has a meaning here
	}
	if !o.datagrams() || h.level == syscall.SOL_SOCKET {
		return 0
	}
	switch which := (option{int(h.level), int(h.kind)}); {
	case which == option{unix.IPPROTO_IPV6, unix.IPV6_PKTINFO} && o.domain == syscall.AF_INET6:
		if len(data) < unix.SizeofInet6Pktinfo {
			return syscall.EINVAL
		}
		m.source = addr16(data[:16]).Unmap()
	case which.level == unix.IPPROTO_IPV6 && !m.toIPv4:
		if which.name != unix.IPV6_HOPLIMIT && which.name != unix.IPV6_TCLASS {
			return syscall.EINVAL
		}
	case which == option{unix.IPPROTO_IP, unix.IP_PKTINFO} && m.toIPv4:
		if len(data) != unix.SizeofInet4Pktinfo {
			return syscall.EINVAL
		}
		m.source = addr4(data[4:8])
	case which.level == unix.IPPROTO_IP && m.toIPv4:
		if which.name != unix.IP_TTL && which.name != unix.IP_TOS {
			return syscall.EINVAL
		}
	case which.level == unix.IPPROTO_UDP:
		return syscall.EINVAL // UDP_SEGMENT among them
	}
	return 0
}

// writeControl tells where a datagram was sent to, if the socket asked for it.
func (o *socket) writeControl(m *message, w *controlWriter) {
	if !o.datagrams() || !m.named {
		return
	}
	to := m.datagram.To.Addr()
	if to.Is4() && o.get(optPktinfo4) != 0 {
		var b [unix.SizeofInet4Pktinfo]byte
		ip := to.As4()
		binary.NativeEndian.PutUint32(b[:], uint32(m.datagram.At))
		copy(b[4:], ip[:])
		copy(b[8:], ip[:])
		w.put(unix.IPPROTO_IP, unix.IP_PKTINFO, b[:])
	}
	if to.Is4() && o.get(optRecvTTL) != 0 {
		w.number(unix.IPPROTO_IP, unix.IP_TTL, hopLimit)
	}
	if to.Is4() && o.get(optRecvTOS) != 0 {
		w.put(unix.IPPROTO_IP, unix.IP_TOS, []byte{0})
	}
	if o.domain == syscall.AF_INET6 && o.get(optPktinfo6) != 0 {
		var b [unix.SizeofInet6Pktinfo]byte
		ip := to.As16()
		copy(b[:], ip[:])
		binary.NativeEndian.PutUint32(b[16:], uint32(m.datagram.At))
		w.put(unix.IPPROTO_IPV6, unix.IPV6_PKTINFO, b[:])
	}
	if to.Is6() && o.get(optRecvHops) != 0 {
		w.number(unix.IPPROTO_IPV6, unix.IPV6_HOPLIMIT, hopLimit)
	}
	if to.Is6() && o.get(optRecvClass) != 0 {
		w.number(unix.IPPROTO_IPV6, unix.IPV6_TCLASS, 0)
	}
}
