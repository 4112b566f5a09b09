package kernel

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// attributeCalls are those on what stat shows.
func (tw *twins) attributeCalls() map[string]func(*rapid.T) {
	id := func(t *rapid.T) int { return pick(t, "id", 0, 7, 1000, -1) }
	mode := func(t *rapid.T) int { return pick(t, "mode", 0, 0o644, 0o755, 0o1777, 0o6711, 0o4755) }
	follow := func(t *rapid.T) int {
		return pick(t, "flags", 0, 0, unix.AT_SYMLINK_NOFOLLOW, unix.AT_SYMLINK_NOFOLLOW, 1)
	}
	return map[string]func(*rapid.T){
		"stat": func(t *rapid.T) {
			tw.see(t, showStat, "stat", unix.SYS_NEWFSTATAT, tw.dir(t), drawPath(t), out(unsafe.Sizeof(syscall.Stat_t{})), follow(t))
		},
		"fstat": func(t *rapid.T) {
			tw.see(t, showStat, "fstat", unix.SYS_FSTAT, tw.fd(t), out(unsafe.Sizeof(syscall.Stat_t{})))
		},
		"statx": tw.statx,
		"statfs": func(t *rapid.T) {
			tw.see(t, showStatfs, "statfs", unix.SYS_STATFS, drawPath(t), out(unsafe.Sizeof(syscall.Statfs_t{})))
		},
		"fstatfs": func(t *rapid.T) {
			tw.see(t, showStatfs, "fstatfs", unix.SYS_FSTATFS, tw.fd(t), out(unsafe.Sizeof(syscall.Statfs_t{})))
		},
		"access": func(t *rapid.T) {
			tw.try(t, "access", unix.SYS_FACCESSAT, tw.dir(t), drawPath(t), rapid.IntRange(0, 8).Draw(t, "mode"))
		},
		"access2": func(t *rapid.T) {
			tw.try(t, "access2", unix.SYS_FACCESSAT2, tw.dir(t), drawPath(t), rapid.IntRange(0, 8).Draw(t, "mode"), pick(t, "flags", 0, unix.AT_SYMLINK_NOFOLLOW, unix.AT_EACCESS, 1))
		},
		"chmod":  func(t *rapid.T) { tw.try(t, "chmod", unix.SYS_FCHMODAT, tw.dir(t), drawPath(t), mode(t)) },
		"fchmod": func(t *rapid.T) { tw.try(t, "fchmod", unix.SYS_FCHMOD, tw.inodeFd(t), mode(t)) },
		"fchmodat": func(t *rapid.T) {
			tw.try(t, "fchmodat2", unix.SYS_FCHMODAT2, tw.dir(t), drawPath(t), mode(t), follow(t))
		},
		"fchmod-path": func(t *rapid.T) {
			tw.try(t, "fchmodat2", unix.SYS_FCHMODAT2, tw.inodeFd(t), "", mode(t), pick(t, "flags", 0, unix.AT_EMPTY_PATH))
		},
		"chown": func(t *rapid.T) {
			tw.try(t, "chown", unix.SYS_FCHOWNAT, tw.dir(t), drawPath(t), id(t), id(t), follow(t))
		},
		"fchown": func(t *rapid.T) { tw.try(t, "fchown", unix.SYS_FCHOWN, tw.inodeFd(t), id(t), id(t)) },
		"umask":  func(t *rapid.T) { tw.try(t, "umask", unix.SYS_UMASK, pick(t, "mask", 0, 0o022, 0o027, 0o7777)) },
		"times": func(t *rapid.T) {
			tw.try(t, "utimensat", unix.SYS_UTIMENSAT, tw.dir(t), drawPath(t), drawTimes(t), follow(t))
		},
		"futimens": func(t *rapid.T) { tw.try(t, "futimens", unix.SYS_UTIMENSAT, tw.inodeFd(t), 0, drawTimes(t), 0) },
	}
}

// drawTimes draws times of access and modification: those that are set are long ago.
func drawTimes(t *rapid.T) inOut {
	nsec := func() int64 {
		return pick[int64](t, "nsec", 0, 5, 999999999, 1000000000, -1, unix.UTIME_OMIT, unix.UTIME_OMIT, unix.UTIME_NOW)
	}
	return inOutOf([2]syscall.Timespec{{Sec: 7, Nsec: nsec()}, {Sec: 8, Nsec: nsec()}})
}

// longAgo is a time that a call set, or "now".
func longAgo(ts syscall.Timespec) string {
	if ts.Sec < 1e6 {
		return fmt.Sprint(ts.Nano())
	}
	return "now"
}

func showStat(b [][]byte) string {
	st := as[syscall.Stat_t](b[0])
	size := st.Size
	if st.Mode&syscall.S_IFMT == syscall.S_IFDIR {
		size = 0 // the file system's
	}
	return fmt.Sprintf("mode %o links %d owner %d:%d size %d modified %s", st.Mode, st.Nlink, st.Uid, st.Gid, size, longAgo(st.Mtim))
}

func (tw *twins) statx(t *rapid.T) {
	path, dir, flags := drawPath(t), tw.dir(t), pick(t, "flags", 0, unix.AT_SYMLINK_NOFOLLOW, unix.AT_EMPTY_PATH, 0x6000, 1)
	if flags == unix.AT_EMPTY_PATH {
		path, dir = "", tw.fd(t)
	}
	tw.see(t, showStatx, "statx", unix.SYS_STATX, dir, path, flags, unix.STATX_ALL|unix.STATX_DIOALIGN, out(unsafe.Sizeof(unix.Statx_t{})))
}

func showStatx(b [][]byte) string {
	x := as[unix.Statx_t](b[0])
	if x.Mode&syscall.S_IFMT == syscall.S_IFDIR {
		x.Size = 0
	}
	return fmt.Sprintf("mask %x mode %o links %d owner %d:%d size %d block %d align %d", x.Mask&(unix.STATX_ALL|unix.STATX_DIOALIGN),
		x.Mode, x.Nlink, x.Uid, x.Gid, x.Size, x.Blksize, x.Dio_offset_align)
}

func showStatfs(b [][]byte) string {
	st := as[syscall.Statfs_t](b[0])
	return fmt.Sprintf("type %x block %d %d names %d", st.Type, st.Bsize, st.Frsize, st.Namelen)
}

// numbers are those of inodes, and where the test's files are.
var numbers = regexp.MustCompile(`\[[0-9]+\]|/#[0-9]+`)

func withoutNumbers(b [][]byte) string {
	return numbers.ReplaceAllString(string(bytes.Join(b, nil)), "N")
}

// xattrCalls are those on extended attributes: by path, by symlink and by descriptor.
func (tw *twins) xattrCalls() map[string]func(*rapid.T) {
	attr := func(t *rapid.T) string {
		return pick(t, "attribute", "user.a", "user.b", "user.c", "user.longer-than-others", "trusted.a", "security.a",
			"user.", "user", "other.a", "", "user."+strings.Repeat("x", 250), "user."+strings.Repeat("x", 251))
	}
	// on makes one of the three calls there are of each kind.
	on := func(name string, byPath, byLink, byFd uintptr, show func([][]byte) string, rest func(t *rapid.T) []any) func(*rapid.T) {
		return func(t *rapid.T) {
			which := rapid.IntRange(0, 2).Draw(t, "by")
			args := []any{tw.fd(t)}
			if which < 2 {
				args[0] = drawPath(t)
			}
			tw.see(t, show, name, [...]uintptr{byPath, byLink, byFd}[which], append(args, rest(t)...)...)
		}
	}
	calls := map[string]func(*rapid.T){
		"setxattr": on("setxattr", unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, raw, func(t *rapid.T) []any {
			n := pick(t, "length", 0, 1, 5, 30, 60, 68, 69, 100, 2000, 4040, 4044, 65536, 65537)
			value := bytes.Repeat([]byte{byte(rapid.IntRange('a', 'c').Draw(t, "byte"))}, n+1)
			return []any{attr(t), value, n, pick(t, "flags", 0, 0, 0, unix.XATTR_CREATE, unix.XATTR_REPLACE, 3, 4)}
		}),
		"getxattr": on("getxattr", unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_FGETXATTR, raw, func(t *rapid.T) []any {
			return []any{attr(t), out(4096), pick(t, "size", 4096, 4096, 0, 5)}
		}),
		"listxattr": on("listxattr", unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR, unix.SYS_FLISTXATTR, sortedNames, func(t *rapid.T) []any {
			return []any{out(1024), pick(t, "size", 1024, 1024, 0, 5)}
		}),
		"removexattr": on("removexattr", unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, raw, func(t *rapid.T) []any {
			return []any{attr(t)}
		}),
	}
	calls["setxattr2"] = calls["setxattr"]
	return calls
}

// sortedNames shows the names that listxattr answered: their order is the file
// system's.
func sortedNames(b [][]byte) string {
	names := strings.Split(strings.TrimRight(string(b[0]), "\x00"), "\x00")
	slices.Sort(names)
	return strings.Join(names, " ")
}

// compareTrees compares all that can be read of the directory that the test works in.
func (tw *twins) compareTrees(t *rapid.T) {
	tw.pair = tw.procs[0]
	tw.step(t, "everything afterwards", func(s *side) result {
		var b strings.Builder
		s.walk(&b, workDir)
		text := b.String()
		if tw.taken {
			text = blocks.ReplaceAllString(text, "")
		}
		return result{0, 0, text}
	})
}

var blocks = regexp.MustCompile(" blocks [0-9]+")

// walk writes down what there is at a path and below it.
func (s *side) walk(b *strings.Builder, path string) {
	var x unix.Statx_t
	_, errno := s.call(unix.SYS_STATX, atCwd, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_ALL, unsafe.Pointer(&x))
	fmt.Fprintf(b, "\n%s: %v mode %o links %d owner %d:%d", path, errno, x.Mode, x.Nlink, x.Uid, x.Gid)
	names := s.see(sortedNames, unix.SYS_LLISTXATTR, path, out(1024), 1024)
	fmt.Fprint(b, " attributes", names)
	for _, name := range strings.Fields(names.text) {
		fmt.Fprint(b, s.see(raw, unix.SYS_LGETXATTR, path, name, out(4096), 4096))
	}
	switch x.Mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		fd, _ := s.call(unix.SYS_OPENAT, atCwd, path, unix.O_RDONLY|unix.O_NOATIME, 0)
		data := make([]byte, x.Size)
		n, errno := s.call(unix.SYS_PREAD64, fd, data, len(data), 0)
		fmt.Fprintf(b, " size %d blocks %d read %d %v %s", x.Size, x.Blocks, n, errno, squeezed(data))
		s.call(unix.SYS_CLOSE, fd)
	case syscall.S_IFLNK:
		fmt.Fprintf(b, " blocks %d to %v", x.Blocks, s.see(raw, unix.SYS_READLINKAT, atCwd, path, out(300), 300))
	case syscall.S_IFDIR:
		fd, _ := s.call(unix.SYS_OPENAT, atCwd, path, unix.O_RDONLY|unix.O_DIRECTORY, 0)
		list := entries(s, fd, 4096).text
		s.call(unix.SYS_CLOSE, fd)
		for _, e := range strings.Fields(list) {
			if name, _, _ := strings.Cut(e, ":"); name != "." && name != ".." {
				s.walk(b, path+"/"+name)
			}
		}
	}
}

// squeezed shows bytes as runs of one.
func squeezed(data []byte) string {
	var b strings.Builder
	for len(data) > 0 {
		rest := data
		for len(rest) > 0 && rest[0] == data[0] {
			rest = rest[1:]
		}
		fmt.Fprintf(&b, "%d*%q ", len(data)-len(rest), data[0])
		data = rest
	}
	return b.String()
}
