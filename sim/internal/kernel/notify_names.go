package kernel

import (
	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

// kept reports whether somebody watches an inode or has it open; 0 is none.
func (h *Host) kept(ino disk.Ino) bool { return ino != 0 && h.Disk.Opens(ino) > 0 }

// unnamed notes that an entry of an inode was removed, while the inode is kept by
// those who watch it or have it open.
func (h *Host) unnamed(k *Kernel, ino disk.Ino, at entry) {
	for f := h.files; f != nil; f = f.next {
		if f.ino == ino && f.at == at {
			f.at.gone = true
		}
	}
	at.gone = true
	h.ended(k, ino, at)
}

// ended tells those who watch an inode of its end, if that has come: it has no
// name, and nobody has it open by the entry through which it was looked at.
func (h *Host) ended(k *Kernel, ino disk.Ino, at entry) {
	watches := h.watches[ino]
	if len(watches) == 0 {
		return
	}
	s := h.Disk.Stat(ino)
	if s.Links > 0 || s.Kind == disk.Directory && h.Disk.Opens(ino) > len(watches) {
		return
	}
	for f := h.files; f != nil; f = f.next {
		if f.ino == ino && f.at == at {
			return
		}
	}
	h.notify(k, ino, fileEvent{mask: unix.IN_DELETE_SELF})
	for len(h.watches[ino]) > 0 {
		k.unwatch(h.watches[ino][0])
	}
}

// renamed has open files follow a rename that was done, and tells of it.
func (h *Host) renamed(k *Kernel, from, to disk.Place, mode disk.RenameMode) {
	old, new := entryOf(from), entryOf(to)
	for f := h.files; f != nil; f = f.next {
		switch {
		case f.ino == from.Ino && f.at == old:
			f.at = new
		case f.ino == to.Ino && f.at == new && mode == disk.RenameExchange:
			f.at = old
		case f.ino == to.Ino && f.at == new:
			f.at.gone = true
		}
	}
	if h.watching == 0 {
		return
	}
	m := move{ino: from.Ino, from: old, to: new}
	if mode == disk.RenameExchange {
		h.tellMoved(k, m)
		h.tellMoved(k, move{ino: to.Ino, from: new, to: old})
		return
	}
	m.replaced = to.Ino
	h.tellMoved(k, m)
	if to.Ino != 0 {
		new.gone = true
		h.ended(k, to.Ino, new)
	}
}

// move is a change of an inode's entry.
type move struct {
	ino      disk.Ino
	from, to entry
	replaced disk.Ino // what was at the new place, 0 if nothing
}

// tellMoved tells of a move: the cookie joins its two sides.
func (h *Host) tellMoved(k *Kernel, m move) {
	h.renames++
	kind := ofKind(h.Disk.Stat(m.ino).Kind)
	h.notify(k, m.from.dir, fileEvent{mask: unix.IN_MOVED_FROM | kind, cookie: h.renames, name: m.from.name})
	h.notify(k, m.to.dir, fileEvent{mask: unix.IN_MOVED_TO | kind, cookie: h.renames, name: m.to.name})
	if len(h.watches[m.replaced]) > 0 {
		h.notify(k, m.replaced, fileEvent{mask: unix.IN_ATTRIB | ofKind(h.Disk.Stat(m.replaced).Kind)})
	}
	h.notify(k, m.ino, fileEvent{mask: unix.IN_MOVE_SELF})
}
