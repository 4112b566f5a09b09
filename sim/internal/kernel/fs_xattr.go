package kernel

import (
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_SETXATTR:     onPath(0, setXattr),
		unix.SYS_LSETXATTR:    onPath(unix.AT_SYMLINK_NOFOLLOW, setXattr),
		unix.SYS_FSETXATTR:    onDescriptor(setXattr),
		unix.SYS_GETXATTR:     onPath(0, getXattr),
		unix.SYS_LGETXATTR:    onPath(unix.AT_SYMLINK_NOFOLLOW, getXattr),
		unix.SYS_FGETXATTR:    onDescriptor(getXattr),
		unix.SYS_LISTXATTR:    onPath(0, listXattrs),
		unix.SYS_LLISTXATTR:   onPath(unix.AT_SYMLINK_NOFOLLOW, listXattrs),
		unix.SYS_FLISTXATTR:   onDescriptor(listXattrs),
		unix.SYS_REMOVEXATTR:  onPath(0, removeXattr),
		unix.SYS_LREMOVEXATTR: onPath(unix.AT_SYMLINK_NOFOLLOW, removeXattr),
		unix.SYS_FREMOVEXATTR: onDescriptor(removeXattr),
	})
}

// attributed is a call on the extended attributes of a target, which is looked for
// once the other arguments are found right.
type attributed func(k *Kernel, c *Call, find func() (target, syscall.Errno)) (uintptr, syscall.Errno)

// onPath makes a handler of a call whose first argument is a path; flags are
// AT_SYMLINK_NOFOLLOW or none.
func onPath(flags int, do attributed) handler {
	return func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
		return do(k, c, func() (target, syscall.Errno) {
			return k.resolve(c.proc, uintptr(atCwd), stringAt(c.Args[0]), flags)
		})
	}
}

// onDescriptor makes a handler of a call whose first argument is a descriptor.
func onDescriptor(do attributed) handler {
	return func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
		return do(k, c, c.opened)
	}
}

// xattrName is the name at p; names longer than Linux takes are ERANGE.
func xattrName(p uintptr) (string, syscall.Errno) {
	name := stringAt(p)
	if name == "" || len(name) > disk.MaxXattrName {
		return "", syscall.ERANGE
	}
	return name, 0
}

// xattrAllowed checks whether a target has attributes of a name: those of users
// are for files and directories. Those of the system, which are access lists, there
// are none of. otherwise is the error for one that a target cannot have.
func (t target) xattrAllowed(k *Kernel, name string, otherwise syscall.Errno) syscall.Errno {
	prefix, suffix, ok := strings.Cut(name, ".")
	var st syscall.Stat_t
	t.stat(k, &st)
	kind := st.Mode & syscall.S_IFMT
	switch {
	case ok && prefix == "user" && kind != syscall.S_IFREG && kind != syscall.S_IFDIR:
		return otherwise
	case !t.onDisk() || !ok:
		return syscall.EOPNOTSUPP
	case prefix != "user" && prefix != "trusted" && prefix != "security":
		return syscall.EOPNOTSUPP
	case suffix == "":
		return syscall.EINVAL
	}
	return 0
}

func setXattr(k *Kernel, c *Call, find func() (target, syscall.Errno)) (uintptr, syscall.Errno) {
	if c.Args[4]&^(unix.XATTR_CREATE|unix.XATTR_REPLACE) != 0 {
		return 0, syscall.EINVAL
	}
	name, errno := xattrName(c.Args[1])
	if errno != 0 {
		return 0, errno
	}
	if c.Args[3] > disk.MaxXattrValue {
		return 0, syscall.E2BIG
	}
	t, errno := find()
	if errno != 0 {
		return 0, errno
	}
	if errno := t.xattrAllowed(k, name, syscall.EPERM); errno != 0 {
		return 0, errno
	}
	value := bytesAt(c.Args[2], c.Args[3])
	if errno := t.host.Disk.SetXattr(t.ino, name, value, disk.XattrMode(c.Args[4]), t.host.Wall(k.now)); errno != 0 {
		return 0, errno
	}
	k.changed(t, unix.IN_ATTRIB)
	return 0, 0
}

func getXattr(k *Kernel, c *Call, find func() (target, syscall.Errno)) (uintptr, syscall.Errno) {
	t, name, errno := findXattr(k, c, find, syscall.ENODATA)
	if errno != 0 {
		return 0, errno
	}
	value, errno := t.host.Disk.Xattr(t.ino, name)
	if errno != 0 {
		return 0, errno
	}
	return give(c.Args[2], c.Args[3], value)
}

// findXattr returns the target of a call and the name that its second argument is.
func findXattr(k *Kernel, c *Call, find func() (target, syscall.Errno), otherwise syscall.Errno) (target, string, syscall.Errno) {
	name, errno := xattrName(c.Args[1])
	if errno != 0 {
		return target{}, "", errno
	}
	t, errno := find()
	if errno == 0 {
		errno = t.xattrAllowed(k, name, otherwise)
	}
	return t, name, errno
}

func listXattrs(_ *Kernel, c *Call, find func() (target, syscall.Errno)) (uintptr, syscall.Errno) {
	t, errno := find()
	if errno != 0 {
		return 0, errno
	}
	if !t.onDisk() {
		return 0, 0
	}
	var all []byte
	for _, name := range t.host.Disk.Xattrs(t.ino) {
		all = append(append(all, name...), 0)
	}
	return give(c.Args[1], c.Args[2], all)
}

// give copies what a call answers to the size bytes at p; of a size of 0 it only
// says how many they need to be.
func give(p, size uintptr, b []byte) (uintptr, syscall.Errno) {
	if size != 0 {
		if size < uintptr(len(b)) {
			return 0, syscall.ERANGE
		}
		copy(bytesAt(p, uintptr(len(b))), b)
	}
	return uintptr(len(b)), 0
}

func removeXattr(k *Kernel, c *Call, find func() (target, syscall.Errno)) (uintptr, syscall.Errno) {
	t, name, errno := findXattr(k, c, find, syscall.EPERM)
	if errno == 0 {
		errno = t.host.Disk.RemoveXattr(t.ino, name, t.host.Wall(k.now))
	}
	if errno != 0 {
		return 0, errno
	}
	k.changed(t, unix.IN_ATTRIB)
	return 0, 0
}
