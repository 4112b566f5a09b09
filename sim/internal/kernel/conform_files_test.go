package kernel

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

var filesCalls = flag.Int("files.calls", 0, "how many random calls on files are compared with Linux's; 0 is a sample, the same every time")

// workDir is where both processes work: ".." does not lead out of it soon.
const workDir = "/w/p/q/r/s/t/u"

// twins is two processes of each kernel that work on the same files. Their calls are
// the same, down to the numbers of descriptors.
type twins struct {
	*pair // the process whose turn it is
	procs [2]*pair
	calls int
	// taken says that a write by O_DIRECT failed: on ext4 it may have taken space.
	taken bool
}

func newTwins(t testing.TB, rt *rapid.T, root string) *twins {
	dir, err := os.MkdirTemp(root, "")
	if err != nil {
		rt.Fatal(err)
	}
	for _, sub := range []string{"proc", workDir} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			rt.Fatal(err)
		}
	}
	first := newMachine(t, 1, HostConfig{})
	if _, errno := first.h.Disk.MkdirAll(workDir, 0o755, first.k.Now()); errno != 0 {
		rt.Fatal(errno)
	}
	second := *first
	second.p, second.last = first.start(), 1<<32
	tw := &twins{}
	for i, m := range []*machineUnderTest{first, &second} {
		l, err := startLinuxProcess(dir)
		if err != nil {
			rt.Fatal(err)
		}
		tw.procs[i] = &pair{sim: &side{caller: m}, real: &side{caller: l}}
		tw.pair = tw.procs[i]
		for fd := 3; fd < l.first; fd++ {
			m.must(unix.SYS_OPENAT, atCwd, "/dev/null", unix.O_RDONLY)
		}
		tw.try(rt, "chdir", unix.SYS_CHDIR, workDir)
		tw.open(rt, ".", unix.O_DIRECTORY)
	}
	rt.Cleanup(func() {
		for _, p := range tw.procs {
			p.real.caller.(*linuxProcess).exit()
		}
		os.RemoveAll(dir)
	})
	return tw
}

// fdOf, as an argument of a call, is the descriptor of a slot.
type fdOf int

// out, as an argument of a call, is memory of so many bytes that the call fills.
type out int

// inOut is memory that the call reads and changes.
type inOut []byte

// inOutOf returns the memory of a value.
func inOutOf[T any](v T) inOut {
	return slices.Clone(unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v)))
}

// as reads memory as a T.
func as[T any](b []byte) *T { return (*T)(unsafe.Pointer(unsafe.SliceData(b))) }

// raw shows memory as it is, as runs of one byte.
func raw(b [][]byte) string {
	var out strings.Builder
	for _, b := range b {
		out.WriteString("[" + squeezed(b) + "]")
	}
	return out.String()
}

// try makes one call on both sides and compares what it answers and what is in its
// memory afterwards.
func (tw *twins) try(t *rapid.T, name string, nr uintptr, args ...any) result {
	return tw.see(t, raw, name, nr, args...)
}

// see is try that compares what show makes of the memory.
func (tw *twins) see(t *rapid.T, show func([][]byte) string, name string, nr uintptr, args ...any) result {
	tw.calls++
	what := fmt.Sprintf("process %d: %s%s", slices.Index(tw.procs[:], tw.pair), name, tw.text(args))
	r := tw.step(t, what, func(s *side) result { return s.see(show, nr, args...) })
	tw.taken = tw.taken || r.errno == syscall.EINVAL && tw.direct(args)
	t.Logf("%s = %v", what, r)
	return r
}

// paged returns n bytes at the start of a page, as O_DIRECT may need them.
func paged(n int) []byte {
	b := make([]byte, n+2*pageSize)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) % pageSize
	return b[skip : int(skip)+n : int(skip)+n+1]
}

// direct reports whether one of a call's arguments is a descriptor with O_DIRECT.
func (tw *twins) direct(args []any) bool {
	for _, a := range args {
		if f, ok := a.(fdOf); ok {
			if d := tw.description(f); d != nil && d.flags&unix.O_DIRECT != 0 {
				return true
			}
		}
	}
	return false
}

// text shows arguments, of descriptors their numbers.
func (tw *twins) text(args []any) string {
	words := make([]string, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case fdOf:
			words[i] = fmt.Sprint("fd ", tw.sim.fds[a])
		case string:
			words[i] = strconv.Quote(a)
		case out:
			words[i] = "out"
		default:
			words[i] = fmt.Sprint(a)
		}
		words[i] = words[i][:min(len(words[i]), 60)]
	}
	return "(" + strings.Join(words, ", ") + ")"
}

func (s *side) see(show func([][]byte) string, nr uintptr, args ...any) result {
	words, memory := make([]any, len(args)), [][]byte(nil)
	for i, a := range args {
		switch a := a.(type) {
		case fdOf:
			words[i] = s.fds[a]
		case out:
			memory = append(memory, paged(int(a)))
			words[i] = memory[len(memory)-1]
		case []byte:
			words[i] = append(paged(len(a))[:0], a...)
		case inOut:
			memory = append(memory, slices.Clone(a))
			words[i] = memory[len(memory)-1]
		default:
			words[i] = a
		}
	}
	r1, errno := s.call(nr, words...)
	text := ""
	if errno == 0 {
		text = show(memory)
	}
	return result{r1, errno, text}
}

// keep makes a slot of the descriptor that a call answered.
func (tw *twins) keep(r result) result {
	if r.errno == 0 && !slices.Contains(tw.sim.fds, r.r1) {
		tw.sim.fds = append(tw.sim.fds, r.r1)
		tw.real.fds = append(tw.real.fds, r.r1)
	}
	return r
}

func (tw *twins) open(t *rapid.T, path string, flags int) result {
	return tw.keep(tw.try(t, "open", unix.SYS_OPENAT, atCwd, path, flags, 0))
}

// fd draws a slot; its descriptor may be closed.
func (tw *twins) fd(t *rapid.T) fdOf {
	return fdOf(rapid.IntRange(0, len(tw.sim.fds)-1).Draw(t, "fd"))
}

// near draws the number of a descriptor that is open or may be so soon, but for that
// of the first slot.
func (tw *twins) near(t *rapid.T) int {
	return int(tw.sim.fds[0]) + rapid.IntRange(1, 10).Draw(t, "number")
}

// dir draws what a relative path starts from.
func (tw *twins) dir(t *rapid.T) any {
	switch rapid.IntRange(0, 9).Draw(t, "dir") {
	case 0:
		return tw.fd(t)
	case 1, 2, 3:
		return fdOf(0)
	}
	return atCwd
}

// inodeFd draws a slot of what has an inode of a disk, or is closed: others have
// attributes of their own on Linux, which nobody looks at.
func (tw *twins) inodeFd(t *rapid.T) fdOf {
	f := tw.fd(t)
	switch tw.object(int(f)).(type) {
	case nil, *file:
		return f
	}
	return 0
}

// description returns what a slot is on the simulated side, or nil.
func (tw *twins) description(f fdOf) *description {
	return tw.sim.caller.(*machineUnderTest).p.fd(tw.sim.fds[f])
}

// inode returns the open file of a slot on the simulated side, or nil.
func (tw *twins) inode(f fdOf) *file {
	if d := tw.description(f); d != nil {
		if o, ok := d.obj.(*file); ok {
			return o
		}
	}
	return nil
}

var fileNames = []string{"a", "b", "c", "d"}

// path draws a path of up to three parts, with dots and slashes at times.
func drawPath(t *rapid.T) string {
	parts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 19).Draw(t, "kind") {
		case 0:
			return "."
		case 1:
			return ".."
		case 2:
			return "missing"
		}
		return rapid.SampledFrom(fileNames).Draw(t, "name")
	}), 1, 3).Draw(t, "parts")
	path := strings.Join(parts, "/")
	switch rapid.IntRange(0, 19).Draw(t, "shape") {
	case 0, 1:
		path += "/"
	case 2:
		path = workDir + "/" + path
	case 3:
		path = strings.Repeat("n", 256)
	}
	return path
}

func pick[T any](t *rapid.T, label string, of ...T) T { return rapid.SampledFrom(of).Draw(t, label) }

// odds draws true once in n times.
func odds(t *rapid.T, n int) bool { return rapid.IntRange(1, n).Draw(t, "odds") == 1 }

// TestFilesConformToLinux makes the same random calls on files on both kernels, and
// compares all that they answer and leave. By itself it makes the same calls every
// time: -files.calls explores.
func TestFilesConformToLinux(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("simulated processes are root: compare as root")
	}
	root := ext4Dir(t)
	compare(t, *filesCalls, func(rt *rapid.T) int {
		tw := newTwins(t, rt, root)
		rt.Repeat(tw.actions())
		tw.compareTrees(rt)
		return tw.calls
	})
}

func (tw *twins) actions() map[string]func(*rapid.T) {
	actions := map[string]func(*rapid.T){"": func(*rapid.T) {}}
	for _, family := range []map[string]func(*rapid.T){
		tw.descriptorCalls(), tw.nameCalls(), tw.dataCalls(), tw.attributeCalls(),
		tw.xattrCalls(), tw.lockCalls(), tw.watchCalls(), tw.pipeCalls(),
	} {
		maps.Copy(actions, family)
	}
	for name, act := range actions {
		if name != "" {
			actions[name] = func(t *rapid.T) {
				tw.pair = tw.procs[0]
				if odds(t, 4) {
					tw.pair = tw.procs[1]
				}
				act(t)
			}
		}
	}
	return actions
}

// descriptorCalls are those on descriptors themselves.
func (tw *twins) descriptorCalls() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"close": func(t *rapid.T) {
			if f := tw.fd(t); f != 0 {
				tw.try(t, "close", unix.SYS_CLOSE, f)
			}
		},
		"close-range": func(t *rapid.T) {
			from := tw.near(t)
			tw.try(t, "close_range", unix.SYS_CLOSE_RANGE, from, from+rapid.IntRange(-1, 2).Draw(t, "n"), pick(t, "flags", 0, 4, 4, 1))
		},
		"dup": func(t *rapid.T) {
			tw.keep(tw.try(t, "dup", unix.SYS_DUP, tw.fd(t)))
		},
		"dup3": func(t *rapid.T) {
			tw.keep(tw.try(t, "dup3", unix.SYS_DUP3, tw.fd(t), tw.near(t), pick(t, "flags", 0, unix.O_CLOEXEC, unix.O_NONBLOCK)))
		},
		"dupfd": func(t *rapid.T) {
			cmd := pick(t, "cmd", unix.F_DUPFD, unix.F_DUPFD_CLOEXEC)
			tw.keep(tw.try(t, "dupfd", unix.SYS_FCNTL, tw.fd(t), cmd, pick(t, "least", 0, tw.near(t))))
		},
		"flags": func(t *rapid.T) {
			tw.try(t, "fcntl", unix.SYS_FCNTL, tw.fd(t), pick(t, "cmd", unix.F_GETFL, unix.F_GETFD), 0)
		},
		"set-flags": func(t *rapid.T) {
			f, to := tw.fd(t), pick(t, "to", 0, unix.O_APPEND, unix.O_DIRECT, unix.O_NOATIME|unix.O_APPEND, unix.O_SYNC)
			if tw.inode(f) == nil {
				to &^= unix.O_DIRECT // a pipe of packets, which is refused
			}
			tw.try(t, "fcntl", unix.SYS_FCNTL, f, unix.F_SETFL, to|unix.O_NONBLOCK)
		},
		"set-cloexec": func(t *rapid.T) {
			tw.try(t, "fcntl", unix.SYS_FCNTL, tw.fd(t), unix.F_SETFD, rapid.IntRange(0, 1).Draw(t, "to"))
		},
	}
}

func result0(errno syscall.Errno) result { return result{0, errno, ""} }
