package disk

import (
	"strings"
	"syscall"
)

// Limits of names, in bytes, as on Linux.
const (
	MaxName  = 255
	maxPath  = 4095
	maxLinks = 65000
	maxLoops = 40 // symlinks followed in one look-up
)

// Last says what a look-up does with a path that ends in a symlink.
type Last uint8

// What may be done with a symlink at the end.
const (
	Follow Last = iota
	NoFollow
)

// Place is where a path leads: an entry of a directory, there or not.
type Place struct {
	Dir  Ino
	Name string // of the entry; "/", "." or ".." if the path ends in such
	Ino  Ino    // what the entry names, 0 if there is none
	// Slash says that the path ends in one: it must name a directory.
	Slash bool
}

// Special reports whether the path ends in "/", "." or "..", which is no entry.
func (p Place) Special() bool { return p.Name == "/" || p.Name == "." || p.Name == ".." }

// Lookup resolves a path from a directory to what there is. A path that ends in a
// slash follows a last symlink and leads to a directory.
func (d *Disk) Lookup(from Ino, path string, last Last) (Ino, syscall.Errno) {
	if strings.HasSuffix(path, "/") {
		last = Follow
	}
	p, errno := d.Resolve(from, path, last)
	if errno != 0 {
		return 0, errno
	}
	if p.Ino == 0 {
		return 0, syscall.ENOENT
	}
	if p.Slash && d.inode(p.Ino).kind != Directory {
		return 0, syscall.ENOTDIR
	}
	return p.Ino, 0
}

// Scope says where a look-up may lead, as openat2(2) has it. The zero value is
// anywhere.
type Scope uint8

// Where a look-up may lead. They combine, but for Beneath with InRoot.
const (
	Beneath    Scope = 1 << iota // not out of the directory that it starts from
	InRoot                       // that directory is the root
	NoSymlinks                   // through no symlink
	NoAbsolute                   // through no symlink to an absolute path
)

// Resolve resolves a path from a directory to the entry that it stands for; only
// the last part may be missing. What the entry names may be of any kind. Of a path
// whose last part alone is too long it returns the place too.
func (d *Disk) Resolve(from Ino, path string, last Last) (Place, syscall.Errno) {
	return d.ResolveIn(from, path, last, 0)
}

// ResolveIn is [Disk.Resolve] within a scope. A path that leads out of it is EXDEV,
// and one that has a symlink where there may be none is ELOOP.
func (d *Disk) ResolveIn(from Ino, path string, last Last, scope Scope) (Place, syscall.Errno) {
	if path == "" {
		return Place{}, syscall.ENOENT
	}
	if len(path) > maxPath {
		return Place{}, syscall.ENAMETOOLONG
	}
	w := walk{d: d, root: Root, scope: scope}
	if scope&(Beneath|InRoot) != 0 {
		w.root = from
	}
	return w.walk(from, path, last)
}

// walk is one look-up.
type walk struct {
	d     *Disk
	root  Ino
	scope Scope
	loops int // symlinks followed
}

func (w *walk) walk(at Ino, path string, last Last) (Place, syscall.Errno) {
	d := w.d
	if path[0] == '/' {
		if w.scope&Beneath != 0 {
			return Place{}, syscall.EXDEV
		}
		at = w.root
	}
	p := Place{Dir: at, Name: "/", Ino: at}
	rest := strings.TrimLeft(path, "/")
	for rest != "" {
		name, more, slash := strings.Cut(rest, "/")
		rest = strings.TrimLeft(more, "/")
		p = Place{Name: name, Slash: slash && rest == ""}
		if errno := w.step(at, &p); errno != 0 {
			if errno == syscall.ENAMETOOLONG && rest == "" {
				return p, errno
			}
			return Place{}, errno
		}
		if p.Ino != 0 && d.inode(p.Ino).kind == Symlink && (rest != "" || last == Follow) {
			if w.loops++; w.loops > maxLoops || w.scope&NoSymlinks != 0 {
				return Place{}, syscall.ELOOP
			}
			target := d.inode(p.Ino).target
			if target[0] == '/' && w.scope&NoAbsolute != 0 {
				return Place{}, syscall.EXDEV
			}
			to, errno := w.walk(at, target, Follow)
			if errno != 0 {
				return Place{}, errno
			}
			to.Slash = to.Slash || p.Slash
			p = to
		}
		if rest == "" {
			break
		}
		if p.Ino == 0 {
			return Place{}, syscall.ENOENT
		}
		if d.inode(p.Ino).kind != Directory {
			return Place{}, syscall.ENOTDIR
		}
		at = p.Ino
	}
	return p, 0
}

// step looks p.Name up in a directory.
func (w *walk) step(at Ino, p *Place) syscall.Errno {
	in := w.d.inode(at)
	if in.kind != Directory {
		return syscall.ENOTDIR
	}
	p.Dir = at
	switch p.Name {
	case ".":
		p.Ino = at
		return 0
	case "..":
		switch {
		case at != w.root:
			p.Ino = in.parent
		case w.scope&Beneath != 0:
			return syscall.EXDEV
		default:
			p.Ino = at
		}
		return 0
	}
	if len(p.Name) > MaxName {
		return syscall.ENAMETOOLONG
	}
	p.Ino, _ = in.dir.find(p.Name)
	return 0
}
