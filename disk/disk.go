package disk

import (
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
)

// Disk is one host's disk. It is not safe for concurrent use.
type Disk struct {
	// Observe, if not nil, is told of everything that changes the disk.
	Observe func(Event)
	// Unpinned, if not nil, gets back the region of a file that is gone.
	Unpinned func(ino Ino, region []byte)

	cfg    Config
	name   string
	inodes []*inode // by Ino; nil where freed; a number is never used again
	used   int64    // pages that files take up
	spare  []*page  // pages to use again
	jour   journal
	// dirty holds every inode with pages or a size that are not durable, each once.
	dirty []*inode

	src    *choice.Source
	crash  chooser // "disk/NAME"
	delay  *choice.Stream
	faults faults
}

// New returns an empty disk: a root directory. Its choices come from the streams
// "disk/NAME", for crashes, and "disk/NAME/PURPOSE". A wrong cfg panics.
func New(cfg Config, src *choice.Source, name string) *Disk {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	d := &Disk{
		cfg:   cfg,
		name:  name,
		src:   src,
		crash: src.Stream("disk/" + name),
		delay: src.Stream("disk/" + name + "/latency"),
	}
	d.faults.init(src, name)
	d.inodes = make([]*inode, Root, 64)
	root := d.newInode(Directory, 0o755, 0)
	root.links = 1
	root.parent = Root
	return d
}

// Name returns the name the disk was made with.
func (d *Disk) Name() string { return d.name }

// Mode returns what a crash of the disk may leave.
func (d *Disk) Mode() Mode { return d.cfg.Mode }

// Op is an operation that takes time.
type Op uint8

// The operations that take time.
const (
	OpRead Op = iota
	OpWrite
	OpSync
)

// Delay draws how long an operation takes that starts now. It is to take effect
// at the end of that time.
func (d *Disk) Delay(op Op) time.Duration {
	r := d.cfg.Read
	switch op {
	case OpWrite:
		r = d.cfg.Write
	case OpSync:
		r = d.cfg.sync()
	}
	return d.delay.Between(r.Least, r.Most) + d.faults.slow(op)
}

// Usage is what a disk holds, in pages of [PageSize].
type Usage struct {
	Pages, Used int64 // Pages is 0 if there is no bound
	Inodes      int
}

// Usage returns how full the disk is.
func (d *Disk) Usage() Usage {
	return Usage{d.cfg.Size / PageSize, d.used, len(d.inodes) - int(Root)}
}
