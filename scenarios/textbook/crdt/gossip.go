package crdt

import (
	"encoding/json"
	"log"
	"maps"
	"net"
	"time"
)

const gossipEvery = 80 * time.Millisecond

// peer is another replica, and what it may not know.
type peer struct {
	addr *net.UDPAddr
	news Counter
}

// A rumor tells slots, or says that they are known.
type rumor struct {
	Slots Counter
	Known bool `json:",omitempty"`
}

// gossip tells each peer, now and then, all that it may not know.
func (r *replica) gossip() {
	for {
		time.Sleep(gossipEvery)
		r.mu.Lock()
		for _, p := range r.peers {
			if len(p.news) > 0 {
				r.send(p.addr, rumor{Slots: p.news})
			}
			if r.bug == bugNoAcks {
				clear(p.news)
			}
		}
		r.mu.Unlock()
	}
}

// send may come to nothing, as any packet.
func (r *replica) send(to *net.UDPAddr, m rumor) {
	b, err := json.Marshal(m)
	if err != nil {
		log.Fatal(err)
	}
	r.conn.WriteToUDP(b, to)
}

// listen hears what the others tell.
func (r *replica) listen() {
	buf := make([]byte, 64<<10)
	for {
		n, from, err := r.conn.ReadFromUDP(buf)
		if err != nil {
			continue // of a packet that was sent before: nobody listened
		}
		var m rumor
		if err := json.Unmarshal(buf[:n], &m); err != nil {
			log.Printf("from %v: %v", from, err)
			continue
		}
		r.mu.Lock()
		if m.Known {
			r.known(from, m.Slots)
		} else {
			r.hear(m.Slots)
			r.send(from, rumor{m.Slots, true})
		}
		r.mu.Unlock()
	}
}

// hear merges slots, which are durable before the teller may forget that they were
// news.
func (r *replica) hear(slots Counter) {
	changed := Counter{}
	for name, s := range slots {
		if merged := r.merge(r.counter[name], s); merged != r.counter[name] {
			changed[name] = merged
		}
	}
	if len(changed) == 0 {
		return
	}
	write := r.log.Append
	if r.bug == bugMergeUnsynced {
		write = r.log.Write
	}
	r.keep(changed, write)
	for name, s := range changed {
		r.learn(name, s)
	}
}

// known forgets the news that a peer knows by now. What has changed since is news
// still.
func (r *replica) known(from *net.UDPAddr, slots Counter) {
	for _, p := range r.peers {
		if p.addr.String() == from.String() {
			maps.DeleteFunc(p.news, func(name string, s Slot) bool { return slots[name] == s })
		}
	}
}
