package kernel

import (
	"path"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

// atCwd, as a directory's descriptor, is the working directory.
var atCwd = unix.AT_FDCWD

// target is what a path or a descriptor leads to.
type target struct {
	host *Host
	ino  disk.Ino // on the host's disk, or 0
	at   entry    // by which the inode was reached
	node *node    // of /proc or /dev, or nil
	obj  object   // of a descriptor of neither, or nil
}

// base returns the directory that a path starts from, and the path, which is
// another if the directory is one of /proc.
func (p *Process) base(dirfd uintptr, name string) (disk.Ino, string, syscall.Errno) {
	if strings.HasPrefix(name, "/") {
		return disk.Root, name, 0
	}
	if d := p.fd(uintptr(uint32(dirfd))); d != nil {
		if o, ok := d.obj.(*nodeDir); ok {
			return disk.Root, path.Join(o.path, name), 0
		}
	}
	dir, errno := p.directory(dirfd)
	return dir, name, errno
}

// directory returns the directory of the disk that a descriptor is of.
func (p *Process) directory(dirfd uintptr) (disk.Ino, syscall.Errno) {
	if int(int32(dirfd)) == atCwd {
		return p.cwd, 0
	}
	d := p.fd(uintptr(uint32(dirfd)))
	if d == nil {
		return 0, syscall.EBADF
	}
	if o, ok := d.obj.(*file); ok && o.kind == disk.Directory {
		return o.ino, 0
	}
	return 0, syscall.ENOTDIR
}

// place resolves a path to an entry of the disk, which may be missing. A path of
// /proc or /dev that is no entry is answered by a node.
func (k *Kernel) place(p *Process, dirfd uintptr, name string, last disk.Last) (disk.Place, *node, syscall.Errno) {
	if name == "" {
		return disk.Place{}, nil, syscall.ENOENT
	}
	from, name, errno := p.base(dirfd, name)
	if errno != 0 {
		return disk.Place{}, nil, errno
	}
	if name[0] == '/' && isNodePath(name) {
		if n := k.node(p, path.Clean(name), last); n != nil {
			return disk.Place{}, n, 0
		}
	}
	h := p.Host
	at, errno := h.Disk.Resolve(from, name, last)
	if h.Outside != nil && (errno == syscall.ENOENT || errno == 0 && at.Ino == 0) && h.bring(k, from, name) {
		at, errno = h.Disk.Resolve(from, name, last)
	}
	return at, nil, errno
}

// resolve resolves a path to what there is. flags are AT_SYMLINK_NOFOLLOW and
// AT_EMPTY_PATH.
func (k *Kernel) resolve(p *Process, dirfd uintptr, name string, flags int) (target, syscall.Errno) {
	if name == "" && flags&unix.AT_EMPTY_PATH != 0 {
		if int(int32(dirfd)) == atCwd {
			return target{host: p.Host, ino: p.cwd}, 0
		}
		return p.target(dirfd)
	}
	last := disk.Follow
	if flags&unix.AT_SYMLINK_NOFOLLOW != 0 && !strings.HasSuffix(name, "/") {
		last = disk.NoFollow
	}
	at, n, errno := k.place(p, dirfd, name, last)
	switch {
	case errno != 0:
		return target{}, errno
	case n != nil:
		return k.targetOf(p, n)
	case at.Ino == 0:
		return target{}, syscall.ENOENT
	case at.Slash && p.Host.Disk.Stat(at.Ino).Kind != disk.Directory:
		return target{}, syscall.ENOTDIR
	}
	return target{host: p.Host, ino: at.Ino, at: entryOf(at)}, 0
}

// directory reports whether the target is one.
func (t target) directory() bool {
	return t.onDisk() && t.host.Disk.Stat(t.ino).Kind == disk.Directory || t.node != nil && t.node.mode&syscall.S_IFMT == syscall.S_IFDIR
}

// targetOf follows a node that stands for a descriptor of the process.
func (k *Kernel) targetOf(p *Process, n *node) (target, syscall.Errno) {
	if n.desc != nil {
		return targetOfObject(n.desc.obj), 0
	}
	return target{host: p.Host, node: n}, 0
}

// target is what a descriptor leads to.
func (p *Process) target(fd uintptr) (target, syscall.Errno) {
	d := p.fd(uintptr(uint32(fd)))
	if d == nil {
		return target{}, syscall.EBADF
	}
	return targetOfObject(d.obj), 0
}

// inodeOf returns the open inode of a disk that an object is, or nil.
func inodeOf(o object) *file {
	switch o := o.(type) {
	case *file:
		return o
	case *pipeEnd:
		return o.fifo
	}
	return nil
}

func targetOfObject(o object) target {
	if f := inodeOf(o); f != nil {
		return target{host: f.host, ino: f.ino, at: f.at}
	}
	return target{obj: o}
}

// stat fills in st and returns when the target was made, or 0.
func (t target) stat(k *Kernel, st *syscall.Stat_t) (birth int64, errno syscall.Errno) {
	switch {
	case t.node != nil:
		t.node.stat(k, st)
	case t.obj != nil:
		return 0, t.obj.stat(k, st)
	default:
		t.host.stat(t.ino, st)
		return t.host.Disk.Stat(t.ino).Birth, 0
	}
	return 0, 0
}

// onDisk reports whether the target is an inode; attributes of others cannot be
// changed, and calls that try do nothing.
func (t target) onDisk() bool { return t.ino != 0 }

func (t target) chtimes(access, modify, now int64) {
	if t.onDisk() {
		t.host.Disk.Chtimes(t.ino, access, modify, now)
	}
}

// bring copies what a path leads to from outside, if it is there, to the host's
// disk, and reports whether it did. Of a directory the entries come when it is
// listed.
func (h *Host) bring(k *Kernel, from disk.Ino, name string) bool {
	if name[0] != '/' {
		dir, ok := h.Disk.Path(from)
		if !ok {
			return false
		}
		name = dir + "/" + name
	}
	name = path.Clean(name)
	brought := false
	for i := 1; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			continue
		}
		top := name[:i]
		if _, errno := h.Disk.Lookup(disk.Root, top, disk.NoFollow); errno == syscall.ENOENT {
			f, ok := h.Outside(top)
			if !ok {
				break
			}
			brought = h.store(k, top, f) || brought
		}
	}
	return brought
}

// store puts a file from outside on the disk.
func (h *Host) store(k *Kernel, name string, f OutsideFile) bool {
	mode := uint32(f.Mode.Perm())
	if f.Mode.IsDir() {
		dir, errno := h.Disk.MkdirAll(name, mode|0o700, k.now)
		if errno != 0 {
			return false
		}
		h.unread[dir] = name
		return true
	}
	return f.Mode.IsRegular() && h.Disk.WriteFile(name, f.Data, mode, k.now) == 0
}

// list brings the entries of a directory that is shown from outside, once.
func (h *Host) list(k *Kernel, dir disk.Ino) {
	name, ok := h.unread[dir]
	if !ok {
		return
	}
	delete(h.unread, dir)
	d, ok := h.Outside(name)
	if !ok {
		return
	}
	for _, e := range d.Names {
		at := path.Join(name, e)
		if _, errno := h.Disk.Lookup(disk.Root, at, disk.NoFollow); errno == syscall.ENOENT {
			if f, ok := h.Outside(at); ok {
				h.store(k, at, f)
			}
		}
	}
}
