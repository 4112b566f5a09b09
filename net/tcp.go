package net

import (
	"net/netip"
	"syscall"
	"time"
)

// State is the state of a TCP socket, by RFC 9293.
type State uint8

// The states. In time-wait is only what nobody owns any more: a socket that comes to
// it is closed, and leaves its addresses to another.
const (
	Closed State = iota
	Listen
	SynSent
	SynReceived
	Established
	FinWait1
	FinWait2
	CloseWait
	Closing
	LastAck
	TimeWait
)

func (s State) String() string {
	return [...]string{
		"closed", "listen", "syn-sent", "syn-received", "established", "fin-wait-1",
		"fin-wait-2", "close-wait", "closing", "last-ack", "time-wait",
	}[s]
}

// phase is how far Connect has come, as its caller was told.
type phase uint8

const (
	unconnected phase = iota
	connecting
	connected     // Connect has told so, or Accept
	disconnecting // shut down before Connect has told the outcome
)

// connected reports whether a connection exists or is being made.
func (s State) connected() bool { return s >= SynSent && s < TimeWait }

// tcp is what a TCP socket has besides what every socket has. Sequence numbers
// start at 0 with SYN, so that the first byte is 1, and do not wrap: a
// connection's number in each packet does what random initial numbers do.
//
// There is no congestion control, no fast retransmission and no delayed
// acknowledgement: every segment in order is acknowledged at once, and what is lost
// is sent again when its timer fires.
type tcp struct {
	phase    phase
	state    State
	conn     uint64
	peerHost HostID

	// What is sent: una <= nxt; edge is how far the peer's window lets us send.
	una, nxt, edge int64
	sendq          segmentQueue // from una on
	unsent         int          // index in sendq of the first not sent yet
	end            int64        // the sequence number after all of sendq
	charged        int          // bytes that sendq counts in the send buffer
	sendShut       bool         // a FIN is in sendq, or the connection is over
	full           bool         // a Send found no room since the socket was last writable

	// Round trips and what follows from them.
	srtt, rttvar, rto time.Duration
	backoff           int   // times that rto has doubled
	resent            int   // segments sent again, ever
	tries             int   // timeouts since the peer was last heard of
	progress          int64 // when the peer last acknowledged something new
	shutSince         int64 // since when the peer's window has been shut; 0 if it is not
	stalledSince      int64 // what UserTimeout counts from
	recover           int64 // what was sent before this is sent again after the next ACK

	// What is received: rcv is the next number in order, advertised the edge of the
	// window that the peer was told of, early what came out of order, by number.
	rcv, advertised int64
	recvq           ring
	early           []*packet
	finSeen         bool
	recvShut        bool

	// A listener's: connections that are ready to be accepted, and half-open ones.
	backlog    []*Socket
	halfOpen   []*Socket
	backlogMax int
	listener   *Socket // of a connection not accepted yet

	retransmit timer // also of the closed window's probes
	life       timer // keepalive, or the end of FIN-WAIT-2 or TIME-WAIT
	heard      int64 // when the peer was last heard of
	probes     int   // of keepalive without an answer
}

func (s *Socket) initTimers() {
	s.retransmit = timer{sock: s, run: (*Socket).onRetransmit}
	s.life = timer{sock: s, run: (*Socket).onLife}
}

// segmentQueue is a queue of segments whose front is taken often.
type segmentQueue struct {
	segs []*segment
	head int
}

func (q *segmentQueue) len() int          { return len(q.segs) - q.head }
func (q *segmentQueue) at(i int) *segment { return q.segs[q.head+i] }
func (q *segmentQueue) last() *segment    { return q.segs[len(q.segs)-1] }
func (q *segmentQueue) push(g *segment)   { q.segs = append(q.segs, g) }

func (q *segmentQueue) pop() *segment {
	g := q.segs[q.head]
	q.segs[q.head] = nil
	q.head++
	if q.head == len(q.segs) {
		q.segs, q.head = q.segs[:0], 0
	} else if q.head >= 32 && q.head*2 >= len(q.segs) {
		n := copy(q.segs, q.segs[q.head:])
		clear(q.segs[n:])
		q.segs, q.head = q.segs[:n], 0
	}
	return g
}

// insert puts g after the i-th segment.
func (q *segmentQueue) insert(i int, g *segment) {
	q.segs = append(q.segs, nil)
	at := q.head + i + 1
	copy(q.segs[at+1:], q.segs[at:])
	q.segs[at] = g
}

// newConn numbers a connection that h makes.
func (h *host) newConn() uint64 {
	h.made++
	return uint64(h.id+1)<<40 | h.made
}

// Connecting answers Connect of a stream whatever the address is, unless the socket
// is idle, so that it could connect.
func (s *Socket) Connecting() (errno syscall.Errno, idle bool) {
	switch {
	case s.phase == connecting:
		return s.connectOutcome(), false
	case s.phase == disconnecting:
		return syscall.EINVAL, false
	case s.phase == connected || s.state != Closed:
		return syscall.EISCONN, false
	}
	return 0, true
}

func (s *Socket) connectStream(to netip.AddrPort) syscall.Errno {
	if errno, idle := s.Connecting(); !idle {
		return errno
	}
	dst, errno := s.reachable(to.Addr())
	if s.net.toMany(to.Addr()) {
		errno = syscall.ENETUNREACH
	}
	if errno != 0 {
		return errno
	}
	if errno := s.bindFor(to); errno != 0 {
		return errno
	}
	if other := s.host.conns[tuple{s.local, to}]; other != nil {
		if !other.waiting() {
			return syscall.EADDRNOTAVAIL
		}
		other.forget()
	}
	s.peer, s.err = to, 0
	s.phase = connecting
	s.open(s.host.newConn(), SynSent)
	s.peerHost = dst.id
	s.push(SYN)
	s.output()
	return syscall.EINPROGRESS
}

// connectOutcome answers Connect once the connection is being made.
func (s *Socket) connectOutcome() syscall.Errno {
	switch s.state {
	case SynSent, SynReceived:
		return syscall.EALREADY
	case Closed:
		errno := s.Err()
		if errno == 0 {
			errno = syscall.ECONNABORTED
		}
		s.disconnectStream()
		s.err = 0
		return errno
	}
	s.phase = connected
	return 0
}

// open starts a connection whose addresses are set.
func (s *Socket) open(conn uint64, state State) {
	s.conn, s.state = conn, state
	s.una, s.nxt, s.end, s.edge = 0, 0, 0, 1
	s.rcv, s.advertised = 0, 0
	s.finSeen = false
	s.rto, s.srtt, s.rttvar = rtoFirst, 0, 0
	s.backoff, s.tries, s.resent, s.recover = 0, 0, 0, 0
	s.progress, s.shutSince = 0, 0
	s.heard = s.net.now
	s.host.conns[tuple{s.local, s.peer}] = s
}

// Listen has the socket take connections: up to backlog+1 wait to be accepted.
// Its errors are EINVAL and EADDRINUSE.
func (s *Socket) Listen(backlog int) syscall.Errno {
	if s.proto != TCP {
		return syscall.EOPNOTSUPP
	}
	if s.gone || s.state != Closed && s.state != Listen {
		return syscall.EINVAL
	}
	if s.phase != unconnected {
		return syscall.EINVAL
	}
	if s.Autobind() != 0 || s.state == Closed && s.host.ports[port{TCP, s.local.Port()}].conflicts(s, s.span()) {
		return syscall.EADDRINUSE
	}
	if backlog < 0 {
		backlog = backlogMax
	}
	s.backlogMax = min(backlog, backlogMax)
	s.state = Listen
	return 0
}

// Accept returns the connection that waits longest; its errors are EAGAIN, and
// EINVAL if the socket does not listen.
func (s *Socket) Accept() (*Socket, syscall.Errno) {
	if s.state != Listen {
		return nil, syscall.EINVAL
	}
	if len(s.backlog) == 0 {
		return nil, syscall.EAGAIN
	}
	c := s.backlog[0]
	n := copy(s.backlog, s.backlog[1:])
	s.backlog[n] = nil
	s.backlog = s.backlog[:n]
	c.listener = nil
	c.phase = connected
	return c, 0
}

// Send queues bytes to be sent and returns how many found room; its errors are
// EAGAIN, what Err would return, and EPIPE.
func (s *Socket) Send(b []byte) (int, syscall.Errno) {
	if s.proto == UDP {
		return s.sendConnected(b)
	}
	switch {
	case s.err != 0:
		return 0, s.Err()
	case s.sendShut || s.state == Closed || s.state == Listen:
		return 0, syscall.EPIPE
	case s.state == SynSent || s.state == SynReceived:
		s.full = true
		return 0, syscall.EAGAIN
	}
	n := 0
	for n < len(b) && s.charged < s.opt.SendBuffer {
		n += s.enqueue(b[n:])
	}
	if n == 0 && len(b) > 0 {
		s.full = true
		return 0, syscall.EAGAIN
	}
	s.output()
	return n, 0
}

// Recv takes received bytes; 0 and no error is the peer's end. Its errors are
// EAGAIN, what Err would return, and ENOTCONN.
func (s *Socket) Recv(b []byte) (int, syscall.Errno) {
	if s.proto == UDP {
		d, errno := s.RecvFrom(b)
		return d.N, errno
	}
	if n, done, errno := s.recvNothing(len(b)); done {
		return n, errno
	}
	n := s.recvq.read(&s.net.pool, b)
	s.openWindow()
	return n, 0
}

// Peek is Recv that takes nothing away.
func (s *Socket) Peek(b []byte) (int, syscall.Errno) {
	if n, done, errno := s.recvNothing(len(b)); done {
		return n, errno
	}
	return s.recvq.peek(b), 0
}

// recvNothing answers a Recv when no byte is there.
func (s *Socket) recvNothing(want int) (n int, done bool, errno syscall.Errno) {
	switch {
	case s.state == Listen:
		return 0, true, syscall.ENOTCONN
	case s.recvq.size > 0:
		return 0, want == 0, 0
	case s.finSeen:
		return 0, true, 0
	case s.err != 0:
		return 0, true, s.Err()
	case s.recvShut:
		return 0, true, 0
	case s.state == Closed:
		return 0, true, syscall.ENOTCONN
	}
	return 0, true, syscall.EAGAIN
}

// Buffered returns how many bytes are there to be read.
func (s *Socket) Buffered() int {
	if s.proto == UDP {
		return s.datagrams.firstSize()
	}
	return s.recvq.size
}

// Unsent returns how many bytes were sent and not acknowledged.
func (s *Socket) Unsent() int { return int(s.end - s.una) }

// Listening reports whether the socket takes connections.
func (s *Socket) Listening() bool { return s.state == Listen }

// State returns the state of a TCP socket.
func (s *Socket) State() State { return s.state }
