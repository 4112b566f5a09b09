package kernel

import (
	"path"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

// openHow is struct open_how, as far as it is known.
type openHow struct{ flags, mode, resolve uint64 }

const (
	openHowSize = 24
	openHowMost = 4096
)

// resolveKnown are the rules of openat2 for a path. That nothing may be waited for
// (RESOLVE_CACHED) holds for every path here.
const resolveKnown = unix.RESOLVE_NO_XDEV | unix.RESOLVE_NO_MAGICLINKS | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_BENEATH |
	unix.RESOLVE_IN_ROOT | resolveCached

const resolveCached = 0x20 // RESOLVE_CACHED

func sysOpenat2(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	how, errno := openHowAt(c.Args[2], c.Args[3])
	if errno == 0 {
		errno = how.check()
	}
	if errno != 0 {
		return 0, errno
	}
	o := opening{p: c.proc, flags: int(how.flags), mode: uint32(how.mode), resolve: how.resolve}
	return k.install(c, &o, c.Args[0], stringAt(c.Args[1]))
}

// openHowAt reads what may be of a later Linux: then what is not known must be 0.
func openHowAt(p, size uintptr) (openHow, syscall.Errno) {
	if size < openHowSize {
		return openHow{}, syscall.EINVAL
	}
	if size > openHowMost {
		return openHow{}, syscall.E2BIG
	}
	for _, b := range bytesAt(p+openHowSize, size-openHowSize) {
		if b != 0 {
			return openHow{}, syscall.E2BIG
		}
	}
	return *at[openHow](p), 0
}

// check refuses what openat takes without a word.
func (h *openHow) check() syscall.Errno {
	const one = unix.RESOLVE_BENEATH | unix.RESOLVE_IN_ROOT
	creates := h.flags&(syscall.O_CREAT|tmpFile) != 0
	switch {
	case h.flags&^openFlags != 0, h.resolve&^resolveKnown != 0, h.resolve&one == one:
		return syscall.EINVAL
	case creates && h.mode&^0o7777 != 0, !creates && h.mode != 0:
		return syscall.EINVAL
	case h.flags&unix.O_PATH != 0 && h.flags&^pathFlags != 0:
		return syscall.EINVAL
	case h.flags&(syscall.O_CREAT|syscall.O_DIRECTORY) == syscall.O_CREAT|syscall.O_DIRECTORY:
		return syscall.EINVAL
	case h.flags&tmpFile != 0 && (h.flags&syscall.O_DIRECTORY == 0 || h.flags&syscall.O_ACCMODE == syscall.O_RDONLY):
		return syscall.EINVAL
	case h.resolve&resolveCached != 0 && (creates || h.flags&syscall.O_TRUNC != 0):
		return syscall.EAGAIN
	}
	return 0
}

// scope is where the path may lead.
func (o *opening) scope() (s disk.Scope) {
	if o.resolve&unix.RESOLVE_BENEATH != 0 {
		s |= disk.Beneath
	}
	if o.resolve&unix.RESOLVE_IN_ROOT != 0 {
		s |= disk.InRoot
	}
	if o.resolve&unix.RESOLVE_NO_SYMLINKS != 0 {
		s |= disk.NoSymlinks
	}
	return s
}

// placeIn is place within the rules of an openat2.
func (k *Kernel) placeIn(o *opening, dirfd uintptr, name string, last disk.Last) (disk.Place, *node, syscall.Errno) {
	if o.resolve&(unix.RESOLVE_BENEATH|unix.RESOLVE_IN_ROOT) != 0 {
		at, errno := o.placeScoped(dirfd, name, last)
		return at, nil, errno
	}
	if isNodePath(path.Clean(name)+"/") && o.resolve&unix.RESOLVE_NO_XDEV != 0 {
		return disk.Place{}, nil, syscall.EXDEV // what is in /proc or /dev is of no disk
	}
	at, n, errno := k.place(o.p, dirfd, name, last)
	switch {
	case n != nil && n.link != "" && o.resolve&(unix.RESOLVE_NO_SYMLINKS|unix.RESOLVE_NO_MAGICLINKS) != 0:
		return at, nil, syscall.ELOOP
	case n != nil:
		return at, n, errno
	}
	scope := o.scope()
	if o.resolve&unix.RESOLVE_NO_XDEV != 0 && !strings.HasPrefix(name, "/") {
		scope |= disk.NoAbsolute // which Linux takes for leaving the file system
	}
	if scope == 0 || name == "" {
		return at, nil, errno
	}
	from, name, errno := o.p.base(dirfd, name)
	if errno == 0 {
		at, errno = o.p.Host.Disk.ResolveIn(from, name, last, scope)
	}
	return at, nil, errno
}

// placeScoped is place where a path may not leave a directory of the disk.
func (o *opening) placeScoped(dirfd uintptr, name string, last disk.Last) (disk.Place, syscall.Errno) {
	switch {
	case name == "":
		return disk.Place{}, syscall.ENOENT
	case name[0] == '/' && o.resolve&unix.RESOLVE_BENEATH != 0:
		return disk.Place{}, syscall.EXDEV
	}
	from, errno := o.p.directory(dirfd)
	if errno != 0 {
		return disk.Place{}, errno
	}
	return o.p.Host.Disk.ResolveIn(from, name, last, o.scope())
}
