package disk

import "sort"

// dir is the entries of a directory, in the order in which they came.
type dir struct {
	byName  map[string]uint64 // cookie by name
	list    []Entry           // by rising cookie; Ino 0 where removed
	last    uint64            // cookie given last
	subdirs int
}

// Entry is one entry of a directory.
type Entry struct {
	Name string
	Ino  Ino
	Kind Kind
	// Cookie is the entry's place: it stays while other entries come and go.
	Cookie uint64
}

// FirstCookie is the least cookie of an entry: those below are left for "." and
// "..".
const FirstCookie = 3

func (t *dir) find(name string) (Ino, bool) {
	c, ok := t.byName[name]
	if !ok {
		return 0, false
	}
	return t.list[t.at(c)].Ino, true
}

// at returns the index of the first entry with a cookie of at least c.
func (t *dir) at(c uint64) int {
	return sort.Search(len(t.list), func(i int) bool { return t.list[i].Cookie >= c })
}

func (t *dir) add(name string, ino Ino, k Kind) {
	if t.byName == nil {
		t.byName = map[string]uint64{}
		t.last = FirstCookie - 1
	}
	t.last++
	t.byName[name] = t.last
	t.list = append(t.list, Entry{name, ino, k, t.last})
}

func (t *dir) remove(name string) {
	t.list[t.at(t.byName[name])] = Entry{Cookie: t.byName[name]}
	delete(t.byName, name)
	if len(t.list) > 32 && len(t.byName) < len(t.list)/2 {
		live := t.list[:0]
		for _, e := range t.list {
			if e.Ino != 0 {
				live = append(live, e)
			}
		}
		clear(t.list[len(live):])
		t.list = live
	}
}

// ReadDir calls each with the entries of a directory whose cookie is at least
// from, in the order in which they were made, until it reports false.
func (d *Disk) ReadDir(ino Ino, from uint64, each func(Entry) bool) {
	t := &d.inode(ino).dir
	for _, e := range t.list[t.at(from):] {
		if e.Ino != 0 && !each(e) {
			return
		}
	}
}

// Parent returns the directory that holds a directory.
func (d *Disk) Parent(ino Ino) Ino { return d.inode(ino).parent }

// Path returns the absolute path of a directory; ok is false if it was removed, even
// if it is gone altogether.
func (d *Disk) Path(ino Ino) (path string, ok bool) {
	for ino != Root {
		in := d.inodes[ino]
		if in == nil || in.links == 0 {
			return "", false
		}
		path = "/" + d.inode(in.parent).dir.nameOf(ino) + path
		ino = in.parent
	}
	if path == "" {
		path = "/"
	}
	return path, true
}

// NameIn returns the first name that a directory has for an inode, or "".
func (d *Disk) NameIn(dir, ino Ino) string { return d.inode(dir).dir.nameOf(ino) }

// nameOf returns the first name that a directory has for an inode, or "".
func (t *dir) nameOf(ino Ino) string {
	for _, e := range t.list {
		if e.Ino == ino {
			return e.Name
		}
	}
	return ""
}
