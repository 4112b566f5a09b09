package disk

import (
	"slices"
	"strings"
	"syscall"
)

// Limits of extended attributes, as on Linux, and the room that ext4 has for those
// of one inode: in an inode of 256 bytes, and in one block beside it.
const (
	MaxXattrName   = 255
	MaxXattrValue  = 65536
	xattrRoomInode = 96 - 4 - xattrEnd
	xattrRoomBlock = PageSize - 32 - xattrEnd
	xattrEnd       = 4 // bytes that end the list
	xattrEntry     = 16
)

// xattr is an extended attribute.
type xattr struct {
	name  string
	value []byte // never changed in place
	block bool   // it is in the block, not in the inode
}

// room is what the attribute takes up. The prefix of its name is a number.
func (x *xattr) room() int {
	_, suffix, _ := strings.Cut(x.name, ".")
	return xattrEntry + (len(suffix)+3)&^3 + (len(x.value)+3)&^3
}

// Xattr returns an extended attribute; what it returns must not be changed.
func (d *Disk) Xattr(ino Ino, name string) ([]byte, syscall.Errno) {
	in := d.inode(ino)
	if i := in.xattr(name); i >= 0 {
		return in.xattrs[i].value, 0
	}
	return nil, syscall.ENODATA
}

// Xattrs returns the names of an inode's extended attributes, in the order in
// which they were set first.
func (d *Disk) Xattrs(ino Ino) []string {
	var names []string
	for _, x := range d.inode(ino).xattrs {
		names = append(names, x.name)
	}
	return names
}

func (in *inode) xattr(name string) int {
	return slices.IndexFunc(in.xattrs, func(x xattr) bool { return x.name == name })
}

// XattrMode says which attributes may be set.
type XattrMode uint8

// Which attributes may be set.
const (
	XattrAny     XattrMode = 0
	XattrCreate  XattrMode = 1 // one that there is not
	XattrReplace XattrMode = 2 // one that there is
)

// SetXattr sets an extended attribute: one operation, which survives a crash whole
// or not at all. ENOSPC says that the inode has no room for it.
func (d *Disk) SetXattr(ino Ino, name string, value []byte, mode XattrMode, now int64) syscall.Errno {
	in := d.inode(ino)
	i := in.xattr(name)
	switch {
	case i < 0 && mode&XattrReplace != 0:
		return syscall.ENODATA
	case i >= 0 && mode&XattrCreate != 0:
		return syscall.EEXIST
	case len(value) > MaxXattrValue:
		return syscall.E2BIG
	case i >= 0 && string(in.xattrs[i].value) == string(value):
		return 0
	}
	x := xattr{name: name, value: append([]byte{}, value...)}
	if x.block = in.xattrRoom(name, false)+x.room() > xattrRoomInode; x.block && in.xattrRoom(name, true)+x.room() > xattrRoomBlock {
		return syscall.ENOSPC
	}
	d.changeXattr(in, xattrEdit{old: in.xattrCopy(i), new: &x}, now)
	return 0
}

// xattrRoom is what the attributes but one take up, in the inode or in the block.
func (in *inode) xattrRoom(but string, block bool) (n int) {
	for i := range in.xattrs {
		if x := &in.xattrs[i]; x.name != but && x.block == block {
			n += x.room()
		}
	}
	return n
}

func (in *inode) xattrCopy(i int) *xattr {
	if i < 0 {
		return nil
	}
	x := in.xattrs[i]
	return &x
}

// RemoveXattr removes an extended attribute.
func (d *Disk) RemoveXattr(ino Ino, name string, now int64) syscall.Errno {
	in := d.inode(ino)
	i := in.xattr(name)
	if i < 0 {
		return syscall.ENODATA
	}
	d.changeXattr(in, xattrEdit{old: in.xattrCopy(i)}, now)
	return 0
}

// xattrEdit changes an attribute; nil is none.
type xattrEdit struct{ old, new *xattr }

func (e xattrEdit) name() string {
	if e.old != nil {
		return e.old.name
	}
	return e.new.name
}

func (d *Disk) changeXattr(in *inode, e xattrEdit, now int64) {
	in.applyXattr(e)
	in.times.Change = now
	d.observe(EventXattr, in.ino, 0, int64(len(in.xattrs)))
	d.log(op{kind: opXattr, ino: in.ino, xattr: e})
}

func (in *inode) applyXattr(e xattrEdit) {
	switch {
	case e.old == nil:
		in.xattrs = append(in.xattrs, *e.new)
	case e.new == nil:
		i := in.xattr(e.old.name)
		in.xattrs = slices.Delete(in.xattrs, i, i+1)
	default:
		in.xattrs[in.xattr(e.old.name)] = *e.new
	}
}

// undoXattr takes an edit back. An attribute that comes back is the last.
func (in *inode) undoXattr(e xattrEdit) { in.applyXattr(xattrEdit{old: e.new, new: e.old}) }

func (in *inode) sortedXattrs() []xattr {
	if len(in.xattrs) == 0 {
		return nil
	}
	list := slices.Clone(in.xattrs)
	slices.SortFunc(list, func(a, b xattr) int { return strings.Compare(a.name, b.name) })
	return list
}
