package tenant

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
)

var (
	gatewayProgram = sim.NewProgram("gateway", GatewayMain)
	storeProgram   = sim.NewProgram("store", StoreMain)
	jobsProgram    = sim.NewProgram("jobs", JobsMain)
)

// service is the system under test: a gateway, a store and background jobs.
type service struct {
	gateway, jobs wire.Addr
	accounts      Accounts
}

// start starts the service for some tenants.
func start(w *sim.World, cost time.Duration, tenants ...string) *service {
	g, s, j := w.Node("g1"), w.Node("s1"), w.Node("j1")
	addr := func(n *sim.Node) wire.Addr { return wire.Addr(n.Addr() + ":80") }
	v := &service{gateway: addr(g), jobs: addr(j)}
	for i, t := range tenants {
		v.accounts = append(v.accounts, Account{t, fmt.Sprintf("token-%d", i+1)})
	}
	launch := func(n *sim.Node, p *sim.Program, args ...string) {
		args = append([]string{"-listen", string(addr(n))}, args...)
		if bug := w.Param("bug"); bug != "none" {
			args = append(args, "-bug", bug)
		}
		n.Start(p, args...)
	}
	launch(s, storeProgram)
	launch(j, jobsProgram, "-store", string(addr(s)))
	launch(g, gatewayProgram, "-store", string(addr(s)), "-jobs", string(addr(j)), "-accounts", v.accounts.String(), "-cost", cost.String())
	return v
}

// client is what a tenant calls the service by.
func (v *service) client(i int) *Client { return &Client{v.gateway, v.accounts[i].Token} }

// idle is nil once nothing is left to do in the background.
func (v *service) idle() error {
	b, err := wire.Call[Backlog](v.jobs, "/state", struct{}{}, backendTimeout)
	if err == nil && (b.Jobs > 0 || b.Behind > 0) {
		err = fmt.Errorf("%+v is left to do", b)
	}
	return err
}

// errLimited is of a request that was refused before anybody looked at it.
var errLimited = errors.New("limited")

// do makes a call and records how it went. What the gateway could not get an answer to
// from behind may have been done, or may be yet.
func do(p oracle.Pending, c *Client, method, path, body string) (Answer, error) {
	a, err := c.Do(method, path, body)
	switch {
	case err != nil:
		p.Unknown(err)
	case a.Status == http.StatusTooManyRequests:
		err = errLimited
		p.Fail(err)
	case a.Status == http.StatusBadGateway:
		err = errors.New(a.Body)
		p.Unknown(err)
	default:
		p.OK(a.Text)
	}
	return a, err
}

// variable is what differs in answers that are the same otherwise.
var variable = []*regexp.Regexp{regexp.MustCompile(`Date: [^\n]*`)}

// tally has the run tell the numbers of calls of a history.
func tally(w *sim.World, h *oracle.History) {
	w.Count(func() run.Ops {
		n := h.Counts()
		return run.Ops{Invoked: n.Invoked, OK: n.OK, Failed: n.Failed, Unknown: n.Unknown}
	})
}
