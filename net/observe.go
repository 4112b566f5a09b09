package net

// Kind says what happened to a packet.
type Kind uint8

// The kinds of events.
const (
	Sent             Kind = iota + 1 // it entered its link
	Delivered                        // it reached a host that is up
	Retransmitted                    // it was sent again; Sent follows
	Duplicated                       // the link made a second one
	Held                             // it waits for the link's release
	DroppedCut                       // the link was cut when it was sent or due
	DroppedLoss                      // the link lost it
	DroppedCorrupted                 // it failed the receiver's checksum
	DroppedQueue                     // too many bytes waited for the link
	DroppedDown                      // the receiving host was down
	DroppedBuffer                    // the receiver had no room: backlog or datagrams
	kinds
)

var kindNames = [kinds]string{
	Sent: "sent", Delivered: "delivered", Retransmitted: "retransmitted",
	Duplicated: "duplicated", Held: "held", DroppedCut: "dropped: cut",
	DroppedLoss: "dropped: loss", DroppedCorrupted: "dropped: corrupted",
	DroppedQueue: "dropped: queue full", DroppedDown: "dropped: host down",
	DroppedBuffer: "dropped: buffer full",
}

func (k Kind) String() string {
	if k == 0 || k >= kinds {
		return "unknown"
	}
	return kindNames[k]
}

// Event is one thing that happened to a packet.
type Event struct {
	Kind     Kind
	Proto    Proto
	Flags    Flags
	From, To HostID
	Conn     uint64 // the TCP connection, or 0
	Seq      int64  // of the first byte of payload, from 1
	Len      int    // of the payload in bytes
	Now      int64
}

func (n *Network) observe(k Kind, p *packet) {
	if n.Observe == nil {
		return
	}
	n.Observe(Event{k, p.proto, p.flags, p.from, p.to, p.conn, p.seq, p.size(), n.now})
}
