package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// nameCalls are those on names.
func (tw *twins) nameCalls() map[string]func(*rapid.T) {
	at := func(name string, nr uintptr, more func(t *rapid.T) any) func(*rapid.T) {
		return func(t *rapid.T) { tw.try(t, name, nr, tw.dir(t), drawPath(t), more(t)) }
	}
	mode := func(t *rapid.T) any { return pick(t, "mode", 0o755, 0o700, 0o1777, 0o4711, 0o644) }
	calls := map[string]func(*rapid.T){
		"open":    tw.openSome,
		"openat2": tw.openat2,
		"reopen":  tw.reopen,
		"mkdir":   at("mkdir", unix.SYS_MKDIRAT, mode),
		"unlink":  at("unlink", unix.SYS_UNLINKAT, func(t *rapid.T) any { return 0 }),
		"rmdir":   at("rmdir", unix.SYS_UNLINKAT, func(t *rapid.T) any { return pick(t, "flags", unix.AT_REMOVEDIR, unix.AT_REMOVEDIR, 1) }),
		"mknod": at("mknod", unix.SYS_MKNODAT, func(t *rapid.T) any {
			return pick(t, "mode", syscall.S_IFREG|0o644, 0o600, syscall.S_IFIFO|0o600, syscall.S_IFSOCK|0o666, syscall.S_IFDIR|0o755, 0o170000)
		}),
		"rename":   tw.rename,
		"link":     tw.link,
		"symlink":  tw.symlink,
		"readlink": tw.readlink,
		"list":     tw.list,
		"getcwd": func(t *rapid.T) {
			tw.try(t, "getcwd", unix.SYS_GETCWD, out(100), pick(t, "size", 100, 5))
		},
		"chdir": func(t *rapid.T) {
			path := drawPath(t)
			if tw.try(t, "chdir", unix.SYS_CHDIR, path); !odds(t, 4) {
				tw.try(t, "chdir", unix.SYS_CHDIR, workDir)
			}
		},
		"fchdir": func(t *rapid.T) {
			tw.try(t, "fchdir", unix.SYS_FCHDIR, tw.fd(t))
			tw.try(t, "getcwd", unix.SYS_GETCWD, out(100), 100)
			tw.try(t, "chdir", unix.SYS_CHDIR, workDir)
		},
	}
	for _, often := range []string{"open", "open", "mkdir", "unlink", "rename", "rename", "link", "symlink"} {
		calls[often+fmt.Sprint(len(calls))] = calls[often]
	}
	return calls
}

// openBits draws flags of an open.
func openBits(t *rapid.T) int {
	flags := pick(t, "access", unix.O_RDONLY, unix.O_WRONLY, unix.O_RDWR, unix.O_RDWR, unix.O_RDWR, 3) | unix.O_NONBLOCK
	for _, f := range []struct{ flag, odds int }{
		{unix.O_CREAT, 2}, {unix.O_EXCL, 6}, {unix.O_TRUNC, 6}, {unix.O_APPEND, 6}, {unix.O_DIRECTORY, 8}, {unix.O_NOFOLLOW, 8},
		{unix.O_PATH, 15}, {unix.O_TMPFILE, 15}, {unix.O_CLOEXEC, 4}, {unix.O_DIRECT, 12}, {unix.O_SYNC, 12}, {unix.O_DSYNC, 12}, {unix.O_NOATIME, 12},
	} {
		if odds(t, f.odds) {
			flags |= f.flag
		}
	}
	return flags
}

func drawMode(t *rapid.T) int { return pick(t, "mode", 0o644, 0o600, 0o4755) }

func (tw *twins) openSome(t *rapid.T) {
	tw.keep(tw.try(t, "open", unix.SYS_OPENAT, tw.dir(t), drawPath(t), openBits(t), drawMode(t)))
}

func (tw *twins) openat2(t *rapid.T) {
	how := openHow{flags: uint64(openBits(t)), resolve: pick[uint64](t, "resolve", 0, unix.RESOLVE_BENEATH, unix.RESOLVE_IN_ROOT,
		unix.RESOLVE_NO_SYMLINKS, unix.RESOLVE_NO_XDEV, unix.RESOLVE_NO_MAGICLINKS, unix.RESOLVE_BENEATH|unix.RESOLVE_NO_SYMLINKS, 0x18)}
	if how.flags&(unix.O_CREAT|tmpFile) != 0 || odds(t, 8) {
		how.mode = uint64(drawMode(t))
	}
	size := pick(t, "size", 24, 24, 24, 23, 32)
	tw.keep(tw.try(t, "openat2", unix.SYS_OPENAT2, tw.dir(t), drawPath(t), append(inOutOf(how), make([]byte, 8)...), size))
}

// reopen opens what a descriptor is of by its name in /proc.
func (tw *twins) reopen(t *rapid.T) {
	f := tw.inodeFd(t)
	if odds(t, 4) {
		f = tw.pipeEnd(t)
	}
	if _, ok := tw.object(int(f)).(*inotify); ok {
		return // by O_PATH it is nothing here
	}
	name := fmt.Sprintf("/proc/thread-self/fd/%d", tw.sim.fds[f])
	if odds(t, 3) {
		how := openHow{flags: unix.O_RDONLY | unix.O_NONBLOCK, resolve: pick[uint64](t, "resolve", 0, unix.RESOLVE_NO_MAGICLINKS, unix.RESOLVE_NO_XDEV)}
		tw.keep(tw.try(t, "openat2", unix.SYS_OPENAT2, atCwd, name, inOutOf(how), 24))
		return
	}
	flags := openBits(t)
	if flags&unix.O_CREAT != 0 {
		flags &^= unix.O_EXCL
	}
	tw.keep(tw.try(t, "open", unix.SYS_OPENAT, atCwd, name, flags, 0o644))
}

func (tw *twins) rename(t *rapid.T) {
	tw.try(t, "rename", unix.SYS_RENAMEAT2, tw.dir(t), drawPath(t), tw.dir(t), drawPath(t),
		pick(t, "flags", 0, 0, 0, unix.RENAME_NOREPLACE, unix.RENAME_EXCHANGE, unix.RENAME_EXCHANGE, 3, 16))
}

func (tw *twins) link(t *rapid.T) {
	flags := pick(t, "flags", 0, 0, unix.AT_SYMLINK_FOLLOW, unix.AT_EMPTY_PATH, unix.AT_SYMLINK_FOLLOW, 1)
	switch {
	case flags == unix.AT_EMPTY_PATH:
		tw.try(t, "link", unix.SYS_LINKAT, tw.fd(t), "", tw.dir(t), drawPath(t), flags)
	case flags == unix.AT_SYMLINK_FOLLOW && odds(t, 2):
		name := fmt.Sprintf("/proc/thread-self/fd/%d", tw.sim.fds[tw.fd(t)])
		tw.try(t, "link", unix.SYS_LINKAT, atCwd, name, tw.dir(t), drawPath(t), flags)
	default:
		tw.try(t, "link", unix.SYS_LINKAT, tw.dir(t), drawPath(t), tw.dir(t), drawPath(t), flags)
	}
}

func (tw *twins) symlink(t *rapid.T) {
	// Creating a file by a loop of symlinks whose targets end in slashes is EISDIR
	// on Linux and ELOOP here.
	to := strings.TrimSuffix(drawPath(t), "/")
	if odds(t, 6) {
		to = workDir + strings.Repeat("/", pick(t, "slashes", 46, 47)-len(workDir)) + to
	}
	tw.try(t, "symlink", unix.SYS_SYMLINKAT, to, tw.dir(t), drawPath(t))
}

func (tw *twins) readlink(t *rapid.T) {
	if odds(t, 4) {
		name := fmt.Sprintf("/proc/thread-self/fd/%d", tw.sim.fds[tw.fd(t)])
		tw.calls++
		tw.step(t, "readlink "+name, func(s *side) result {
			r := s.see(withoutNumbers, unix.SYS_READLINKAT, atCwd, name, out(200), 200)
			return result{0, r.errno, strings.TrimRight(r.text, "\x00")}
		})
		return
	}
	tw.try(t, "readlink", unix.SYS_READLINKAT, tw.dir(t), drawPath(t), out(7), pick(t, "size", 7, 7, 0, -1))
}

// list reads a directory from its start, or from an entry that it saw.
func (tw *twins) list(t *rapid.T) {
	f, size := tw.fd(t), pick(t, "size", 10, 64, 4096)
	if o := tw.inode(f); o != nil && o.kind == 0 {
		tw.try(t, "getdents64", unix.SYS_GETDENTS64, f, out(size), size)
		return
	}
	tw.calls++
	tw.step(t, fmt.Sprintf("list(%d, %d)", tw.sim.fds[f], size), func(s *side) result {
		s.call(unix.SYS_LSEEK, s.fds[f], 0, 0)
		r := entries(s, s.fds[f], size)
		if r.errno == 0 {
			r.text += again(s, s.fds[f])
		}
		s.call(unix.SYS_LSEEK, s.fds[f], 0, 0)
		return r
	})
}

// dirent is one entry that getdents answered.
type dirent struct {
	text string
	next int64
}

func dirents64(b []byte) (out []dirent) {
	for len(b) > 0 {
		size := binary.NativeEndian.Uint16(b[16:])
		name, _, _ := bytes.Cut(b[19:size], []byte{0})
		out = append(out, dirent{fmt.Sprintf("%s:%d", name, b[18]), int64(binary.NativeEndian.Uint64(b[8:]))})
		b = b[size:]
	}
	return out
}

// entries is what getdents answers, sorted: the order is the file system's.
func entries(s *side, fd uintptr, size int) result {
	var all []string
	b := make([]byte, size)
	for {
		n, errno := s.call(unix.SYS_GETDENTS64, fd, b, size)
		if errno != 0 {
			return result0(errno)
		}
		if n == 0 {
			break
		}
		for _, e := range dirents64(b[:n]) {
			all = append(all, e.text)
		}
	}
	slices.Sort(all)
	return result{0, 0, strings.Join(all, " ")}
}

// again checks that a seek to what an entry says comes next leads there.
func again(s *side, fd uintptr) string {
	s.call(unix.SYS_LSEEK, fd, 0, 0)
	b := make([]byte, 4096)
	n, _ := s.call(unix.SYS_GETDENTS64, fd, b, len(b))
	all := dirents64(b[:n])
	for i, e := range all[:max(len(all)-1, 0)] {
		s.call(unix.SYS_LSEEK, fd, e.next, 0)
		n, _ := s.call(unix.SYS_GETDENTS64, fd, b, len(b))
		if rest := dirents64(b[:n]); len(rest) != len(all)-i-1 || rest[0].text != all[i+1].text {
			return fmt.Sprintf("; after %v comes %v of %v", e, rest, all)
		}
	}
	return ""
}
