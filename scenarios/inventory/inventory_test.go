package inventory

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/generate"
	"github.com/orrery-sim/orrery/sim/run"
	"pgregory.net/rapid"
)

var program = sim.NewProgram("shelves", Main)

var (
	amount = rapid.IntRange(0, 1000)
	order  = rapid.SliceOfN(rapid.IntRange(0, 60), 1, 5)
)

func TestInventory(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Start(program, "-listen", n.Addr()+":80", "-bug", w.Param("bug"))
		var users []*user
		for _, c := range w.Clients("c", 3) {
			u := &user{t: t, url: "http://" + n.Addr() + "/" + c.Name()}
			users = append(users, u)
			c.Run(func() { u.work(c) })
		}
		w.SafetyFor(5 * time.Second)
		w.Faults([]sim.Family{sim.Pauses().For(time.Second)})
		w.Count(func() (n run.Ops) {
			for _, u := range users {
				n.Invoked += u.calls
				n.OK += u.calls
			}
			return n
		})
	}, sim.Param("bug", "none", bugNarrow, bugLines))
}

// user has a shelf of its own, and knows what lies there.
type user struct {
	t     *testing.T
	url   string
	held  int // that should be there
	told  int // that the last answer told
	calls int
}

// work makes every third operation an order, and the others what the state machine
// chooses.
func (u *user) work(c *sim.Client) {
	for op := range c.Ops(time.Millisecond, 200*time.Millisecond) {
		if op.Index%3 == 2 {
			u.move(u.t, generate.Draw(op, "order", order)...)
			continue
		}
		generate.Act(u.t, op, map[string]func(*rapid.T){"put": u.put, "take": u.take, "": u.check})
	}
}

func (u *user) put(t *rapid.T) { u.move(t, amount.Draw(t, "amount")) }

func (u *user) take(t *rapid.T) {
	if u.held == 0 {
		t.Skip("nothing lies there")
	}
	u.move(t, -rapid.IntRange(1, u.held).Draw(t, "amount"))
}

// check is what holds after each action.
func (u *user) check(t *rapid.T) {
	if u.told != u.held {
		t.Fatalf("%d lie there, want %d", u.told, u.held)
	}
}

// move moves an order, and holds the answer against what should come of it.
func (u *user) move(t rapid.TB, lines ...int) {
	sum := 0
	var words []string
	for _, n := range lines {
		sum += n
		words = append(words, strconv.Itoa(n))
	}
	u.calls++
	r, err := http.Post(u.url+"?lines="+strings.Join(words, ","), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if u.told, err = strconv.Atoi(string(text)); err != nil {
		t.Fatal(err)
	}
	fits := u.held+sum <= limit
	if taken := r.StatusCode == http.StatusOK; taken != fits {
		t.Fatalf("taken %v: it would hold %d of %d", taken, u.held+sum, limit)
	}
	if fits {
		u.held += sum
	}
}
