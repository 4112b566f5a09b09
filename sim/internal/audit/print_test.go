package audit

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
)

// TestBuiltinPrint: what a program prints by print and println is in its node's log.
func TestBuiltinPrint(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		for _, n := range w.Nodes("n", 2) {
			n.Start(printing)
		}
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(time.Second)
			for _, n := range []string{"n1", "n2"} {
				got := strings.Join(w.Log(n), "|")
				if want := n + " 1 true|written by fmt|" + strings.Repeat("long", 50_000) + "|[0/0]0x0"; got != want {
					t.Errorf("%s wrote %.300q, want %.300q", n, got, want)
				}
			}
		})
	})
}

var printing = sim.NewProgram("printing", func() {
	host, _ := os.Hostname()
	println(host, 1, true)
	fmt.Fprintln(os.Stderr, "written by fmt")
	time.Sleep(time.Millisecond)
	println(strings.Repeat("long", 50_000))
	println([]int(nil))
})
