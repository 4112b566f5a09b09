package kv_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/scenarios/raftkv/kv"
)

// mainVariable makes the test binary the program itself.
const mainVariable = "RAFTKV_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainVariable) != "" {
		kv.Main()
		return
	}
	os.Exit(m.Run())
}

// A group is three processes on this machine.
type group struct {
	t         *testing.T
	folder    string
	peers     string
	httpAddrs []string
	processes []*exec.Cmd
}

func newGroup(t *testing.T) *group {
	g := &group{t: t, folder: t.TempDir(), processes: make([]*exec.Cmd, 3)}
	addrs := freeAddrs(t, 6)
	g.httpAddrs = addrs[3:]
	var peers []string
	for i := range g.processes {
		peers = append(peers, fmt.Sprintf("n%d=%s/%s", i+1, addrs[i], addrs[3+i]))
	}
	g.peers = strings.Join(peers, ",")
	t.Cleanup(func() {
		for i := range g.processes {
			g.kill(i)
		}
	})
	return g
}

// freeAddrs holds all of them at once, so that they differ.
func freeAddrs(t *testing.T, count int) []string {
	var addrs []string
	for range count {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer ln.Close()
		addrs = append(addrs, ln.Addr().String())
	}
	return addrs
}

func (g *group) start(i int, args ...string) {
	id := fmt.Sprintf("n%d", i+1)
	args = append([]string{"-id", id, "-data-dir", filepath.Join(g.folder, id), "-peers", g.peers}, args...)
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), mainVariable+"=1")
	cmd.Stderr = g.t.Output()
	if err := cmd.Start(); err != nil {
		g.t.Fatal(err)
	}
	g.processes[i] = cmd
}

func (g *group) kill(i int) {
	if cmd := g.processes[i]; cmd != nil {
		cmd.Process.Kill()
		cmd.Wait()
		g.processes[i] = nil
	}
}

// until repeats a call, each time a new one, until it is OK.
func until(t *testing.T, call func() (kv.Reply, kv.Outcome, error)) kv.Reply {
	t.Helper()
	for range 1000 {
		reply, outcome, err := call()
		if outcome == kv.OK {
			return reply
		}
		t.Log(outcome, err)
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("no call was OK")
	return kv.Reply{}
}

func TestOrdinaryProcesses(t *testing.T) {
	g := newGroup(t)
	for i := range g.processes {
		g.start(i)
	}
	ctx := context.Background()
	c := kv.NewClient(g.httpAddrs...)

	until(t, func() (kv.Reply, kv.Outcome, error) { return c.Put(ctx, "a/b", "1 & 2") })
	if r := until(t, func() (kv.Reply, kv.Outcome, error) { return c.Get(ctx, "a/b") }); r.Value != "1 & 2" || !r.Found {
		t.Errorf("after a put: %+v", r)
	}
	if r := until(t, func() (kv.Reply, kv.Outcome, error) { return c.Get(ctx, "none") }); r.Value != "" || r.Found {
		t.Errorf("key never written: %+v", r)
	}
	if r := until(t, func() (kv.Reply, kv.Outcome, error) { return c.CAS(ctx, "a/b", "no", "3") }); r.Swapped || r.Value != "1 & 2" {
		t.Errorf("swap of another value: %+v", r)
	}

	leader := kv.StatusLeader(g.httpAddrs)
	for i := range g.processes {
		if leader == fmt.Sprintf("n%d", i+1) {
			g.kill(i)
			until(t, func() (kv.Reply, kv.Outcome, error) { return c.Put(ctx, "k", "after the kill") })
			g.start(i)
		}
	}

	// With every process new, all that is left is on disk.
	for i := range g.processes {
		g.kill(i)
	}
	for i := range g.processes {
		g.start(i, "-reads", "verify")
	}
	for range 2 { // the second has an entry of the leader's term behind it
		if r := until(t, func() (kv.Reply, kv.Outcome, error) { return c.Get(ctx, "a/b") }); r.Value != "1 & 2" {
			t.Errorf("after a restart: %+v", r)
		}
	}
	if r := until(t, func() (kv.Reply, kv.Outcome, error) { return c.Get(ctx, "k") }); r.Value != "after the kill" {
		t.Errorf("after a restart: %+v", r)
	}
}

func TestOptionsRefused(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"", "no -id"},
		{"-id n9 -peers n1=h", "-id n9 is not one of -peers"},
		{"-id n1 -peers n1=h,n1=i", "id is given twice"},
		{"-id n1 -peers n1=h -bug typo", `no bug "typo"`},
		{"-id n1 -peers n1=h -reads typo", `no way to read "typo"`},
		{"-id n1 -peers n1=h extra", `got argument "extra"`},
	} {
		cmd := exec.Command(os.Args[0], strings.Fields(tc.args)...)
		cmd.Env = append(os.Environ(), mainVariable+"=1")
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), tc.want) {
			t.Errorf("%s: error %v, output %q, want %q", tc.args, err, out, tc.want)
		}
	}
}
