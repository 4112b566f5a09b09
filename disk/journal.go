package disk

// journal is the operations on names, sizes and extended attributes that are not
// durable, in order.
type journal struct {
	ops  []op
	last uint64 // number given last
}

// journalMax bounds the operations that are not durable: beyond it the oldest
// becomes durable, as a journal of a fixed size makes room.
const journalMax = 1024

type opKind uint8

const (
	opName  opKind = iota // edits entries
	opSize                // sets the size of a file
	opXattr               // sets or removes an extended attribute
)

// op is an operation. Whole or not at all, it survives a crash.
type op struct {
	kind  opKind
	seq   uint64
	edits [2]edit // of opName; the second may be empty
	ino   Ino     // of opSize and opXattr
	size  int64   // of opSize
	xattr xattrEdit
}

// edit changes what an entry of a directory names; 0 is nothing.
type edit struct {
	dir      Ino
	name     string
	old, new Ino
}

// named calls f with each inode that an operation names, once for each time.
func (d *Disk) named(o *op, f func(*inode)) {
	if o.kind != opName {
		f(d.inode(o.ino))
		return
	}
	for i := range o.edits {
		for _, ino := range [3]Ino{o.edits[i].dir, o.edits[i].old, o.edits[i].new} {
			if ino != 0 {
				f(d.inode(ino))
			}
		}
	}
}

// log enters an operation that was done into the journal.
func (d *Disk) log(o op) {
	d.jour.last++
	o.seq = d.jour.last
	d.named(&o, func(in *inode) {
		in.holds++
		in.lastOp = o.seq
	})
	d.jour.ops = append(d.jour.ops, o)
	if len(d.jour.ops) > journalMax {
		d.commitFirst(1)
	}
}

// commitFirst makes the first n operations durable.
func (d *Disk) commitFirst(n int) {
	for i := range d.jour.ops[:n] {
		d.settleOp(&d.jour.ops[i])
	}
	clear(d.jour.ops[:n])
	d.jour.ops = d.jour.ops[n:]
}

// settleOp makes one operation durable that is about to leave the journal.
func (d *Disk) settleOp(o *op) {
	if o.kind == opSize {
		in := d.inode(o.ino)
		in.durable = o.size
		d.cutDurable(in, o.size)
	}
	d.unhold(o)
}

func (d *Disk) unhold(o *op) {
	d.named(o, func(in *inode) { in.holds-- })
	if o.kind != opName {
		d.reap(d.inode(o.ino))
		return
	}
	for _, e := range o.edits {
		for _, ino := range [3]Ino{e.dir, e.old, e.new} {
			// One inode may stand in both edits and be freed at the first.
			if ino != 0 && d.inodes[ino] != nil {
				d.reap(d.inode(ino))
			}
		}
	}
}

// cutDurable cuts what is durable of a file to size, where that differs from
// what its pages hold.
func (d *Disk) cutDurable(in *inode, size int64) {
	in.each(size/PageSize, func(k *chunk, b int, i int64) {
		if k.dirty>>b&1 == 0 || k.was[b] == nil {
			return
		}
		if keep := size - i*PageSize; keep > 0 {
			clear(k.was[b][keep:])
			return
		}
		d.spare = append(d.spare, k.was[b])
		k.was[b] = nil
	})
}

// commit makes durable what of the journal a sync of an inode does, and returns
// how many operations that were.
func (d *Disk) commit(in *inode) int {
	if in.holds == 0 {
		return 0
	}
	if d.cfg.Mode == Strict {
		return d.commitNeeded(in)
	}
	n := 0
	for n < len(d.jour.ops) && d.jour.ops[n].seq <= in.lastOp {
		n++
	}
	d.commitFirst(n)
	return n
}

// commitNeeded makes durable the operations that sync an inode in strict mode,
// and those that they need: of a directory, on its entries; of a file, on its
// size; of either, on its extended attributes.
func (d *Disk) commitNeeded(in *inode) int {
	ops := d.jour.ops
	need := make([]bool, len(ops))
	for i := len(ops) - 1; i >= 0; i-- {
		o := &ops[i]
		if o.kind != opName {
			need[i] = need[i] || o.ino == in.ino
		} else if in.kind == Directory {
			need[i] = need[i] || o.edits[0].dir == in.ino || o.edits[1].dir == in.ino
		}
		if need[i] {
			for j := range i {
				need[j] = need[j] || d.needs(o, &ops[j])
			}
		}
	}
	left, n := ops[:0], 0
	for i := range ops {
		if need[i] {
			o := ops[i]
			d.settleOp(&o)
			n++
		} else {
			left = append(left, ops[i])
		}
	}
	clear(ops[len(left):])
	d.jour.ops = left
	return n
}

// needs reports whether a later operation cannot be without an earlier one: they
// change one entry, one file's size or one attribute of it, one makes, moves or removes a directory
// that the other is in, or both move directories elsewhere (so that no directory
// can come to be within itself). Two that name one directory change one entry too.
func (d *Disk) needs(late, early *op) bool {
	if late.kind != early.kind {
		return false
	}
	switch late.kind {
	case opSize:
		return late.ino == early.ino
	case opXattr:
		return late.ino == early.ino && late.xattr.name() == early.xattr.name()
	}
	for _, a := range late.edits {
		for _, b := range early.edits {
			if a.dir == 0 || b.dir == 0 {
				continue
			}
			if a.dir == b.dir && a.name == b.name {
				return true
			}
			if a.dir == b.old || a.dir == b.new || b.dir == a.old || b.dir == a.new {
				return true
			}
		}
	}
	return d.moves(late) && d.moves(early)
}

// moves reports whether an operation moves a directory to another directory.
func (d *Disk) moves(o *op) bool {
	if o.edits[1].dir == 0 || o.edits[0].dir == o.edits[1].dir {
		return false
	}
	for _, ino := range [2]Ino{o.edits[0].old, o.edits[0].new} {
		if ino != 0 && d.inode(ino).kind == Directory {
			return true
		}
	}
	return false
}
