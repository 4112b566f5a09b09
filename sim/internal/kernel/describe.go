package kernel

import (
	"fmt"
	"math"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
	"github.com/orrery-sim/orrery/net"
)

// Descriptor is an open descriptor, as lsof and ss would show it.
type Descriptor struct {
	FD       int // -1 of a connection that no process owns any more
	Kind     string
	Path     string
	Flags    string
	Position int64
	Size     int64
	Locks    []string
	Local    string
	Peer     string
	State    string
	Received int
	Unsent   int
}

// Descriptors returns the open descriptors of a process: those that bytes of a
// file or a device go through, and those of sockets, each by their numbers.
func (p *Process) Descriptors() (files, sockets []Descriptor) {
	for fd, slot := range p.fds {
		if slot.desc == nil {
			continue
		}
		d := Descriptor{FD: fd, Flags: flagsText(slot), Position: slot.desc.offset}
		switch o := slot.desc.obj.(type) {
		case *socket:
			d.Position = 0
			sockets = append(sockets, o.described(d))
			continue
		case *unixSocket:
			d.Position = 0
			sockets = append(sockets, o.described(d))
			continue
		case *file:
			p.describeFile(&d, slot.desc, o)
		case *stdio:
			d.Kind, d.Path = "stream", [...]string{"stdin", "stdout", "stderr"}[o.fd]
		default:
			d.Kind, d.Path = kindOf(o), p.describe(fd)
		}
		files = append(files, d)
	}
	return files, sockets
}

// Orphans returns the connections of a host that outlive who used them.
func (k *Kernel) Orphans(h *Host) (out []Descriptor) {
	if k.net == nil {
		return nil
	}
	for _, c := range k.net.Conns(h.Net) {
		if c.Orphan {
			out = append(out, Descriptor{
				FD: -1, Kind: "tcp", Local: c.Local.String(), Peer: c.Peer.String(), State: c.State.String(), Received: c.Unread, Unsent: c.Unacked,
			})
		}
	}
	return out
}

func (o *socket) described(d Descriptor) Descriptor {
	d.Kind, d.Local = o.s.Proto().String(), o.s.LocalAddr().String()
	if peer := o.s.Remote(); peer.IsValid() {
		d.Peer = peer.String()
	}
	if o.s.Proto() == net.TCP {
		d.State = o.s.State().String()
	}
	d.Received, d.Unsent = o.s.Buffered(), o.s.Unsent()
	return d
}

func (o *unixSocket) described(d Descriptor) Descriptor {
	d.Kind, d.State, d.Local = "unix", [...]string{"unconnected", "listen", "established"}[o.state], nameText(o.name)
	if o.peer != nil {
		d.Peer = nameText(o.peer.name)
	}
	d.Received = o.unread()
	return d
}

// nameText shows the name of a socket. An abstract one begins with a zero byte, and
// is shown with an @ as ss does.
func nameText(name string) string {
	if rest, ok := strings.CutPrefix(name, "\x00"); ok {
		return "@" + rest
	}
	return name
}

// kindOf is what kind of object a descriptor is of that is neither a file nor a
// socket of the network.
func kindOf(o object) string {
	switch o.(type) {
	case *pipeEnd:
		return "pipe"
	case *netlinkSocket:
		return "netlink"
	case *epoll:
		return "epoll"
	case *eventCounter:
		return "eventfd"
	case *timerCounter:
		return "timerfd"
	case *nodeDir:
		return "directory"
	case *nodeFile:
		return "file"
	case *charDevice:
		return "device"
	}
	return "other"
}

func (p *Process) describeFile(d *Descriptor, desc *description, f *file) {
	d.Kind, d.Path, d.Size = "file", p.describe(d.FD), f.host.Disk.Size(f.ino)
	if f.kind == disk.Directory {
		d.Kind, d.Position, d.Size = "directory", 0, 0
	}
	l := f.host.locks[lockable{host: f.host, ino: f.ino}]
	if l == nil {
		return
	}
	for _, w := range l.whole {
		if w.owner == desc {
			d.Locks = append(d.Locks, "flock "+lockMode(w.exclusive))
		}
	}
	for _, r := range l.ranges {
		if r.owner == any(p) || r.owner == any(desc) {
			d.Locks = append(d.Locks, r.text())
		}
	}
}

func lockMode(exclusive bool) string {
	if exclusive {
		return "exclusive"
	}
	return "shared"
}

func (r rangeLock) text() string {
	kind := "posix"
	if r.pid < 0 {
		kind = "ofd"
	}
	if r.last == math.MaxInt64 {
		return fmt.Sprintf("%s %s %d-end", kind, lockMode(r.exclusive), r.first)
	}
	return fmt.Sprintf("%s %s %d-%d", kind, lockMode(r.exclusive), r.first, r.last)
}

// flagNames are the flags of open files that are shown, beside the access mode.
var flagNames = []struct {
	bit  int
	name string
}{
	{syscall.O_APPEND, "O_APPEND"}, {syscall.O_NONBLOCK, "O_NONBLOCK"}, {syscall.O_SYNC, "O_SYNC"},
	{syscall.O_DSYNC, "O_DSYNC"}, {unix.O_DIRECT, "O_DIRECT"}, {unix.O_PATH, "O_PATH"},
}

func flagsText(s slot) string {
	flags := s.desc.flags
	names := []string{[...]string{"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"}[flags&syscall.O_ACCMODE]}
	for _, f := range flagNames {
		if flags&f.bit == f.bit {
			names = append(names, f.name)
			flags &^= f.bit
		}
	}
	if s.cloexec {
		names = append(names, "O_CLOEXEC")
	}
	return strings.Join(names, "|")
}
