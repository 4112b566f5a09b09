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

// Resolve resolves a path from a directory to the entry that it stands for; only
// the last part may be missing. What the entry names may be of any kind.
func (d *Disk) Resolve(from Ino, path string, last Last) (Place, syscall.Errno) {
	if path == "" {
		return Place{}, syscall.ENOENT
	}
	if len(path) > maxPath {
		return Place{}, syscall.ENAMETOOLONG
	}
	loops := 0
	return d.walk(from, path, last, &loops)
}

func (d *Disk) walk(at Ino, path string, last Last, loops *int) (Place, syscall.Errno) {
	if path[0] == '/' {
		at = Root
	}
	p := Place{Dir: at, Name: "/", Ino: at}
	rest := strings.TrimLeft(path, "/")
	for rest != "" {
		name, more, slash := strings.Cut(rest, "/")
		rest = strings.TrimLeft(more, "/")
		p = Place{Name: name, Slash: slash && rest == ""}
		if errno := d.step(at, &p); errno != 0 {
			return Place{}, errno
		}
		if p.Ino != 0 && d.inode(p.Ino).kind == Symlink && (rest != "" || last == Follow) {
			if *loops++; *loops > maxLoops {
				return Place{}, syscall.ELOOP
			}
			to, errno := d.walk(at, d.inode(p.Ino).target, Follow, loops)
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
func (d *Disk) step(at Ino, p *Place) syscall.Errno {
	in := d.inode(at)
	if in.kind != Directory {
		return syscall.ENOTDIR
	}
	p.Dir = at
	switch p.Name {
	case ".":
		p.Ino = at
		return 0
	case "..":
		p.Ino = in.parent
		return 0
	}
	if len(p.Name) > MaxName {
		return syscall.ENAMETOOLONG
	}
	p.Ino, _ = in.dir.find(p.Name)
	return 0
}
