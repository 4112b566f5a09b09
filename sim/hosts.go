package sim

import (
	"fmt"
	"strings"
)

// hostsFiles writes the names of all nodes and clients to every disk: how the
// resolvers of their programs find each other.
func (w *World) hostsFiles() {
	var b strings.Builder
	b.WriteString("127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n")
	for _, n := range w.all() {
		for _, a := range addrs(n.addr) {
			fmt.Fprintf(&b, "%v %s\n", a, n.name)
		}
	}
	files := [][2]string{
		{"/etc/hosts", b.String()},
		{"/etc/resolv.conf", "nameserver 127.0.0.53\noptions timeout:1 attempts:1\n"},
		{"/etc/nsswitch.conf", "hosts: files dns\n"},
		{"/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n"},
		{"/etc/group", "root:x:0:\nnogroup:x:65534:\n"},
		{"/etc/os-release", "NAME=\"Orrery\"\nID=orrery\nPRETTY_NAME=\"Orrery\"\n"},
		{"/etc/protocols", "ip 0 IP\nicmp 1 ICMP\ntcp 6 TCP\nudp 17 UDP\nipv6-icmp 58 IPv6-ICMP\n"},
		{"/etc/services", "ftp 21/tcp\nssh 22/tcp\nsmtp 25/tcp\ndomain 53/tcp\ndomain 53/udp\nhttp 80/tcp www\nntp 123/udp\nhttps 443/tcp\nhttps 443/udp\n"},
	}
	for _, n := range w.all() {
		for _, f := range append(files, [2]string{"/etc/hostname", n.name + "\n"}) {
			if errno := n.host.Disk.Install(f[0], []byte(f[1]), 0o644, w.kern.Now()); errno != 0 {
				panic("sim: " + n.name + ":" + f[0] + ": " + errno.Error())
			}
		}
	}
}

// all returns the nodes, then the clients, in the order in which they were made.
func (w *World) all() []*Node {
	out := append([]*Node(nil), w.nodes...)
	for _, c := range w.clients {
		out = append(out, c.Node)
	}
	return out
}
