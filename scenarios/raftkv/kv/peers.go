package kv

import (
	"fmt"
	"net"
	"strings"
)

// Ports of a peer that names none.
const (
	raftPort = "7000"
	httpPort = "8000"
)

type peer struct {
	id       string
	raftAddr string
	httpAddr string
}

// Peers are all nodes of the group, in the order given, this node included.
type peers []peer

func (ps peers) find(id string) (peer, bool) {
	for _, p := range ps {
		if p.id == id {
			return p, true
		}
	}
	return peer{}, false
}

func (ps *peers) String() string {
	var b strings.Builder
	for i, p := range *ps {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(p.id + "=" + p.raftAddr + "/" + p.httpAddr)
	}
	return b.String()
}

// Set reads "n1=10.0.0.1,n2=10.0.0.2:7001/10.0.0.2:8001".
func (ps *peers) Set(s string) error {
	*ps = nil
	for item := range strings.SplitSeq(s, ",") {
		id, addrs, ok := strings.Cut(item, "=")
		if !ok || id == "" || addrs == "" {
			return fmt.Errorf("peer %q: want id=host", item)
		}
		if _, twice := ps.find(id); twice {
			return fmt.Errorf("peer %q: id is given twice", item)
		}
		raftAddr, httpAddr, ok := strings.Cut(addrs, "/")
		if !ok {
			httpAddr = hostOf(raftAddr)
		}
		*ps = append(*ps, peer{id: id, raftAddr: withPort(raftAddr, raftPort), httpAddr: withPort(httpAddr, httpPort)})
	}
	return nil
}

func hostOf(addr string) string {
	if host, _, err := net.SplitHostPort(addr); err == nil {
		return host
	}
	return addr
}

func withPort(addr, port string) string {
	if _, _, err := net.SplitHostPort(addr); err == nil {
		return addr
	}
	return net.JoinHostPort(strings.Trim(addr, "[]"), port)
}
