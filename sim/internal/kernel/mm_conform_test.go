package kernel

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

const (
	arenaPages = 12
	filePages  = 6
	readWrite  = unix.PROT_READ | unix.PROT_WRITE
)

// arenas is on both kernels memory, in which mappings are replaced by others, and a file.
type arenas struct {
	pair
	base   map[*side]uintptr
	copied bool // of the file, by private mappings
}

// TestPlacedMappingsConformToLinux puts mappings in place of others.
func TestPlacedMappingsConformToLinux(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t2 *rapid.T) {
		m := newMachine(t, 1, HostConfig{})
		defer m.k.Close()
		a := &arenas{pair: pair{sim: &side{caller: m}, real: &side{caller: realLinux{}}}, base: map[*side]uintptr{}}
		defer a.close()
		a.start(t2, dir)
		t2.Repeat(map[string]func(*rapid.T){
			"":         a.compare,
			"place":    a.place,
			"place2":   a.place,
			"protect":  a.protect,
			"store":    a.store,
			"store2":   a.store,
			"write":    a.write,
			"truncate": a.truncate,
		})
		a.step(t2, "munmap", func(s *side) result {
			_, errno := s.call(unix.SYS_MUNMAP, a.base[s], arenaPages*pageSize)
			return result{0, errno, ""}
		})
		if n := len(m.p.maps); n != 0 {
			t2.Fatalf("%d mappings are left, want none", n)
		}
	})
}

func (a *arenas) start(t *rapid.T, dir string) {
	for s, path := range map[*side]string{a.sim: "/f", a.real: dir + "/f"} {
		fd, errno := s.call(unix.SYS_OPENAT, atCwd, path, unix.O_CREAT|unix.O_TRUNC|unix.O_RDWR, 0o600)
		if errno == 0 {
			s.fds = append(s.fds, fd)
			_, errno = s.call(unix.SYS_FTRUNCATE, fd, filePages*pageSize)
		}
		if errno == 0 {
			a.base[s], errno = s.call(unix.SYS_MMAP, nil, arenaPages*pageSize, readWrite, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS, -1, 0)
		}
		if errno != 0 {
			t.Fatal(errno)
		}
	}
}

// pages draws a range of pages.
func pages(t *rapid.T, of int) (from, n int) {
	from = rapid.IntRange(0, of-1).Draw(t, "from")
	return from, rapid.IntRange(1, of-from).Draw(t, "pages")
}

func (a *arenas) place(t *rapid.T) {
	off, n := pages(t, filePages)
	to := rapid.IntRange(0, arenaPages-n).Draw(t, "to")
	kind := rapid.SampledFrom([]int{unix.MAP_SHARED, unix.MAP_SHARED, unix.MAP_PRIVATE, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS}).Draw(t, "kind")
	how := rapid.SampledFrom([]int{unix.MAP_FIXED, unix.MAP_FIXED, unix.MAP_FIXED, unix.MAP_FIXED_NOREPLACE}).Draw(t, "how")
	a.copied = a.copied || kind == unix.MAP_PRIVATE
	odd := rapid.SampledFrom([]int{0, 0, 0, 0, 16}).Draw(t, "odd")
	a.step(t, fmt.Sprintf("mmap(+%d, %d pages, %#x, off %d, odd %d)", to, n, kind|how, off, odd), func(s *side) result {
		at := a.base[s] + uintptr(to*pageSize+odd)
		r1, errno := s.call(unix.SYS_MMAP, at, n*pageSize, readWrite, kind|how, s.fds[0], off*pageSize)
		if errno != 0 {
			return result{0, errno, ""}
		}
		if kind == unix.MAP_PRIVATE {
			// What is written to the file from now on is seen in the pages of a private
			// mapping that were not written to, or not: either is right.
			for i := range n {
				*bytePointer(r1 + uintptr(i*pageSize)) = 'p'
			}
		}
		return result{r1 - a.base[s], errno, ""}
	})
}

func (a *arenas) protect(t *rapid.T) {
	from, n := pages(t, arenaPages)
	a.step(t, fmt.Sprintf("mprotect(+%d, %d pages)", from, n), func(s *side) result {
		_, errno := s.call(unix.SYS_MPROTECT, a.base[s]+uintptr(from*pageSize), n*pageSize, readWrite)
		return result{0, errno, ""}
	})
}

// store changes memory, in all mappings of what it is of.
func (a *arenas) store(t *rapid.T) {
	at := uintptr(rapid.IntRange(0, arenaPages*8-1).Draw(t, "at") * pageSize / 8)
	v := rapid.Byte().Draw(t, "value")
	a.step(t, fmt.Sprintf("store %d at %d", v, at), func(s *side) result {
		*bytePointer(a.base[s] + at) = v
		return result{}
	})
}

func (a *arenas) write(t *rapid.T) {
	off := rapid.IntRange(0, filePages*pageSize-100).Draw(t, "off")
	b := rapid.SliceOfN(rapid.Byte(), 1, 100).Draw(t, "bytes")
	a.step(t, fmt.Sprintf("pwrite(%d, %d)", len(b), off), func(s *side) result {
		n, errno := s.call(unix.SYS_PWRITE64, s.fds[0], b, len(b), off)
		return result{n, errno, ""}
	})
}

// truncate takes the file's end away and gives it back, as zeros. Linux takes it from
// private mappings too.
func (a *arenas) truncate(t *rapid.T) {
	if a.copied {
		t.Skip()
	}
	size := rapid.IntRange(0, filePages*pageSize).Draw(t, "size")
	a.step(t, fmt.Sprintf("ftruncate(%d)", size), func(s *side) result {
		_, errno := s.call(unix.SYS_FTRUNCATE, s.fds[0], size)
		if errno == 0 {
			_, errno = s.call(unix.SYS_FTRUNCATE, s.fds[0], filePages*pageSize)
		}
		return result{0, errno, ""}
	})
}

// compare looks at the memory and at the file.
func (a *arenas) compare(t *rapid.T) {
	a.step(t, "look", func(s *side) result {
		b := make([]byte, filePages*pageSize)
		n, errno := s.call(unix.SYS_PREAD64, s.fds[0], b, len(b), 0)
		return result{n, errno, held(bytesAt(a.base[s], arenaPages*pageSize)) + " and the file " + held(b)}
	})
}

// held names the bytes that are not zero.
func held(b []byte) string {
	var out strings.Builder
	for i, c := range b {
		if c != 0 {
			fmt.Fprintf(&out, "%d:%d ", i, c)
		}
	}
	return out.String()
}

func bytePointer(p uintptr) *byte { return at[byte](p) }

// TestFixedMappings are those that Linux may allow, but a simulated process must not have.
func TestFixedMappings(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	defer m.k.Close()
	fd := m.open("/f", unix.O_CREAT|unix.O_RDWR)
	m.must(unix.SYS_FTRUNCATE, fd, pageSize)
	file := m.must(unix.SYS_MMAP, nil, pageSize, readWrite, unix.MAP_SHARED, fd, 0)
	for name, at := range map[string]uintptr{"Go's": 0xc000000000, "a file's": file} {
		if _, errno := m.call(unix.SYS_MMAP, at, pageSize, readWrite, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_FIXED, -1, 0); errno != syscall.ENOMEM {
			t.Errorf("a mapping in place of %s memory: %v, want ENOMEM", name, errno)
		}
	}
}

// TestAliases: an alias is of the file's own memory, also once it has grown and
// moved, and keeps what it is of like any mapping.
func TestAliases(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	defer m.k.Close()
	fd := m.open("/f", unix.O_CREAT|unix.O_RDWR)
	m.must(unix.SYS_FTRUNCATE, fd, 4*pageSize)
	own := m.must(unix.SYS_MMAP, nil, 4*pageSize, readWrite, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS, -1, 0)
	alias := m.must(unix.SYS_MMAP, own+pageSize, pageSize, readWrite, unix.MAP_SHARED|unix.MAP_FIXED, fd, pageSize)
	moved := m.must(unix.SYS_MREMAP, alias, pageSize, 2*pageSize, unix.MREMAP_MAYMOVE)
	m.must(unix.SYS_CLOSE, fd)
	*bytePointer(moved) = 'a'
	*bytePointer(moved + pageSize) = 'b'
	if got := m.readAll("/f"); got[pageSize] != 'a' || got[2*pageSize] != 'b' {
		t.Errorf("the file holds %q and %q, want what was stored in its alias", got[pageSize], got[2*pageSize])
	}
	m.must(unix.SYS_MSYNC, moved, 2*pageSize, unix.MS_SYNC)
	*bytePointer(moved) = 'c'
	if r := m.k.CrashHost(m.h); r.PagesKept+r.PagesLost != 1 {
		t.Errorf("%+v, want one page that was not synced", r)
	}
	m.p = m.start()
	if got := m.readAll("/f"); got[2*pageSize] != 'b' {
		t.Error("what an alias synced was lost")
	}
}

// TestParting: after a fork the copy of an alias is of the copy of its file. The
// fork's part is played by memory that is filled anew, as in the copy.
func TestParting(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	defer m.k.Close()
	fd := m.open("/f", unix.O_CREAT|unix.O_RDWR)
	m.must(unix.SYS_FTRUNCATE, fd, 2*pageSize)
	own := m.must(unix.SYS_MMAP, nil, 3*pageSize, readWrite, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS, -1, 0)
	m.must(unix.SYS_MMAP, own, pageSize, readWrite, unix.MAP_SHARED|unix.MAP_FIXED, fd, pageSize)
	m.must(unix.SYS_PWRITE64, fd, []byte("before"), 6, pageSize)
	shared, _ := syscall.Dup(int(m.k.memory.backed[0].fd))
	defer syscall.Close(shared)
	if errno := m.k.Part(); errno != 0 {
		t.Fatal(errno)
	}
	copy(bytesAt(own, 6), "after!")
	if got := m.readAll("/f")[pageSize:]; got[:6] != "after!" {
		t.Errorf("the file holds %q, want what was stored in its alias", got[:6])
	}
	b := make([]byte, 6)
	if syscall.Pread(shared, b, pageSize); string(b) != "before" {
		t.Errorf("the memory that was parted from holds %q, want it as it was", b)
	}
}
