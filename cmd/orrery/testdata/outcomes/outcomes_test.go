// Package outcomes holds a scenario that ends, by its parameters, in each way that a
// test plan has a verdict for.
package outcomes

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

const (
	addr = ":9000"
	file = "/var/lib/value"
)

// program is a register: "put V" and "get", a line each, kept in a file.
var program = sim.NewProgram("register", func() {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		panic(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		serve(c)
	}
})

func serve(c net.Conn) {
	defer c.Close()
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return
	}
	verb, value, _ := strings.Cut(strings.TrimSpace(line), " ")
	if verb == "put" {
		if err := put(value); err != nil {
			return
		}
		fmt.Fprintln(c, "ok")
		return
	}
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return
	}
	switch os.Getenv("BUG") {
	case "stale": // what every read answers once the value is long
		if len(text) > 4 {
			text = []byte("c1-0")
		}
	case "flaky": // what depends on the process
		if first {
			text = []byte("nobody wrote this")
		}
	}
	fmt.Fprintln(c, string(text))
}

// put replaces the value, and keeps it.
func put(value string) error {
	f, err := os.Create(file + ".new")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString(value); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(file+".new", file); err != nil {
		return err
	}
	d, err := os.Open("/var/lib")
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// first says whether this is the first worker since a test put the file "armed" into the
// package's folder: it is asked before there is a world, of the machine's own files.
var first = os.Getenv("ORRERY_WORKER") == "1" && os.Remove("armed") == nil

// call makes one call, and says whether it may have taken effect.
func call(n *sim.Node, line string) (answer string, sent bool, err error) {
	c, err := net.DialTimeout("tcp", n.Addr()+addr, time.Second)
	if err != nil {
		return "", false, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	if _, err := fmt.Fprintln(c, line); err != nil {
		return "", true, err
	}
	answer, err = bufio.NewReader(c).ReadString('\n')
	return strings.TrimSpace(answer), true, err
}

func TestOutcome(t *testing.T) {
	sim.Test(t, scenario,
		sim.Param("bug", "none", "stale", "flaky"),
		sim.Param("faults", "kill", "none", "nowhere", "rare"),
		sim.Param("check", "whole", "part", "uncounted", "unknown", "vacuous", "none"),
		sim.Param("load", "steady", "stops", "untold"),
		sim.Param("recovers", "yes", "unasked"),
		sim.Param("ends", "yes", "no"),
		sim.Param("clients", "2", "3"),
		sim.Param("spares", "1", "2"),
	)
}

func scenario(w *sim.World) {
	n := w.Node("n1")
	spares, _ := strconv.Atoi(w.Param("spares"))
	for i := range spares { // nobody talks to them
		w.Node(fmt.Sprintf("n%d", i+2))
	}
	n.Env("BUG=" + w.Param("bug"))
	n.Start(program)
	h := oracle.NewHistory(w)
	size, _ := strconv.Atoi(w.Param("clients"))
	for _, c := range w.Clients("c", size) {
		c.Run(func() { work(w, c, n, h) })
	}
	switch w.Param("faults") {
	case "kill":
		w.Plan("at 2s kill n1 for 300ms", "at 4s kill n1 for 300ms")
	case "rare": // in every other seed or so
		if w.Choices("rare").Intn(2) == 0 {
			w.Plan("at 2s kill n1 for 300ms", "at 4s kill n1 for 300ms")
		}
	case "nowhere":
		w.Plan("at 2s cut n2>n1 for 500ms")
	}
	w.SafetyFor(12 * time.Second)
	if w.Param("ends") == "no" {
		w.Budget(14 * time.Second)
	}
	if w.Param("recovers") == "yes" {
		w.Recovers("a read is answered", 5*time.Second, func() error { _, _, err := call(n, "get"); return err })
	}
	w.Count(func() run.Ops {
		c := h.Counts()
		return run.Ops{Invoked: c.Invoked, OK: c.OK, Failed: c.Failed, Unknown: c.Unknown}
	})
	check(w, h)
}

// check adds what judges the history, or what does not do its work.
func check(w *sim.World, h *oracle.History) {
	said := func(o outcome.Outcome) {
		w.Check(outcome.Func("linearizability", func() outcome.Outcome { return o }))
	}
	switch w.Param("check") {
	case "whole":
		w.Check(oracle.Linearizable(h, oracle.Register()))
	case "part":
		said(outcome.Outcome{Verdict: outcome.OK, Calls: 1})
	case "uncounted":
		said(outcome.Outcome{Verdict: outcome.OK})
	case "unknown":
		said(outcome.Outcome{Verdict: outcome.Unknown, Reason: "it was given too few steps"})
	case "vacuous":
		said(outcome.Outcome{Verdict: outcome.Vacuous, Reason: "it was given nothing"})
	}
}

// work makes calls until the safety phase is over.
func work(w *sim.World, c *sim.Client, n *sim.Node, h *oracle.History) {
	for op := range c.Ops(50*time.Millisecond, 200*time.Millisecond) {
		if w.Param("load") == "stops" && w.Elapsed() > 5*time.Second {
			continue
		}
		line, of := "get", oracle.Call{Process: c.Name(), Type: "get", Node: n.Name()}
		if op.Draw(2) == 1 {
			of.Type, of.Input = "put", fmt.Sprintf("%s-%d", c.Name(), op.Index)
			line = "put " + of.Input
		}
		p := h.Invoke(of)
		answer, sent, err := call(n, line)
		switch {
		case err == nil && of.Type == "put":
			p.OK("")
		case err == nil:
			p.OK(answer)
		case sent:
			p.Unknown(err)
		default:
			p.Fail(err)
		}
	}
}
