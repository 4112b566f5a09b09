package sim

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/disk"
	"github.com/orrery-sim/orrery/net"
	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/internal/kernel"
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// World is one simulated distributed system: nodes, clients, the network between
// them, and the faults of one seed. Its state lives in the goroutine of its
// kernel; methods that change it run there.
type World struct {
	t   *testing.T
	req run.Request
	src *choice.Source

	net     *net.Network
	kern    *kernel.Kernel
	procs   []*process // by number; nil where ended
	nodes   []*Node
	clients []*Client
	byName  map[string]*Node
	hosts   int // nodes and clients that every /etc/hosts names

	// What faults have set.
	cuts   levels[[2]net.HostID, int]
	losses levels[[2]net.HostID, float64]
	delays levels[[2]net.HostID, time.Duration]
	slows  levels[*Node, time.Duration]
	lies   levels[*Node, float64]

	safety   time.Duration
	calm     time.Duration // before and after it
	budget   time.Duration
	began    int64 // true time at which the safety phase began, 0 before
	safe     bool  // the safety phase lasts
	calling  bool  // clients run
	checking bool  // the checks run
	families []Family
	planned  []Fault        // by the test
	drops    *choice.Stream // of faults, in the order of their times: 1 leaves one out
	faults   []*injection
	checks   []outcome.Checker
	counts   []func() run.Ops
	recovers []recovery
	measures run.Measures

	started  int // processes of nodes, so far
	log      []run.LogLine
	live     bool // show log lines as they come
	end      *ending
	complete bool // every phase and check has run
	refusals []*refusedCall
	warnings []string
	doubts   []outcome.Doubt
	endures  map[string]bool // kinds of faults that are beyond the usual promise
	params   map[string]string
	took     time.Duration // real time, by benchmarks
}

// ending is why a world ended before its test did.
type ending struct {
	verdict   run.Verdict
	reason    string
	violation *run.Violation
}

// Defaults of a run.
const (
	safetyDefault = 20 * time.Second
	budgetDefault = 10 * time.Minute
)

// newWorld makes a world for a request, whose choices are of src.
func newWorld(t *testing.T, req run.Request, src *choice.Source, params map[string]string) *World {
	w := &World{
		t: t, req: req, src: src, params: params,
		byName:  map[string]*Node{},
		endures: map[string]bool{},
		cuts:    levels[[2]net.HostID, int]{},
		losses:  levels[[2]net.HostID, float64]{},
		delays:  levels[[2]net.HostID, time.Duration]{},
		slows:   levels[*Node, time.Duration]{},
		lies:    levels[*Node, float64]{},
		safety:  safetyDefault, budget: budgetDefault,
	}
	w.net = net.New(net.Config{}, src)
	w.kern = kernel.New(bridge{w}, src, w.net)
	w.kern.Exited, w.kern.Quits, w.kern.Refused = w.exited, w.quits, w.refused
	w.net.Observe = w.packet
	return w
}

// bridge is the runtime, as the kernel sees it.
type bridge struct{ w *World }

// T returns the test. Its Fatal and Error, in the test or a client, end the run
// as a violation with their place.
func (w *World) T() *testing.T { return w.t }

// Seed returns the run's seed.
func (w *World) Seed() uint64 { return w.req.Seed }

// Param returns the value of a parameter that the test declared with [Param].
func (w *World) Param(name string) string {
	v, ok := w.params[name]
	if !ok {
		panic(fmt.Sprintf("sim: no parameter %q: declare it with sim.Param", name))
	}
	return v
}

// Choices returns a stream of the test's own.
func (w *World) Choices(name string) *choice.Stream { return w.src.Stream("test/" + name) }

// Elapsed returns the true virtual time since the safety phase began, 0 before.
func (w *World) Elapsed() time.Duration {
	if w.began == 0 {
		return 0
	}
	return time.Duration(rt.Now() - w.began)
}

// Now returns the true virtual time in nanoseconds since 1970, which no clock
// fault bends.
func (w *World) Now() int64 { return rt.Now() }

// Called enters a client's call into the run's events, as oracle.History tells it.
func (w *World) Called(id int, what string) { w.event(trace.Call, 0, uint64(id), 0, 0, what) }

// SafetyFor sets how long the phase with faults lasts; the default is 20 s.
func (w *World) SafetyFor(d time.Duration) { w.safety = d }

// Budget sets how much virtual time a run may take, all phases together, before
// it ends without a verdict; the default is 10 minutes.
func (w *World) Budget(d time.Duration) { w.budget = d }

// Nodes makes n nodes, called prefix1, prefix2 and so on, and the names resolve.
func (w *World) Nodes(prefix string, n int) []*Node {
	out := make([]*Node, n)
	for i := range out {
		out[i] = w.Node(fmt.Sprintf("%s%d", prefix, i+1))
	}
	return out
}

// Node makes a node of that name.
func (w *World) Node(name string) (n *Node) {
	w.inKernel(func() {
		n = w.addNode(name)
		w.event(trace.Joined, uint32(n.host.Net), 0, 0, 0, name)
		w.nodes = append(w.nodes, n)
	})
	return n
}

// Clients makes n clients, called prefix1, prefix2 and so on.
func (w *World) Clients(prefix string, n int) []*Client {
	out := make([]*Client, n)
	w.inKernel(func() {
		for i := range out {
			name := fmt.Sprintf("%s%d", prefix, i+1)
			out[i] = &Client{
				Node: w.addNode(name), choices: w.src.Stream("client/" + name), waits: w.src.Stream("client/" + name + "/wait"), drops: w.src.NeutralStream("drop/" + name),
			}
			w.event(trace.Joined, uint32(out[i].host.Net), 0, 0, 0, name)
			w.clients = append(w.clients, out[i])
		}
	})
	return out
}

// addNode makes a host: the i-th has the address 10.0.i/256.i%256, and one of IPv6.
func (w *World) addNode(name string) *Node {
	if !isName(name) || w.byName[name] != nil {
		panic(fmt.Sprintf("sim: node or client %q: want a name of its own, without spaces, commas, bars and arrows", name))
	}
	i := len(w.byName) + 1
	n := &Node{w: w, name: name, addr: netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)})}
	n.host = w.kern.AddHost(kernel.HostConfig{Name: name, Addrs: addrs(n.addr), Clock: nodeClock{n}})
	host := uint32(n.host.Net)
	n.host.Disk.Observe = func(e disk.Event) { w.diskEvent(host, e) }
	w.byName[name] = n
	w.etcFiles(n)
	return n
}

// nodeClock is a node's clock as the kernel reads it.
type nodeClock struct{ n *Node }

func (c nodeClock) Wall(now int64) int64 { return rt.Start + c.n.clock.Wall(now-rt.Start) }
func (c nodeClock) Mono(now int64) int64 { return rt.Start + c.n.clock.Mono(now-rt.Start) }

// Faults has the run draw its faults from these families, unless the command line
// gives the plan.
func (w *World) Faults(families []Family) { w.families = append(w.families, families...) }

// Plan has the run inject these faults, given as text, in place of drawn ones,
// unless the command line gives the plan. It fails the test at a text that is no
// fault.
func (w *World) Plan(faults ...string) {
	for _, text := range faults {
		f, err := ParseFault(text)
		if err != nil {
			w.t.Fatal(err)
		}
		w.planned = append(w.planned, f)
	}
}

// Withstands says that the system is to survive faults of these kinds, which a
// machine that keeps its promises does not have: "lie-sync". A failure that needs
// another such fault is the environment's.
func (w *World) Withstands(kinds ...string) {
	for _, kind := range kinds {
		if !beyond[kind] {
			panic(fmt.Sprintf("sim: Withstands(%q): want a kind that breaks a promise: %q", kind, slices.Sorted(maps.Keys(beyond))))
		}
		w.endures[kind] = true
	}
}

// beyond are the kinds of faults that break a promise of the machine's.
var beyond = map[string]bool{"lie-sync": true}

// Check adds checks, which run in this order once the phases are over.
func (w *World) Check(checks ...outcome.Checker) { w.checks = append(w.checks, checks...) }

// Count adds a source of the numbers of calls that clients made.
func (w *World) Count(f func() run.Ops) { w.counts = append(w.counts, f) }

// recovery is what must come true within a time after faults stop.
type recovery struct {
	what   string
	within time.Duration
	try    func() error
}

// Recovers adds a promise of the liveness phase: once faults have stopped and
// nodes are back, try, which is called again and again, succeeds within a time.
func (w *World) Recovers(what string, within time.Duration, try func() error) {
	w.recovers = append(w.recovers, recovery{what, within, try})
}

// Warnf adds a line to the run's warnings.
func (w *World) Warnf(format string, args ...any) {
	w.warnings = append(w.warnings, fmt.Sprintf(format, args...))
}

// inKernel runs f in the kernel's goroutine.
func (w *World) inKernel(f func()) { rt.InKernel(f) }

// Log returns the lines that a node or client has written to its standard output
// and error so far.
func (w *World) Log(node string) (lines []string) {
	w.inKernel(func() {
		for _, l := range w.log {
			if l.Node == node {
				lines = append(lines, l.Text)
			}
		}
	})
	return lines
}
