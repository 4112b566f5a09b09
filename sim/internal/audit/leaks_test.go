package audit

import (
	"fmt"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
)

// leaker connects to the node that it is told, as often as it is told, and forgets
// the connections. Real Go would close each by a finalizer, at a time that the collector
// chooses.
var leaker = sim.NewProgram("leaker", func() {
	debug.SetGCPercent(5)
	leaked, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	for i := range leaked {
		c, err := net.Dial("tcp", os.Args[1]+":80")
		if err != nil {
			panic(err)
		}
		if _, err := c.Write([]byte("x")); err != nil {
			panic(err)
		}
		if i%500 == 0 {
			runtime.GC()
		}
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		panic(err)
	}
	fmt.Println(len(open) > leaked, "leaked")
	time.Sleep(time.Hour)
})

// taker accepts connections and forgets them too.
var taker = sim.NewProgram("taker", func() {
	l, err := net.Listen("tcp", ":80")
	if err != nil {
		panic(err)
	}
	for {
		if _, err := l.Accept(); err != nil {
			panic(err)
		}
	}
})

func TestLeaks(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		a, b := w.Node("a"), w.Node("b")
		for _, n := range []*sim.Node{a, b} {
			n.Env("GOGC=5")
		}
		b.Start(taker)
		a.Start(leaker, b.Name(), w.Param("connections"))
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(3 * time.Minute)
			if got := w.Log("a"); len(got) != 1 || got[0] != "true leaked" {
				t.Errorf("the leaker says %q", got)
			}
		})
	}, sim.Param("connections", "500", "10000"))
}
