package disk

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/orrery-sim/orrery/sim/choice"
)

// model is a disk of files in one directory, as plainly as can be.
type model struct {
	d     *Disk
	names map[string]Ino
	files map[Ino]*modelFile
	// history is the names after each operation that was not made durable; its
	// first is the state that is.
	history []map[string]Ino
	touched map[Ino]int // by inode: the last place in history that touched it
}

type modelFile struct {
	now, durable []byte
	// clean says that nothing changed since durable was noted.
	clean bool
	// cut says that the size was set since: then either may have been cut.
	cut bool
}

func newModel(t *rapid.T) *model {
	cfg := Config{Mode: Mode(rapid.IntRange(0, 1).Draw(t, "mode"))}
	m := &model{d: New(cfg, choice.New(rapid.Uint64().Draw(t, "seed")), "n1")}
	m.reset()
	return m
}

// reset takes what the disk holds, all durable, as the state.
func (m *model) reset() {
	m.names, m.files, m.touched = map[string]Ino{}, map[Ino]*modelFile{}, map[Ino]int{}
	m.d.ReadDir(Root, 0, func(e Entry) bool {
		m.names[e.Name] = e.Ino
		b, _ := m.d.ReadFile("/" + e.Name)
		m.files[e.Ino] = &modelFile{now: b, durable: slices.Clone(b), clean: true}
		return true
	})
	m.history = []map[string]Ino{maps.Clone(m.names)}
}

// named notes that the names changed.
func (m *model) named(touched ...Ino) {
	m.history = append(m.history, maps.Clone(m.names))
	for _, ino := range append(touched, Root) {
		m.touched[ino] = len(m.history) - 1
	}
}

// settled makes the names durable up to a place in the history.
func (m *model) settled(n int) {
	m.history = m.history[n:]
	for ino := range m.touched {
		m.touched[ino] = max(0, m.touched[ino]-n)
	}
}

func drawName(t *rapid.T) string { return rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name") }

func (m *model) pick(t *rapid.T) (string, Ino, *modelFile) {
	name := drawName(t)
	ino := m.names[name]
	if ino == 0 {
		t.Skip("no such file")
	}
	return name, ino, m.files[ino]
}

func (m *model) create(t *rapid.T) {
	name := drawName(t)
	ino, errno := m.d.Create(Root, name, File, 0o644, 1)
	if m.names[name] != 0 {
		if errno == 0 {
			t.Fatalf("%s was made twice", name)
		}
		return
	}
	m.names[name] = ino
	m.files[ino] = &modelFile{clean: true}
	m.named(ino)
}

func (m *model) unlink(t *rapid.T) {
	name, ino, _ := m.pick(t)
	if errno := m.d.Unlink(Root, name, 1); errno != 0 {
		t.Fatal(errno)
	}
	delete(m.names, name)
	m.named(ino)
}

func (m *model) link(t *rapid.T) {
	_, ino, _ := m.pick(t)
	to := drawName(t)
	if errno := m.d.Link(ino, Root, to, 1); (errno == 0) == (m.names[to] != 0) {
		t.Fatalf("link to %s: %v", to, errno)
	} else if errno == 0 {
		m.names[to] = ino
		m.named(ino)
	}
}

func (m *model) rename(t *rapid.T) {
	from, ino, f := m.pick(t)
	to := drawName(t)
	mode := RenameMode(rapid.IntRange(0, 2).Draw(t, "rename"))
	errno := m.d.Rename(Place{Dir: Root, Name: from}, Place{Dir: Root, Name: to}, mode, 1)
	old := m.names[to]
	switch {
	case mode == RenameNoReplace && old != 0, mode == RenameExchange && old == 0:
		if errno == 0 {
			t.Fatalf("rename %s to %s, mode %d: want an error", from, to, mode)
		}
		return
	case errno != 0:
		t.Fatal(errno)
	case old == ino:
		return
	case mode == RenameExchange:
		m.names[from], m.names[to] = old, ino
	default:
		delete(m.names, from)
		m.names[to] = ino
		if old != 0 && m.d.Mode() == Ext4 {
			f.durable, f.clean, f.cut = slices.Clone(f.now), true, false
		}
	}
	m.named(ino, old)
}

func (m *model) write(t *rapid.T) {
	_, ino, f := m.pick(t)
	off := rapid.IntRange(0, 3*PageSize).Draw(t, "off")
	b := fill(byte(rapid.IntRange('a', 'z').Draw(t, "byte")), rapid.IntRange(1, 2*PageSize).Draw(t, "n"))
	if n, errno := m.d.WriteAt(ino, b, int64(off), 1); n != len(b) || errno != 0 {
		t.Fatal(n, errno)
	}
	if grow := off + len(b) - len(f.now); grow > 0 {
		f.now = append(f.now, make([]byte, grow)...)
	}
	copy(f.now[off:], b)
	f.clean = false
}

func (m *model) truncate(t *rapid.T) {
	_, ino, f := m.pick(t)
	size := rapid.IntRange(0, 4*PageSize).Draw(t, "size")
	if errno := m.d.Truncate(ino, int64(size), 1); errno != 0 {
		t.Fatal(errno)
	}
	if size != len(f.now) {
		f.now = append(f.now, make([]byte, max(0, size-len(f.now)))...)[:size]
		f.clean, f.cut = false, true
		// It is an operation of the journal too, that changes no name.
		m.history = append(m.history, maps.Clone(m.names))
		m.touched[ino] = len(m.history) - 1
	}
}

func (m *model) punch(t *rapid.T) {
	_, ino, f := m.pick(t)
	off := rapid.IntRange(0, len(f.now)).Draw(t, "off")
	n := rapid.IntRange(1, 2*PageSize).Draw(t, "n")
	if errno := m.d.Allocate(ino, AllocatePunch, int64(off), int64(n), 1); errno != 0 {
		t.Fatal(errno)
	}
	clear(f.now[off:min(off+n, len(f.now))])
	f.clean = false
}

func (m *model) fsync(t *rapid.T) {
	_, ino, f := m.pick(t)
	if errno := m.d.Fsync(ino); errno != 0 {
		t.Fatal(errno)
	}
	f.durable, f.clean, f.cut = slices.Clone(f.now), true, false
	if m.d.Mode() == Ext4 {
		m.settled(m.touched[ino])
	}
}

func (m *model) syncDir(t *rapid.T) {
	if errno := m.d.Fsync(Root); errno != 0 {
		t.Fatal(errno)
	}
	m.settled(m.touched[Root])
}

func (m *model) syncAll(t *rapid.T) {
	m.d.SyncAll()
	m.settled(len(m.history) - 1)
	for _, f := range m.files {
		f.durable, f.clean, f.cut = slices.Clone(f.now), true, false
	}
}

// check compares what can be read with the model.
func (m *model) check(t *rapid.T) {
	names := map[string]Ino{}
	m.d.ReadDir(Root, 0, func(e Entry) bool {
		names[e.Name] = e.Ino
		return true
	})
	if !maps.Equal(names, m.names) {
		t.Fatalf("names %v, want %v", names, m.names)
	}
	pages := int64(0)
	seen := map[Ino]bool{}
	for name, ino := range m.names {
		b, _ := m.d.ReadFile("/" + name)
		if string(b) != string(m.files[ino].now) {
			t.Fatalf("%s reads otherwise than it was written", name)
		}
		if !seen[ino] {
			seen[ino] = true
			pages += m.d.Stat(ino).Blocks / 8
		}
	}
	if u := m.d.Usage(); u.Used != pages {
		t.Fatalf("%d pages are used, want %d", u.Used, pages)
	}
}

func (m *model) crash(t *rapid.T) {
	m.d.Crash()
	names := map[string]Ino{}
	m.d.ReadDir(Root, 0, func(e Entry) bool {
		names[e.Name] = e.Ino
		return true
	})
	if m.d.Mode() == Ext4 {
		if !slices.ContainsFunc(m.history, func(h map[string]Ino) bool { return maps.Equal(h, names) }) {
			t.Fatalf("names %v after a crash, want one of %v", names, m.history)
		}
	} else {
		for _, name := range []string{"a", "b", "c"} {
			if !slices.ContainsFunc(m.history, func(h map[string]Ino) bool { return h[name] == names[name] }) {
				t.Fatalf("%s is %d after a crash, want what it was in one of %v", name, names[name], m.history)
			}
		}
	}
	for name, ino := range names {
		b, errno := m.d.ReadFile("/" + name)
		if errno != 0 {
			t.Fatal(errno)
		}
		m.files[ino].checkCrashed(t, name, b)
	}
	m.reset()
	m.check(t)
}

// checkCrashed checks what a crash left of a file.
func (f *modelFile) checkCrashed(t *rapid.T, name string, b []byte) {
	if f.clean {
		if string(b) != string(f.durable) {
			t.Fatalf("%s was synced, and is not intact after a crash", name)
		}
		return
	}
	if f.cut {
		return // sizes in between are too many to tell; the enumeration covers them
	}
	if len(b) < len(f.durable) || len(b) > len(f.now) {
		t.Fatalf("%s has %d bytes after a crash, want %d to %d", name, len(b), len(f.durable), len(f.now))
	}
	sector := func(of []byte, s int) string {
		part := make([]byte, 512)
		if s < len(of) {
			copy(part, of[s:])
		}
		return string(part[:min(512, len(b)-s)])
	}
	for s := 0; s < len(b); s += 512 {
		if got := sector(b, s); got != sector(f.now, s) && got != sector(f.durable, s) {
			t.Fatalf("%s: the sector at %d is neither what was durable nor what was written", name, s)
		}
	}
}

func TestDiskAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newModel(t)
		t.Repeat(map[string]func(*rapid.T){
			"":         m.check,
			"create":   m.create,
			"unlink":   m.unlink,
			"link":     m.link,
			"rename":   m.rename,
			"write":    m.write,
			"write2":   m.write,
			"truncate": m.truncate,
			"punch":    m.punch,
			"fsync":    m.fsync,
			"syncdir":  m.syncDir,
			"syncall":  m.syncAll,
			"crash":    m.crash,
		})
	})
}

// A tree of directories moved about stays a tree after any crash.
func TestCrashLeavesATree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{Mode: Mode(rapid.IntRange(0, 1).Draw(t, "mode"))}
		d := New(cfg, choice.New(1), "n1")
		for _, dir := range []string{"/a/a", "/a/b/a", "/b/a/c", "/b/c", "/c/b/b"} {
			if _, errno := d.MkdirAll(dir, 0o755, 1); errno != 0 {
				t.Fatal(errno)
			}
		}
		d.SyncAll()
		for range rapid.IntRange(1, 20).Draw(t, "ops") {
			p, q := treePlace(t, d), treePlace(t, d)
			switch rapid.IntRange(0, 11).Draw(t, "op") {
			case 0, 10:
				d.Mkdir(p.Dir, p.Name, 0o755, 1)
			case 1, 11:
				d.Create(p.Dir, p.Name, File, 0o755, 1)
			case 2:
				d.Rmdir(p.Dir, p.Name, 1)
			case 3:
				d.Unlink(p.Dir, p.Name, 1)
			case 4:
				d.Fsync(p.Dir)
			default:
				d.Rename(p, q, RenameMode(rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "rename")), 1)
			}
			checkTree(t, d)
		}
		seed := rapid.Uint64().Draw(t, "seed")
		for i := range uint64(20) {
			image := d.clone()
			c := crash{d: image, pick: choice.New(seed + i).Stream("crash"), fate: fateOpen}
			c.run()
			checkTree(t, image)
		}
	})
}

// treePlace draws a place up to three directories deep.
func treePlace(t *rapid.T, d *Disk) Place {
	at := Place{Dir: Root, Name: drawName(t)}
	for range rapid.IntRange(0, 2).Draw(t, "depth") {
		ino, ok := d.inode(at.Dir).dir.find(at.Name)
		if !ok || d.inode(ino).kind != Directory {
			break
		}
		at = Place{Dir: ino, Name: drawName(t)}
	}
	return at
}

// checkTree checks that every inode is reached by as many entries as it counts,
// and every directory from its parent.
func checkTree(t *rapid.T, d *Disk) {
	links := map[Ino]int{Root: 1}
	var visit func(dir Ino, depth int)
	visit = func(dir Ino, depth int) {
		if depth > 50 {
			t.Fatal("a directory is within itself")
		}
		subdirs := 0
		d.ReadDir(dir, 0, func(e Entry) bool {
			links[e.Ino]++
			if e.Kind == Directory {
				subdirs++
				if d.Parent(e.Ino) != dir {
					t.Fatalf("directory %d is in %d, and says that it is in %d", e.Ino, dir, d.Parent(e.Ino))
				}
				visit(e.Ino, depth+1)
			}
			return true
		})
		if got := d.Stat(dir).Links; got != 2+subdirs {
			t.Fatalf("directory %d has %d links, want %d", dir, got, 2+subdirs)
		}
	}
	visit(Root, 0)
	for ino, in := range d.inodes {
		if in != nil && in.links != links[Ino(ino)] {
			t.Fatalf("inode %d has %d links, want %d", ino, in.links, links[Ino(ino)])
		}
		if in != nil && in.links == 0 && in.holds == 0 {
			t.Fatalf("inode %d is kept for nothing", ino)
		}
	}
}

func TestImportIsDurable(t *testing.T) {
	modes(t, func(t *testing.T, cfg Config) {
		withSeeds(10, cfg, func(_ uint64, d *Disk) {
			files := fstest.MapFS{}
			for i := range 20 {
				files[fmt.Sprintf("d%d/f%d", i%3, i)] = &fstest.MapFile{Data: fill('a', i*500), Mode: 0o640}
			}
			if err := d.Import(files, "/srv", 1); err != nil {
				t.Fatal(err)
			}
			if r := d.Crash(); !r.Lossless() {
				t.Fatalf("an import lost %+v", r)
			}
			for name, f := range files {
				b, errno := d.ReadFile("/srv/" + name)
				ok(t, errno)
				if string(b) != string(f.Data) {
					t.Fatalf("%s is not what was imported", name)
				}
				if s := d.Stat(at(t, d, "srv/"+name)); fs.FileMode(s.Mode) != 0o640 {
					t.Fatalf("%s has mode %o, want 640", name, s.Mode)
				}
			}
		})
	})
}

func TestInstallIsDurable(t *testing.T) {
	modes(t, func(t *testing.T, cfg Config) {
		withSeeds(20, cfg, func(_ uint64, d *Disk) {
			d.SetFaults(Faults{WriteError: 1, SyncError: 0.5, SyncLie: 1})
			ok(t, d.Install("/etc/deep/hosts", fill('a', 9000), 0o644, 1))
			for i := range 5 {
				put(t, d, fmt.Sprint("unsynced", i), fill('b', 9000))
			}
			ok(t, d.Install("/etc/deep/hosts", fill('c', 5000), 0o644, 1))
			d.Crash()
			if got := text(t, d, "etc/deep/hosts"); got != string(fill('c', 5000)) {
				t.Fatalf("%d bytes are left of a file that was installed, or others", len(got))
			}
		})
	})
}
