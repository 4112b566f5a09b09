// Package blame is a register that one node serves, and failures of it that are of
// different parties: of the node, of the clients, of the check, of the disk.
package blame

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
)

const file = "/var/lib/register"

// register keeps one value in a file, and answers only for what is synced.
var register = sim.NewProgram("register", func() {
	var mu sync.Mutex
	http.HandleFunc("/get", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		value, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Write(value)
	})
	http.HandleFunc("/put", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if err := store(r.FormValue("value")); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	if err := http.ListenAndServe(":80", nil); err != nil {
		panic(err)
	}
})

// store replaces the file by one of a new content.
func store(value string) error {
	const next = file + ".next"
	f, err := os.Create(next)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value)
	if os.Getenv("BUG") != "system" && err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(next, file); err != nil {
		return err
	}
	dir, err := os.Open("/var/lib")
	if err != nil {
		return err
	}
	defer dir.Close()
	if os.Getenv("BUG") == "system" {
		return nil
	}
	return dir.Sync()
}

func TestRegister(t *testing.T) {
	sim.Test(t, scenario,
		sim.Param("bug", "none", "system", "harness", "checker", "disk"),
		sim.Param("workload", "form", "query"))
}

func scenario(w *sim.World) {
	n := w.Node("n1")
	n.Env("BUG=" + w.Param("bug"))
	n.Start(register)
	w.SafetyFor(5 * time.Second)
	h := oracle.NewHistory(w)
	for _, c := range w.Clients("c", 2) {
		c.Run(func() { work(c, &caller{w, c, n.Addr(), h}) })
	}
	w.Faults(sim.Swarm(sim.Crashes().For(time.Second), sim.Kills().For(time.Second)))
	if w.Param("bug") == "disk" {
		w.Plan("at 100ms lie-sync n1 for 4s", "at 1s crash n1 for 50ms", "at 2500ms crash n1 for 50ms", "at 3s kill n1 for 100ms")
	}
	if w.Param("bug") == "checker" {
		w.Check(oracle.Judged("latest", h, oracle.Register(), latest))
		return
	}
	w.Check(oracle.Linearizable(h, oracle.Register()))
}

// latest is a check that is wrong: it takes calls for instants.
func latest(h *oracle.History) oracle.Outcome {
	var value string
	for _, op := range h.Ops() {
		switch {
		case op.Type == "write":
			value = op.Input
		case op.Status == oracle.StatusOK && op.Output != value:
			return oracle.Outcome{Outcome: outcome.Outcome{Verdict: outcome.Violation, Message: fmt.Sprintf("read %q, want %q", op.Output, value)}}
		}
	}
	return oracle.Outcome{Outcome: outcome.Outcome{Verdict: outcome.OK}}
}

// caller makes the calls of a client.
type caller struct {
	w    *sim.World
	c    *sim.Client
	addr string
	h    *oracle.History
}

func work(c *sim.Client, call *caller) {
	for op := range c.Ops(time.Millisecond, 200*time.Millisecond) {
		if op.Intn(2) == 0 {
			call.read()
		} else {
			call.write(fmt.Sprintf("%s+%d", c.Name(), op.Index))
		}
	}
}

var client = &http.Client{Timeout: 500 * time.Millisecond}

func (c *caller) read() {
	p := c.h.Invoke(oracle.Call{Process: c.c.Name(), Type: "read"})
	value, err := answer(client.Get("http://" + c.addr + "/get"))
	if err != nil {
		p.Fail(err)
		return
	}
	p.OK(value)
}

// write has two forms, each a generator of its own. One of them, if it has the bug
// of the harness, does not quote what it sends: a plus becomes a space.
func (c *caller) write(value string) {
	p := c.h.Invoke(oracle.Call{Process: c.c.Name(), Type: "write", Input: value})
	var err error
	switch target := "http://" + c.addr + "/put"; {
	case c.w.Param("workload") == "query":
		_, err = answer(client.Post(target+"?value="+url.QueryEscape(value), "text/plain", nil))
	case c.w.Param("bug") == "harness":
		_, err = answer(client.Post(target, "application/x-www-form-urlencoded", strings.NewReader("value="+value)))
	default:
		_, err = answer(client.PostForm(target, url.Values{"value": {value}}))
	}
	if err != nil {
		p.Unknown(err)
		return
	}
	p.OK("")
}

func answer(r *http.Response, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = errors.New(r.Status)
	}
	return string(b), err
}
