package net

import "net/netip"

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
