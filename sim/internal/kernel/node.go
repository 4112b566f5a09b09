package kernel

import (
	"path"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

// node is a file that is on no disk: of /proc, /sys or /dev.
type node struct {
	path  string
	mode  uint32          // with its type
	names func() []string // of a directory, when it is listed
	link  string          // of a symlink
	text  func() string   // of a file: its content when it is opened
	dev   device          // of a device
	magic bool            // of a link of /proc/self/fd: it leads to a descriptor
	desc  *description    // which one, if it is followed
	host  *Host
}

// isNodePath reports whether an absolute path may be of a node.
func isNodePath(name string) bool {
	return strings.HasPrefix(name, "/proc/") || strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/sys/")
}

// node returns the node at a clean absolute path, as p sees it, or nil. A last
// symlink is followed if it leads to a node or a descriptor.
func (k *Kernel) node(p *Process, name string, last disk.Last) *node {
	n := k.find(p, name)
	for range 8 {
		if n == nil || n.link == "" || last == disk.NoFollow || n.desc != nil {
			break
		}
		to := n.link
		if !strings.HasPrefix(to, "/") {
			to = path.Join(path.Dir(n.path), to)
		}
		n = k.find(p, to)
	}
	if n != nil {
		n.host = p.Host
		if last == disk.NoFollow {
			n.desc = nil
		}
	}
	return n
}

func (k *Kernel) find(p *Process, name string) *node {
	switch {
	case strings.HasPrefix(name, "/dev/"):
		return findDevice(name)
	case strings.HasPrefix(name, "/proc/"), strings.HasPrefix(name, "/sys/"):
		return k.findProc(p, name)
	}
	return nil
}

func directory(name string, names ...string) *node {
	return &node{path: name, mode: syscall.S_IFDIR | 0o555, names: func() []string { return names }}
}

func symlink(name, to string) *node {
	return &node{path: name, mode: syscall.S_IFLNK | 0o777, link: to}
}

func textFile(name string, text func() string) *node {
	return &node{path: name, mode: syscall.S_IFREG | 0o444, text: text}
}

// stat fills in st. A node is made whenever it is looked at.
func (n *node) stat(k *Kernel, st *syscall.Stat_t) {
	now := syscall.NsecToTimespec(n.host.Wall(k.now))
	*st = syscall.Stat_t{
		Dev: unix.Mkdev(0, 5), Ino: pathIno(n.path), Mode: n.mode, Blksize: disk.PageSize, Atim: now, Mtim: now, Ctim: now,
	}
	links := 1
	switch n.mode & syscall.S_IFMT {
	case syscall.S_IFDIR:
		links = 2
	case syscall.S_IFLNK:
		if n.magic {
			st.Size = 64 // as Linux has it, whatever it leads to
		}
	case syscall.S_IFCHR:
		st.Rdev = n.dev.number()
	}
	setLinks(st, links)
}

// pathIno makes an inode number of a path (FNV-1a), outside of those of disks.
func pathIno(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h | 1<<62
}

// openNode opens a node.
func (k *Kernel) openNode(o *opening, n *node) (object, syscall.Errno) {
	if o.has(syscall.O_CREAT) && o.has(syscall.O_EXCL) {
		return nil, syscall.EEXIST
	}
	if n.desc != nil {
		return k.reopen(o, n.desc)
	}
	switch n.mode & syscall.S_IFMT {
	case syscall.S_IFDIR:
		if o.writes() {
			return nil, syscall.EISDIR
		}
		return &nodeDir{n}, 0
	case syscall.S_IFLNK:
		switch {
		case !o.has(syscall.O_NOFOLLOW):
		case o.has(syscall.O_DIRECTORY):
			return nil, syscall.ENOTDIR
		case o.has(unix.O_PATH):
			return &nodeFile{n, ""}, 0
		default:
			return nil, syscall.ELOOP
		}
		return o.open(k, uintptr(atCwd), n.link)
	}
	if o.has(syscall.O_DIRECTORY) {
		return nil, syscall.ENOTDIR
	}
	if n.mode&syscall.S_IFMT == syscall.S_IFCHR {
		return n.dev.open(o.p, n)
	}
	return &nodeFile{n, n.text()}, 0
}

// reopen opens what a descriptor leads to once more.
func (k *Kernel) reopen(o *opening, d *description) (object, syscall.Errno) {
	switch obj := d.obj.(type) {
	case *file:
		return o.existing(k, disk.Place{Ino: obj.ino}, obj.at)
	case *pipeEnd:
		return obj.reopen(k, o)
	case *stdio:
		return obj, 0
	case *charDevice, *nodeDir, *nodeFile:
		return obj, 0
	}
	return nil, syscall.ENXIO
}

// nodeDir is an open directory that is on no disk.
type nodeDir struct{ *node }

func (*nodeDir) read(*Kernel, *description, []byte) (int, syscall.Errno) { return 0, syscall.EISDIR }
func (*nodeDir) write(*Kernel, *description, []byte) (int, syscall.Errno) {
	return 0, syscall.EBADF
}
func (*nodeDir) close(*Kernel) {}

func (n *nodeDir) stat(k *Kernel, st *syscall.Stat_t) syscall.Errno {
	n.node.stat(k, st)
	return 0
}

func (*nodeDir) size() int64 { return 1<<63 - 1 }

func (n *nodeDir) list(_ *Kernel, offset int64, o *dirents) (int64, syscall.Errno) {
	names := append([]string{".", ".."}, n.names()...)
	for ; offset < int64(len(names)); offset++ {
		if !o.add(pathIno(path.Join(n.path, names[offset])), offset+1, unix.DT_UNKNOWN, names[offset]) {
			break
		}
	}
	return offset, 0
}

// nodeFile is an open file that is on no disk. What is written to it is taken and
// has no effect.
type nodeFile struct {
	*node
	content string
}

func (n *nodeFile) stat(k *Kernel, st *syscall.Stat_t) syscall.Errno {
	n.node.stat(k, st)
	return 0
}

func (n *nodeFile) size() int64 { return int64(len(n.content)) }

func (n *nodeFile) read(k *Kernel, d *description, b []byte) (int, syscall.Errno) {
	m, errno := n.readAt(k, b, d.offset)
	d.offset += int64(m)
	return m, errno
}

func (n *nodeFile) readAt(_ *Kernel, b []byte, off int64) (int, syscall.Errno) {
	if off >= int64(len(n.content)) {
		return 0, 0
	}
	return copy(b, n.content[off:]), 0
}

func (*nodeFile) write(_ *Kernel, _ *description, b []byte) (int, syscall.Errno) { return len(b), 0 }
func (*nodeFile) writeAt(_ *Kernel, b []byte, _ int64) (int, syscall.Errno)      { return len(b), 0 }
func (*nodeFile) close(*Kernel)                                                  {}
