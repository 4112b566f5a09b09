package net

import "strings"

// Ready says what can be done with a socket without waiting, as poll would.
type Ready uint8

// The bits of Ready.
const (
	Readable   Ready = 1 << iota // data, a connection to accept, the end or an error
	Writable                     // room to send, or an error
	PeerClosed                   // the peer sends no more: EPOLLRDHUP
	HangUp                       // neither direction is open: EPOLLHUP
	Failed                       // an error waits: EPOLLERR
)

func (r Ready) String() string {
	var names []string
	for i, name := range []string{"readable", "writable", "peer closed", "hang-up", "failed"} {
		if r&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Ready returns what the socket is ready for.
func (s *Socket) Ready() Ready {
	r := Ready(0)
	if s.proto == UDP {
		r = s.readyDatagrams()
	} else {
		r = s.readyStream()
	}
	if s.err != 0 && s.state != Listen {
		r |= Failed
	}
	return r
}

func (s *Socket) readyStream() Ready {
	if s.state == Listen {
		if len(s.backlog) > 0 {
			return Readable
		}
		return 0
	}
	if s.state == SynSent || s.state == SynReceived {
		return 0
	}
	r := Ready(0)
	if s.recvShut {
		r |= Readable | PeerClosed
	}
	if s.recvq.size > 0 {
		r |= Readable
	}
	if s.sendShut || s.charged <= s.opt.SendBuffer*2/3 {
		r |= Writable
	}
	if s.recvShut && s.sendShut || s.state == Closed {
		r |= HangUp
	}
	return r
}

// rise notes that the socket's watcher is to be told of r.
func (s *Socket) rise(r Ready) {
	if s.watcher == nil {
		return
	}
	s.rose |= r
	if !s.queued {
		s.queued = true
		s.net.rising = append(s.net.rising, s)
	}
}

// tellWatchers tells of all readiness that rose, in that order. A watcher's calls
// may have more rise, which is told of too.
func (n *Network) tellWatchers() {
	if n.telling {
		return
	}
	n.telling = true
	for i := 0; i < len(n.rising); i++ {
		s := n.rising[i]
		r := s.rose
		s.rose, s.queued = 0, false
		if s.watcher != nil && r != 0 {
			s.watcher.SocketReady(s, r)
		}
	}
	clear(n.rising)
	n.rising = n.rising[:0]
	n.telling = false
}
