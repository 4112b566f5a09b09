package kernel

import (
	"io/fs"
	"net/netip"

	"github.com/orrery-sim/orrery/disk"
	"github.com/orrery-sim/orrery/net"
)

// Clock is what the clocks of a host show, from true time in nanoseconds since
// 1970.
type Clock interface {
	Wall(now int64) int64
	Mono(now int64) int64
}

// Outside shows files of the machine that the world runs on, to be read. It
// reports false for a path where there is nothing; data is for a file, names for
// a directory.
type Outside func(path string) (f OutsideFile, ok bool)

// OutsideFile is a file or a directory of the machine that the world runs on.
type OutsideFile struct {
	Mode  fs.FileMode // its type and permissions
	Data  []byte      // of a file
	Names []string    // of a directory
}

// HostConfig describes a host. The zero value of Disk is a working one; Addrs, one
// of each family at most, are of the network; a nil Clock shows true time.
type HostConfig struct {
	Name    string
	Addrs   []netip.Addr
	Disk    disk.Config
	Clock   Clock
	Outside Outside
}

// Host is a machine: what outlives its processes.
type Host struct {
	Name    string
	Disk    *disk.Disk
	Net     net.HostID
	Clock   Clock
	Outside Outside

	index     int // place among the kernel's hosts
	started   int // processes, ever
	boots     int // crashes, ever
	locks     map[lockable]*fileLocks
	sockets   unixNames
	fifos     map[disk.Ino]*pipe    // of the fifos that are open
	files     *file                 // open ones
	watches   map[disk.Ino][]*watch // by inode, in the order in which they were made
	watching  int                   // watches in all
	instances int                   // of inotify
	renames   uint32                // cookie given last
	unread    map[disk.Ino]string   // directories that Outside shows and that were not listed yet, with their paths
}

// directories is what every disk has from the start.
var directories = []string{
	"/bin", "/dev", "/etc", "/home", "/proc", "/root", "/run", "/sys", "/usr/bin", "/usr/share", "/var/lib", "/var/log",
}

// AddHost makes a host with a disk that has the usual directories.
func (k *Kernel) AddHost(cfg HostConfig) *Host {
	h := &Host{
		Name:    cfg.Name,
		Disk:    disk.New(cfg.Disk, k.src, cfg.Name),
		Clock:   cfg.Clock,
		Outside: cfg.Outside,
		index:   len(k.hosts),
		locks:   map[lockable]*fileLocks{},
		watches: map[disk.Ino][]*watch{},
		sockets: newUnixNames(),
		fifos:   map[disk.Ino]*pipe{},
		unread:  map[disk.Ino]string{},
	}
	if h.Outside != nil {
		h.unread[disk.Root] = "/"
	}
	h.Disk.Unpinned = func(_ disk.Ino, region []byte) { k.memory.unpin(region) }
	for _, dir := range directories {
		if _, errno := h.Disk.MkdirAll(dir, 0o755, k.now); errno != 0 {
			panic("kernel: an empty disk takes no directories: " + errno.Error())
		}
	}
	tmp, _ := h.Disk.Mkdir(disk.Root, "tmp", 0o1777, k.now)
	h.Disk.Chmod(tmp, 0o1777, k.now)
	h.Disk.SyncAll()
	if k.net != nil {
		h.Net = k.net.AddHost(cfg.Name, cfg.Addrs...)
	}
	if len(k.hosts) == 0 {
		k.booted = k.now
	}
	k.hosts = append(k.hosts, h)
	return h
}

// Wall returns what the host's wall clock shows, in nanoseconds since 1970.
func (h *Host) Wall(now int64) int64 {
	if h.Clock == nil {
		return now
	}
	return h.Clock.Wall(now)
}

// Mono returns what the host's monotonic clock shows, in nanoseconds.
func (h *Host) Mono(now int64) int64 {
	if h.Clock == nil {
		return now
	}
	return h.Clock.Mono(now)
}

// Processes returns the processes that run on a host, in the order of their
// starts.
func (k *Kernel) Processes(h *Host) []*Process {
	var out []*Process
	for _, p := range k.procs {
		if p != nil && p.Host == h {
			out = append(out, p)
		}
	}
	return out
}

// CrashHost takes a host's power: its sockets vanish without a packet, its
// processes end, and its disk keeps what a crash leaves.
func (k *Kernel) CrashHost(h *Host) disk.CrashReport {
	if k.net != nil {
		k.net.CrashHost(h.Net)
	}
	for _, p := range k.Processes(h) {
		k.Kill(p)
	}
	h.boots++
	clear(h.locks)
	return h.Disk.Crash()
}

// RestartHost gives a host its power back. Its processes are the caller's to start.
func (k *Kernel) RestartHost(h *Host) {
	if k.net != nil {
		k.net.StartHost(h.Net)
	}
}
