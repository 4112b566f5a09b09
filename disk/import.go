package disk

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"syscall"
)

// MkdirAll makes a directory and those above it that are missing, and returns it.
func (d *Disk) MkdirAll(name string, mode uint32, now int64) (Ino, syscall.Errno) {
	at := Root
	for part := range strings.SplitSeq(name, "/") {
		if part == "" {
			continue
		}
		p, errno := d.Resolve(at, part, Follow)
		if errno == 0 && p.Ino == 0 {
			p.Ino, errno = d.Mkdir(p.Dir, p.Name, mode, now)
		}
		if errno != 0 {
			return 0, errno
		}
		if at = p.Ino; d.inode(at).kind != Directory {
			return 0, syscall.ENOTDIR
		}
	}
	return at, 0
}

// WriteFile makes or replaces a file by its absolute path, with the directories
// above it.
func (d *Disk) WriteFile(name string, data []byte, mode uint32, now int64) syscall.Errno {
	dir, errno := d.MkdirAll(path.Dir(name), 0o755, now)
	if errno != 0 {
		return errno
	}
	p, errno := d.Resolve(dir, path.Base(name), Follow)
	if errno == 0 && p.Ino == 0 {
		p.Ino, errno = d.Create(p.Dir, p.Name, File, mode, now)
	}
	if errno != 0 {
		return errno
	}
	if d.inode(p.Ino).kind != File {
		return syscall.EISDIR
	}
	d.Truncate(p.Ino, 0, now)
	if len(data) == 0 {
		return 0
	}
	n, errno := d.write(d.inode(p.Ino), data, 0, now)
	if errno == 0 && n < len(data) {
		errno = syscall.ENOSPC
	}
	return errno
}

// Install is WriteFile, with a file that is durable at once whatever faults the
// disk has, and so are the directories above it.
func (d *Disk) Install(name string, data []byte, mode uint32, now int64) syscall.Errno {
	if errno := d.WriteFile(name, data, mode, now); errno != 0 {
		return errno
	}
	for at := path.Clean(name); ; at = path.Dir(at) {
		ino, errno := d.Lookup(Root, at, Follow)
		if errno != 0 {
			return errno
		}
		in := d.inode(ino)
		d.commit(in)
		d.flush(in)
		if at == "/" {
			return 0
		}
	}
}

// ReadFile returns the content of a file by its absolute path.
func (d *Disk) ReadFile(name string) ([]byte, syscall.Errno) {
	ino, errno := d.Lookup(Root, name, Follow)
	if errno != 0 {
		return nil, errno
	}
	in := d.inode(ino)
	if in.kind != File {
		return nil, syscall.EISDIR
	}
	b := make([]byte, in.size)
	d.read(in, b, 0)
	return b, 0
}

// Import puts the files of a file system below a directory of the disk. They are
// durable at once, and with them everything that the disk holds.
func (d *Disk) Import(files fs.FS, below string, now int64) error {
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		at := path.Join("/", below, name)
		mode := uint32(info.Mode().Perm())
		var errno syscall.Errno
		switch info.Mode().Type() {
		case fs.ModeDir:
			_, errno = d.MkdirAll(at, mode|0o700, now)
		case 0:
			var data []byte
			if data, err = fs.ReadFile(files, name); err != nil {
				return err
			}
			errno = d.WriteFile(at, data, mode, now)
		default:
			return fmt.Errorf("disk %s: import of %s: it is a %v: want only files and directories", d.name, name, info.Mode().Type())
		}
		if errno != 0 {
			return fmt.Errorf("disk %s: import of %s to %s: %w", d.name, name, at, errno)
		}
		return nil
	})
	d.settleAll()
	return err
}
