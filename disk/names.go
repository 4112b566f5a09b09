package disk

import "syscall"

// entry checks that an entry can be made in a directory, and returns what it
// names now, or 0.
func (d *Disk) entry(dir Ino, name string) (Ino, syscall.Errno) {
	in := d.inode(dir)
	switch {
	case in.kind != Directory:
		return 0, syscall.ENOTDIR
	case len(name) > MaxName:
		return 0, syscall.ENAMETOOLONG
	case in.links == 0:
		return 0, syscall.ENOENT
	}
	ino, _ := in.dir.find(name)
	return ino, 0
}

// Create makes a file, fifo or socket.
func (d *Disk) Create(dir Ino, name string, k Kind, mode uint32, now int64) (Ino, syscall.Errno) {
	return d.create(dir, name, k, mode, now)
}

// Mkdir makes a directory.
func (d *Disk) Mkdir(dir Ino, name string, mode uint32, now int64) (Ino, syscall.Errno) {
	return d.create(dir, name, Directory, mode, now)
}

// Symlink makes a symlink to target.
func (d *Disk) Symlink(target string, dir Ino, name string, now int64) (Ino, syscall.Errno) {
	if target == "" {
		return 0, syscall.ENOENT
	}
	if len(target) > maxPath {
		return 0, syscall.ENAMETOOLONG
	}
	ino, errno := d.create(dir, name, Symlink, 0o777, now)
	if errno == 0 {
		d.inode(ino).target = target
	}
	return ino, errno
}

// Readlink returns what a symlink points to.
func (d *Disk) Readlink(ino Ino) (string, syscall.Errno) {
	if in := d.inode(ino); in.kind == Symlink {
		return in.target, 0
	}
	return "", syscall.EINVAL
}

func (d *Disk) create(dir Ino, name string, k Kind, mode uint32, now int64) (Ino, syscall.Errno) {
	old, errno := d.entry(dir, name)
	if errno != 0 {
		return 0, errno
	}
	if old != 0 {
		return 0, syscall.EEXIST
	}
	if k == Directory && d.inode(dir).dir.subdirs >= maxLinks-2 {
		return 0, syscall.EMLINK
	}
	in := d.newInode(k, mode, now)
	in.inherit(d.inode(dir))
	d.edit(now, edit{dir, name, 0, in.ino}, edit{})
	return in.ino, 0
}

// inherit gives an inode the group of its directory, if that says so.
func (in *inode) inherit(dir *inode) {
	if dir.mode&syscall.S_ISGID == 0 {
		return
	}
	in.gid = dir.gid
	if in.kind == Directory {
		in.mode |= syscall.S_ISGID
	}
}

// Unnamed makes a file without a name, as if in a directory, and opens it.
// [Disk.Link] can give it its first name if it is linkable; until then a crash leaves
// nothing of it.
func (d *Disk) Unnamed(dir Ino, mode uint32, l Linkable, now int64) Ino {
	in := d.newInode(File, mode, now)
	in.inherit(d.inode(dir))
	in.opens, in.linkable = 1, l == MayLink
	return in.ino
}

// Linkable says whether a file without a name may ever get one.
type Linkable uint8

// Whether a file without a name may get one.
const (
	MayLink Linkable = iota
	NeverLink
)

// Link gives an inode one more name.
func (d *Disk) Link(ino, dir Ino, name string, now int64) syscall.Errno {
	old, errno := d.entry(dir, name)
	in := d.inode(ino)
	switch {
	case errno != 0:
		return errno
	case old != 0:
		return syscall.EEXIST
	case in.kind == Directory:
		return syscall.EPERM
	case in.links == 0 && !in.linkable:
		return syscall.ENOENT
	case in.links >= maxLinks:
		return syscall.EMLINK
	}
	in.times.Change, in.linkable = now, false
	d.edit(now, edit{dir, name, 0, ino}, edit{})
	return 0
}

// Unlink removes a name of what is no directory. What is open lives on.
func (d *Disk) Unlink(dir Ino, name string, now int64) syscall.Errno {
	ino, ok := d.inode(dir).dir.find(name)
	if !ok {
		return syscall.ENOENT
	}
	in := d.inode(ino)
	if in.kind == Directory {
		return syscall.EISDIR
	}
	in.times.Change = now
	d.edit(now, edit{dir, name, ino, 0}, edit{})
	return 0
}

// Rmdir removes an empty directory.
func (d *Disk) Rmdir(dir Ino, name string, now int64) syscall.Errno {
	ino, ok := d.inode(dir).dir.find(name)
	if !ok {
		return syscall.ENOENT
	}
	in := d.inode(ino)
	if in.kind != Directory {
		return syscall.ENOTDIR
	}
	if len(in.dir.byName) != 0 {
		return syscall.ENOTEMPTY
	}
	d.edit(now, edit{dir, name, ino, 0}, edit{})
	return 0
}

// RenameMode says what a rename does if the new name is taken.
type RenameMode uint8

// What may be done if the new name is taken.
const (
	RenameReplace RenameMode = iota
	RenameNoReplace
	RenameExchange
)

// Rename gives what is at one place the name of another.
func (d *Disk) Rename(from, to Place, mode RenameMode, now int64) syscall.Errno {
	src, ok := d.inode(from.Dir).dir.find(from.Name)
	if !ok {
		return syscall.ENOENT
	}
	dst, errno := d.entry(to.Dir, to.Name)
	switch {
	case errno != 0:
		return errno
	case mode == RenameNoReplace && dst != 0:
		return syscall.EEXIST
	case mode == RenameExchange && dst == 0:
		return syscall.ENOENT
	}
	if errno := d.mayRename(src, dst, from.Dir, to.Dir, mode); errno != 0 || src == dst {
		return errno
	}
	d.inode(src).times.Change = now
	if mode == RenameExchange {
		d.inode(dst).times.Change = now
		d.edit(now, edit{from.Dir, from.Name, src, dst}, edit{to.Dir, to.Name, dst, src})
		return 0
	}
	if dst != 0 {
		d.inode(dst).times.Change = now
		d.flushRenamed(d.inode(src))
	}
	d.edit(now, edit{from.Dir, from.Name, src, 0}, edit{to.Dir, to.Name, dst, src})
	return 0
}

func (d *Disk) mayRename(src, dst, fromDir, toDir Ino, mode RenameMode) syscall.Errno {
	s := d.inode(src)
	if s.kind == Directory && d.within(toDir, src) {
		return syscall.EINVAL
	}
	if dst == 0 {
		return 0
	}
	t := d.inode(dst)
	if t.kind == Directory && d.within(fromDir, dst) {
		if mode == RenameExchange {
			return syscall.EINVAL
		}
		return syscall.ENOTEMPTY
	}
	if mode == RenameExchange || src == dst {
		return 0
	}
	switch {
	case s.kind == Directory && t.kind != Directory:
		return syscall.ENOTDIR
	case s.kind != Directory && t.kind == Directory:
		return syscall.EISDIR
	case len(t.dir.byName) != 0:
		return syscall.ENOTEMPTY
	}
	return 0
}

// within reports whether a directory is another or below it.
func (d *Disk) within(dir, top Ino) bool {
	for dir != top {
		if dir == Root {
			return false
		}
		dir = d.inode(dir).parent
	}
	return true
}

// flushRenamed makes the data of a file durable that is renamed over another, as
// ext4 does by default (auto_da_alloc). Operations on its size come first, so
// that the data is not cut again.
func (d *Disk) flushRenamed(in *inode) {
	if d.cfg.Mode != Ext4 || in.kind != File || in.listed == 0 {
		return
	}
	for n := len(d.jour.ops); n > 0; n-- {
		if o := &d.jour.ops[n-1]; o.kind == opSize && o.ino == in.ino {
			d.commitFirst(n)
			break
		}
	}
	d.flush(in)
}

// edit changes entries, as one operation.
func (d *Disk) edit(now int64, a, b edit) {
	o := op{kind: opName, edits: [2]edit{a, b}}
	for _, e := range o.edits {
		if e.dir == 0 {
			continue
		}
		d.apply(e)
		in := d.inode(e.dir)
		in.times.Modify, in.times.Change = now, now
		d.observe(EventName, e.dir, int64(e.new), int64(e.old))
	}
	d.log(o)
	for _, e := range o.edits {
		if e.old != 0 && d.inodes[e.old] != nil {
			d.reap(d.inode(e.old))
		}
	}
}

// apply makes one edit of the names as they read now.
func (d *Disk) apply(e edit) {
	t := d.inode(e.dir)
	if e.old != 0 {
		in := d.inode(e.old)
		t.dir.remove(e.name)
		in.links--
		if in.kind == Directory {
			t.dir.subdirs--
		}
	}
	if e.new != 0 {
		in := d.inode(e.new)
		t.dir.add(e.name, e.new, in.kind)
		in.links++
		if in.kind == Directory {
			t.dir.subdirs++
			in.parent = e.dir
		}
	}
}

// undo takes the edits of an operation back.
func (d *Disk) undo(o *op) {
	for i := len(o.edits) - 1; i >= 0; i-- {
		if e := o.edits[i]; e.dir != 0 {
			d.apply(edit{e.dir, e.name, e.new, e.old})
		}
	}
}
