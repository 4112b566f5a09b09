package net

import (
	"net/netip"
	"time"
)

// ConnInfo describes a TCP socket, as ss would.
type ConnInfo struct {
	Conn        uint64 // 0 for a listener
	State       State
	Local, Peer netip.AddrPort
	Unread      int // bytes received that the owner has not read
	Unacked     int // bytes and control bits sent, or to be sent, that have no answer
	Tries       int // timeouts since the peer was last heard of
	Orphan      bool
}

// Conns returns the TCP sockets of a host, in the order in which they got their
// ports.
func (n *Network) Conns(h HostID) []ConnInfo {
	var out []ConnInfo
	for s := n.hosts[h].first; s != nil; s = s.nextSock {
		if s.proto != TCP {
			continue
		}
		out = append(out, ConnInfo{
			Conn: s.conn, State: s.state, Local: s.local, Peer: s.peer,
			Unread: s.recvq.size, Unacked: int(s.end - s.una), Tries: s.tries, Orphan: s.gone,
		})
	}
	return out
}

// Info is what a TCP socket has measured, as TCP_INFO would tell it.
type Info struct {
	State            State
	Tries, Backoff   int // timeouts since the peer was last heard of
	RTO, RTT, RTTVar time.Duration
	Segments         int   // sent, without an answer
	Unsent           int   // bytes not sent yet
	Acked, Received  int64 // bytes
	Window, Space    int   // of the peer's buffer and of this one's
	Retransmitted    int   // segments, ever
}

// Info returns what a TCP socket has measured.
func (s *Socket) Info() Info {
	return Info{
		State: s.state, Tries: s.tries, Backoff: s.backoff, RTO: s.rto, RTT: s.srtt, RTTVar: s.rttvar,
		Segments: s.unsent, Unsent: int(s.end - s.nxt), Acked: max(s.una-1, 0), Received: max(s.rcv-1, 0),
		Window: int(s.edge - s.una), Space: s.opt.RecvBuffer - s.recvq.size, Retransmitted: s.resent,
	}
}
