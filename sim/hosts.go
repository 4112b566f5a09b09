package sim

import (
	"fmt"
	"strings"
)

// etc is the files of /etc that programs read, the same on every node.
var etc = [][2]string{
	{"/etc/resolv.conf", "nameserver 127.0.0.53\noptions timeout:1 attempts:1\n"},
	{"/etc/nsswitch.conf", "hosts: files dns\n"},
	{"/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n"},
	{"/etc/group", "root:x:0:\nnogroup:x:65534:\n"},
	{"/etc/os-release", "NAME=\"Orrery\"\nID=orrery\nPRETTY_NAME=\"Orrery\"\n"},
	{"/etc/protocols", "ip 0 IP\nicmp 1 ICMP\ntcp 6 TCP\nudp 17 UDP\nipv6-icmp 58 IPv6-ICMP\n"},
	{"/etc/services", "ftp 21/tcp\nssh 22/tcp\nsmtp 25/tcp\ndomain 53/tcp\ndomain 53/udp\nhttp 80/tcp www\nntp 123/udp\nhttps 443/tcp\nhttps 443/udp\n"},
}

// etcFiles writes the files of /etc to a new node's disk, all but /etc/hosts.
func (w *World) etcFiles(n *Node) {
	for _, f := range etc {
		w.install(n, f[0], f[1])
	}
	w.install(n, "/etc/hostname", n.name+"\n")
}

// hostsFiles writes the names of all nodes and clients to every disk, unless they
// are there: how the resolvers of their programs find each other. A process starts
// with the names of all that were made before.
func (w *World) hostsFiles() {
	if w.hosts == len(w.nodes)+len(w.clients) {
		return
	}
	all := w.all()
	w.hosts = len(all)
	var b strings.Builder
	b.WriteString("127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n")
	for _, n := range all {
		for _, a := range addrs(n.addr) {
			fmt.Fprintf(&b, "%v %s\n", a, n.name)
		}
	}
	for _, n := range all {
		w.install(n, "/etc/hosts", b.String())
	}
}

func (w *World) install(n *Node, name, text string) {
	if errno := n.host.Disk.Install(name, []byte(text), 0o644, w.kern.Now()); errno != 0 {
		panic("sim: " + n.name + ":" + name + ": " + errno.Error())
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
