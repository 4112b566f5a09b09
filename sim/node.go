package sim

import (
	"io/fs"
	"net/netip"

	"github.com/orrery-sim/orrery/clock"
	"github.com/orrery-sim/orrery/sim/internal/kernel"
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/trace"
)

// Node is a machine of the world: an address, a name, a clock, a disk that
// outlives its processes, an environment. It runs one program at a time.
type Node struct {
	w     *World
	name  string
	addr  netip.Addr
	host  *kernel.Host
	clock clock.Clock
	env   []string
	dir   string // working directory of its processes; "" is /

	program *Program
	args    []string
	proc    *process // that runs now, or nil
	starts  uint64
	down    bool   // without power
	stops   int    // faults that keep its program from running
	pauses  int    // faults that keep its process from going on
	missed  missed // of the pauses that are over
	reads   uint64 // of its clocks, by processes that have ended
}

// Name returns the node's name, which its peers resolve to its address.
func (n *Node) Name() string { return n.name }

// Addr returns the node's address, as text: "10.0.0.1".
func (n *Node) Addr() string { return n.addr.String() }

// Addr6 returns the node's address of IPv6, as text: "fd00::a00:1".
func (n *Node) Addr6() string { return addr6(n.addr).String() }

// addr6 is the address of IPv6 that goes with one of IPv4: they end alike.
func addr6(a netip.Addr) netip.Addr {
	b := [16]byte{0: 0xfd}
	ip := a.As4()
	copy(b[12:], ip[:])
	return netip.AddrFrom16(b)
}

// addrs are all addresses of a machine that has one of IPv4.
func addrs(a netip.Addr) []netip.Addr { return []netip.Addr{a, addr6(a)} }

// Env sets environment variables, "KEY=value" each, of the processes that the
// node starts from now on.
func (n *Node) Env(kv ...string) { n.env = append(n.env, kv...) }

// Dir sets the working directory, absolute, of the processes that the node starts
// from now on; the default is "/". It is made if it is missing.
func (n *Node) Dir(path string) { n.dir = path }

// Import puts files on the node's disk, below "/", durable at once. An error says
// which file could not be read or stored.
func (n *Node) Import(files fs.FS) error { return n.ImportAt("/", files) }

// ImportAt is Import, below a directory that is made if it is missing.
func (n *Node) ImportAt(dir string, files fs.FS) (err error) {
	n.w.inKernel(func() { err = n.host.Disk.Import(files, dir, n.w.kern.Now()) })
	return err
}

// ReadFile returns the contents of a file as the node's processes see it.
func (n *Node) ReadFile(path string) (data []byte, err error) {
	n.w.inKernel(func() {
		b, errno := n.host.Disk.ReadFile(path)
		if errno != 0 {
			err = &fs.PathError{Op: "read", Path: n.name + ":" + path, Err: errno}
			return
		}
		data = b
	})
	return data, err
}

// Start starts a program on the node, with arguments after its name. A program
// that runs already is killed first.
func (n *Node) Start(p *Program, args ...string) {
	n.w.inKernel(func() {
		n.program, n.args = p, append([]string{p.name}, args...)
		if n.proc != nil {
			n.w.kill(n)
		}
		n.w.start(n)
	})
}

// Kill ends the node's process as SIGKILL would: its goroutines stop where they
// are, its connections end, what it wrote stays in the page cache. It returns how
// many goroutines there were.
func (n *Node) Kill() (goroutines int) {
	n.w.inKernel(func() { goroutines = n.w.kill(n).goroutines })
	return goroutines
}

// Stop ends the node's process, if there is one, as [Node.Kill] does. The node then
// has no program to start when faults end, until Start gives it one.
func (n *Node) Stop() {
	n.w.inKernel(func() {
		n.program = nil
		n.w.kill(n)
	})
}

// Crash takes the node's power: its sockets vanish without a packet, and its disk
// keeps what was synced and, of the rest, what the seed chooses.
func (n *Node) Crash() {
	n.w.inKernel(func() { n.w.crash(n) })
}

// Restart gives a crashed or killed node its program back.
func (n *Node) Restart() {
	n.w.inKernel(func() { n.w.restart(n) })
}

// Running reports whether a process of the node runs.
func (n *Node) Running() (running bool) {
	n.w.inKernel(func() { running = n.proc != nil })
	return running
}

// process is a running program: of a node, of a client, or the test itself.
type process struct {
	id   uint32
	kern *kernel.Process
	node *Node // nil for the test
	name string
	line []byte // of output, that has no end yet

	onEnd  []func() // called once it has ended
	stacks string   // of its goroutines, if it quit with them
}

// stopped is what ending a process did.
type stopped struct {
	goroutines int
	sockets    int
}

// start starts the node's program.
func (w *World) start(n *Node) {
	if n.down || n.proc != nil || n.program == nil {
		return
	}
	args, env := n.args, append([]string{"HOME=/root", "HOSTNAME=" + n.name, "PATH=/usr/bin:/bin", "TZ=UTC"}, n.env...)
	p := w.newProcess(n.host, kernel.Start{Args: args, Env: env, Dir: n.dir}, n.name)
	p.node, n.proc = n, p
	w.setClock(n)
	program := n.program
	w.event(trace.Started, p.id, n.starts, 0, 0, n.name)
	rt.Spawn(p.id, n.name, n.starts, func() { program.exec(args, env) })
	n.starts++
	w.started++
}

// newProcess makes a process without goroutines.
func (w *World) newProcess(h *kernel.Host, s kernel.Start, name string) *process {
	w.hostsFiles()
	p := &process{name: name}
	s.Output = func(_ int, b []byte) { w.output(p, b) }
	kp, errno := w.kern.StartProcess(h, s)
	if errno != 0 {
		panic("sim: a process of " + name + " cannot start in " + s.Dir + ": " + errno.Error())
	}
	p.kern, p.id = kp, uint32(kp.ID)
	w.procs = append(w.procs, p)
	if p.id != 0 {
		rt.ProcStart(p.id)
	}
	return p
}

// kill ends the node's process, if there is one.
func (w *World) kill(n *Node) (s stopped) {
	if n.proc == nil {
		return s
	}
	s.sockets = w.sockets(n)
	s.goroutines = w.endProcess(n.proc)
	return s
}

// endProcess ends a process: its goroutines first, so that nobody sees the rest.
func (w *World) endProcess(p *process) (goroutines int) {
	goroutines = rt.Kill(p.id)
	w.kern.Kill(p.kern)
	w.ended(p)
	w.event(trace.Ended, p.id, uint64(goroutines), 0, 0, p.name)
	return goroutines
}

// ended forgets a process.
func (w *World) ended(p *process) {
	w.flush(p)
	w.procs[p.id] = nil
	if p.node != nil {
		p.node.reads += rt.ClockReads(p.id)
	}
	if p.node != nil && p.node.proc == p {
		p.node.proc = nil
	}
	for _, f := range p.onEnd {
		f()
	}
}

// restart gives a node power, if it has none, and starts its program.
func (w *World) restart(n *Node) {
	if n.down {
		n.down = false
		w.kern.RestartHost(n.host)
	}
	w.start(n)
}

// setClock tells the runtime how the clocks of the node's process run.
func (w *World) setClock(n *Node) {
	if n.proc == nil {
		return
	}
	c := n.clock
	rt.SetClock(n.proc.id, rt.Clock{TrueBase: c.TrueBase, MonoBase: c.MonoBase, PPB: c.PPB, Wall: c.Offset})
}

// clockReads counts how often the node's processes have read its clocks.
func (w *World) clockReads(n *Node) uint64 {
	if n.proc == nil {
		return n.reads
	}
	return n.reads + rt.ClockReads(n.proc.id)
}
