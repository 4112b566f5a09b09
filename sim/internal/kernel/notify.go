package kernel

import (
	"slices"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

// entry is the name that an inode was reached by. That of an open file follows a
// rename, and stays when the name is removed: those who watch the directory are
// told of what happens to the file all the same.
type entry struct {
	dir  disk.Ino // 0 if there is none, as of the root
	name string
	gone bool
}

// entryOf returns the entry at a place: none if the path ends in no name.
func entryOf(at disk.Place) entry {
	if at.Special() {
		return entry{}
	}
	return entry{dir: at.Dir, name: at.Name}
}

// entryOfDir returns the only entry of a directory; ok is false if there is none.
func (h *Host) entryOfDir(ino disk.Ino) (e entry, ok bool) {
	if ino == disk.Root || h.Disk.Stat(ino).Links == 0 {
		return entry{}, false
	}
	dir := h.Disk.Parent(ino)
	return entry{dir: dir, name: h.Disk.NameIn(dir, ino)}, true
}

// notify tells those who watch an inode.
func (h *Host) notify(k *Kernel, ino disk.Ino, e fileEvent) {
	for _, w := range slices.Clone(h.watches[ino]) {
		if w.mask&e.mask&inotifyEvents == 0 || e.unlinked && w.mask&unix.IN_EXCL_UNLINK != 0 {
			continue
		}
		e.wd = w.wd
		w.of.put(k, e)
		if w.mask&unix.IN_ONESHOT != 0 {
			k.unwatch(w)
		}
	}
}

// named tells those who watch a directory of an entry that came or went.
func (k *Kernel) named(h *Host, at entry, kind disk.Kind, event uint32) {
	if h.watching > 0 {
		h.notify(k, at.dir, fileEvent{mask: event | ofKind(kind), name: at.name})
	}
}

func ofKind(kind disk.Kind) uint32 {
	if kind == disk.Directory {
		return unix.IN_ISDIR
	}
	return 0
}

// tell tells of what happens to an open file.
func (f *file) tell(k *Kernel, event uint32) {
	if f.host.watching > 0 && f.flags&unix.O_PATH == 0 {
		f.host.happened(k, f.ino, f.at, fileEvent{mask: event, unlinked: f.at.gone})
	}
}

// changed tells of a change to the attributes or the size of a target.
func (k *Kernel) changed(t target, event uint32) {
	if t.onDisk() && t.host.watching > 0 {
		t.host.happened(k, t.ino, t.at, fileEvent{mask: event})
	}
}

// happened tells those who watch the directory that an inode is in, and then those
// who watch the inode.
func (h *Host) happened(k *Kernel, ino disk.Ino, at entry, e fileEvent) {
	if kind := h.Disk.Stat(ino).Kind; kind == disk.Directory {
		e.mask |= ofKind(kind)
		if live, ok := h.entryOfDir(ino); ok {
			at = live
		}
	}
	if at.dir != 0 {
		e.name = at.name
		h.notify(k, at.dir, e)
	}
	e.name = ""
	h.notify(k, ino, e)
}
