package trace

import (
	"fmt"
	"strconv"

	"github.com/orrery-sim/orrery/sim/choice"
)

// Names knows what the numbers of a run's events stand for. It learns from the
// events themselves, so that they must be shown to it in order, from the first.
type Names struct {
	goroutines map[uint64]string
	processes  map[uint32]string
	hosts      map[uint32]string
	streams    map[uint64]string // but for goroutines'
}

// initGoroutines is how many goroutines of package initialisers have names: they
// start before there are events.
const initGoroutines = 64

// NewNames returns the names that every run has.
func NewNames() *Names {
	n := &Names{map[uint64]string{worldPath: "world"}, map[uint32]string{0: "test"}, map[uint32]string{}, map[uint64]string{}}
	for i := range uint64(initGoroutines) {
		n.root("init", i)
	}
	n.root("test", 0)
	n.root("kernel", 0)
	return n
}

// root learns the goroutine that is child i of a name.
func (n *Names) root(name string, i uint64) {
	n.goroutines[uint64(choice.NameKey(name).Child(i))] = name + "/" + strconv.FormatUint(i, 10)
}

// Learn takes what an event says about names.
func (n *Names) Learn(e Event) {
	switch e.Kind {
	case Started:
		n.processes[e.Process] = e.Text
		n.root(e.Text, e.A)
	case Stream:
		n.streams[e.A] = e.Text
	case Joined:
		n.hosts[e.Process] = e.Text
	case Go:
		if parent, ok := n.goroutines[e.B]; ok {
			n.goroutines[e.A] = parent + "." + number(e.C)
		}
	}
}

// number is a child's number, as paths have it.
func number(n uint64) string {
	if n&choice.TimerChild != 0 {
		return "t" + strconv.FormatUint(n&^choice.TimerChild, 10)
	}
	return strconv.FormatUint(n, 10)
}

// Goroutine returns a goroutine's path, "n1/0.2", or its key where its start was
// not seen.
func (n *Names) Goroutine(key uint64) string {
	if name, ok := n.goroutines[key]; ok {
		return name
	}
	return fmt.Sprintf("%016x", key)
}

// goroutine returns the key of a goroutine's path; ok is false if its start was not
// seen.
func (n *Names) goroutine(path string) (key uint64, ok bool) {
	k, ok := choice.PathKey(path)
	if _, seen := n.goroutines[uint64(k)]; !ok || !seen {
		return 0, false
	}
	return uint64(k), true
}

// Process returns a process's name, or its number.
func (n *Names) Process(proc uint32) string {
	if name, ok := n.processes[proc]; ok {
		return name
	}
	return "process " + strconv.FormatUint(uint64(proc), 10)
}

// Host returns a host's name, or its number.
func (n *Names) Host(host uint32) string {
	if name, ok := n.hosts[host]; ok {
		return name
	}
	return "host " + strconv.FormatUint(uint64(host), 10)
}

// Stream returns the name of a stream, "sched/n1/0.2", or its key.
func (n *Names) Stream(key uint64) string {
	if name, ok := n.streams[key]; ok {
		return name
	}
	for _, f := range choice.Families {
		if name, ok := n.goroutines[key^uint64(f.Key)]; ok {
			return f.Name + "/" + name
		}
	}
	return fmt.Sprintf("%016x", key)
}
