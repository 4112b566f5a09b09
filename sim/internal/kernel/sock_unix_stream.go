package kernel

import (
	"syscall"
)

// unixStream is the bytes that a stream socket has received. Bytes of one writer are
// one run, but those that descriptors came with are a run of their own: a call that
// received descriptors ends with the run.
type unixStream struct {
	bytes byteQueue
	runs  []unixRun
}

type unixRun struct {
	end    uint // of the bytes ever put, the first after the run
	scm    passed
	charge int // in the sender's buffer
}

func (q *unixStream) size() int { return q.bytes.size() }

// sendMost is how much of a stream's bytes Linux puts in one piece at most.
func (o *unixSocket) sendMost() int { return int(usual(o.sendBuffer))/2 - 64 }

func (o *unixSocket) write(_ *Kernel, d *description, b []byte) (int, syscall.Errno) {
	return o.send(&message{p: o.maker, d: d}, b)
}

func (o *unixSocket) read(_ *Kernel, d *description, b []byte) (int, syscall.Errno) {
	if len(b) == 0 {
		return 0, 0
	}
	m := &message{d: d}
	n, errno := o.receive(m, b)
	m.scm.drop(o.k)
	return n, errno
}

func (o *unixSocket) send(m *message, b []byte) (int, syscall.Errno) {
	if o.kind == syscall.SOCK_SEQPACKET {
		switch {
		case o.err != 0:
			return 0, o.takeError()
		case o.state != unixConnected:
			return 0, syscall.ENOTCONN
		}
	}
	if errno := m.readControl(); errno != 0 {
		return 0, errno
	}
	if o.kind != syscall.SOCK_STREAM {
		return o.sendPacket(m, b)
	}
	switch {
	case m.to.size != 0 && o.state == unixConnected:
		return 0, syscall.EISCONN
	case m.to.size != 0:
		return 0, syscall.EOPNOTSUPP
	case o.peer == nil:
		return 0, syscall.ENOTCONN
	case o.sendShut:
		return 0, syscall.EPIPE
	}
	return o.sendStream(m, b)
}

func (o *unixSocket) sendStream(m *message, b []byte) (int, syscall.Errno) {
	n := 0
	for n < len(b) {
		piece := b[n:min(len(b), n+o.sendMost())]
		if errno := o.mayCharge(); errno != 0 {
			return partOf(n, errno)
		}
		if o.peer.closed || o.peer.recvShut {
			return partOf(n, syscall.EPIPE)
		}
		o.vouch(m, o.peer)
		charge := charged(len(piece), linearStream)
		o.charged += charge
		o.peer.put(piece, m.scm, charge)
		m.scm.rights = nil
		n += len(piece)
		o.peer.wake(o.k, readable)
	}
	return n, 0
}

func partOf(n int, errno syscall.Errno) (int, syscall.Errno) {
	if n > 0 {
		return n, 0
	}
	return 0, errno
}

// mayCharge says why nothing can be sent now.
func (o *unixSocket) mayCharge() syscall.Errno {
	switch {
	case o.err != 0:
		return o.takeError()
	case o.sendShut:
		return syscall.EPIPE
	case o.charged >= int(usual(o.sendBuffer)):
		return syscall.EAGAIN
	}
	return 0
}

// vouch fills in the sender's credentials, if one of both ends asks for them.
func (o *unixSocket) vouch(m *message, to *unixSocket) {
	switch {
	case m.scm.vouch:
	case o.passCreds, to.passCreds:
		m.scm.creds = credentialsOf(m.p)
	default:
		m.scm.creds = unknown
	}
}

func (o *unixSocket) put(b []byte, scm passed, charge int) {
	if scm.rights != nil {
		o.carry()
	}
	q := &o.stream
	q.bytes.most = q.bytes.size() + len(b)
	q.bytes.put(b)
	for _, d := range scm.rights {
		d.refs++
	}
	if n := len(q.runs); n > 0 && scm.rights == nil && q.runs[n-1].scm.rights == nil &&
		!q.runs[n-1].scm.vouch && q.runs[n-1].scm.creds == scm.creds {
		q.runs[n-1].end = q.bytes.last
		q.runs[n-1].charge += charge
		return
	}
	q.runs = append(q.runs, unixRun{end: q.bytes.last, scm: scm, charge: charge})
}

func (o *unixSocket) receive(m *message, b []byte) (int, syscall.Errno) {
	if o.kind != syscall.SOCK_STREAM {
		return o.receivePacket(m, b)
	}
	switch {
	case o.state != unixConnected:
		return 0, syscall.EINVAL
	case m.flags&syscall.MSG_OOB != 0:
		return 0, syscall.EINVAL // there never is any
	case o.stream.size() > 0:
	case o.err != 0:
		return 0, o.takeError()
	case o.recvShut:
		return 0, 0
	default:
		return 0, syscall.EAGAIN
	}
	m.from, m.named = o.peer.localAddr(), o.peer.name != ""
	if m.flags&syscall.MSG_PEEK != 0 {
		return o.stream.peek(m, b, o.passCreds), 0
	}
	n := 0
	for first := true; first || n < len(b) && len(o.stream.runs) > 0; first = false {
		r := &o.stream.runs[0]
		if n > 0 && o.passCreds && r.scm.creds != m.scm.creds {
			break
		}
		left := int(r.end - o.stream.bytes.first)
		got := o.stream.bytes.take(b[n:min(len(b), n+left)])
		n += got
		m.scm.creds = r.scm.creds
		if r.scm.rights != nil {
			m.scm.rights, r.scm.rights = r.scm.rights, nil
		}
		freed := r.charge * got / left
		r.charge -= freed
		if got == left {
			o.stream.pop()
		}
		o.peer.uncharge(freed)
		if m.scm.rights != nil {
			break
		}
	}
	if m.flags&syscall.MSG_WAITALL != 0 && n < len(b) {
		o.err = 0 // it would be the answer if nothing had come
	}
	m.length = n
	return n, 0
}

func (q *unixStream) pop() {
	n := copy(q.runs, q.runs[1:])
	q.runs[n] = unixRun{}
	q.runs = q.runs[:n]
}

// peek copies what receive would receive, and counts its descriptors once more.
func (q *unixStream) peek(m *message, b []byte, creds bool) int {
	n := 0
	for i := range q.runs {
		r := &q.runs[i]
		if i > 0 && (n == len(b) || creds && r.scm.creds != m.scm.creds) {
			break
		}
		m.scm.creds = r.scm.creds
		n = min(len(b), int(r.end-q.bytes.first))
		if r.scm.rights != nil {
			m.scm.rights = r.scm.again()
			break
		}
	}
	m.length = q.bytes.peek(b[:n])
	return n
}

// again returns the descriptors that were passed, counted once more.
func (s *passed) again() []*description {
	for _, d := range s.rights {
		d.refs++
	}
	return append([]*description(nil), s.rights...)
}

// drop throws away what nobody will read.
func (q *unixStream) drop(o *unixSocket) {
	for i := range q.runs {
		q.runs[i].scm.drop(o.k)
		o.peer.uncharge(q.runs[i].charge)
	}
	*q = unixStream{}
}

func (o *unixSocket) sendControl(m *message, cm []byte) syscall.Errno { return m.unixControl(cm) }

func (o *unixSocket) writeControl(m *message, w *controlWriter) {
	end := m.scm.creds == credentials{}
	if o.passCreds && (!end || o.kind == syscall.SOCK_STREAM) {
		c := m.scm.creds.encode()
		w.put(syscall.SOL_SOCKET, syscall.SCM_CREDENTIALS, c[:])
	}
	w.rights(m)
}
