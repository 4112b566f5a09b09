package tenant

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// Account is a tenant and the token by which it is known.
type Account struct{ Tenant, Token string }

// Accounts is what a flag of several holds: "acme=t1,globex=t2".
type Accounts []Account

func (a Accounts) String() string {
	var parts []string
	for _, one := range a {
		parts = append(parts, one.Tenant+"="+one.Token)
	}
	return strings.Join(parts, ",")
}

func (a *Accounts) Set(s string) error {
	for part := range strings.SplitSeq(s, ",") {
		tenant, token, found := strings.Cut(part, "=")
		if !found || tenant == "" || token == "" {
			return fmt.Errorf("found account %q, want TENANT=TOKEN", part)
		}
		*a = append(*a, Account{tenant, token})
	}
	return nil
}

// gateway answers tenants.
type gateway struct {
	store, jobs wire.Addr
	accounts    Accounts
	bug         string
	cost        time.Duration // that a worker takes for an answer with data

	limits  *limits
	lanes   *lanes
	cache   *cache
	metrics *metrics
}

const workers = 2

// GatewayMain runs the gateway until the process ends.
func GatewayMain() {
	g := &gateway{}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.StringVar((*string)(&g.store), "store", "", "`address` of the store")
	flags.StringVar((*string)(&g.jobs), "jobs", "", "`address` of the jobs")
	flags.Var(&g.accounts, "accounts", "`TENANT=TOKEN` of each tenant, separated by commas")
	flags.DurationVar(&g.cost, "cost", 4*time.Millisecond, "what a worker takes for an answer")
	flags.StringVar(&g.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	g.limits, g.lanes = newLimits(g.bug), newLanes(g.accounts, g.bug)
	g.cache, g.metrics = newCache(g.bug), &metrics{counts: map[count]int{}}
	for range workers {
		go g.lanes.work()
	}
	log.Fatal(http.ListenAndServe(*listen, g.routes()))
}

func (g *gateway) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /t/{tenant}/docs/{id}", g.own(g.getDoc))
	mux.HandleFunc("PUT /t/{tenant}/docs/{id}", g.own(g.putDoc))
	mux.HandleFunc("DELETE /t/{tenant}/docs/{id}", g.own(g.deleteDoc))
	mux.HandleFunc("GET /t/{tenant}/docs", g.own(g.listDocs))
	mux.HandleFunc("GET /t/{tenant}/search", g.own(g.search))
	mux.HandleFunc("POST /t/{tenant}/exports/{name}", g.own(g.startExport))
	mux.HandleFunc("GET /t/{tenant}/exports/{name}", g.own(g.getExport))
	mux.HandleFunc("GET /t/{tenant}/metrics", g.own(g.showMetrics))
	return mux
}

// request is one that a tenant may make.
type request struct {
	*http.Request
	tenant string
	body   string
}

// reply is an answer: a value, shown as JSON, or text.
type reply struct {
	status int
	value  any
}

var notFound = reply{http.StatusNotFound, map[string]string{"error": "not found"}}

// own lets requests through of tenants for what is theirs. All else is answered as if it
// were not there, and before anybody looks whether it is.
func (g *gateway) own(answer func(request) (reply, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		tenant, known := g.whose(r)
		if !known {
			show(w, reply{http.StatusUnauthorized, "who are you?\n"})
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		g.metrics.add("requests_total", tenant)
		if !g.limits.allow(tenant, time.Now()) {
			g.metrics.add("limited_total", tenant)
			show(w, reply{http.StatusTooManyRequests, "slow down\n"})
			return
		}
		req := request{r, tenant, string(body)}
		if r.PathValue("tenant") != tenant {
			show(w, g.deny(req))
			return
		}
		g.serve(w, req, answer)
	}
}

func (g *gateway) whose(r *http.Request) (tenant string, known bool) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	for _, a := range g.accounts {
		if a.Token == token {
			return a.Tenant, true
		}
	}
	return "", false
}

// serve has a worker make the answer, when it is the tenant's turn.
func (g *gateway) serve(w http.ResponseWriter, req request, answer func(request) (reply, error)) {
	var out reply
	var err error
	work := func() {
		if err = req.Context().Err(); err == nil { // else the client is gone
			out, err = answer(req)
		}
	}
	if !g.lanes.run(req.tenant, work) {
		g.metrics.add("limited_total", req.tenant)
		show(w, reply{http.StatusTooManyRequests, "too many at once\n"})
		return
	}
	if err != nil {
		log.Printf("%s %s: %v", req.Method, req.URL, err)
		out = reply{http.StatusBadGateway, "try again\n"}
	}
	show(w, out)
}

// deny answers a request for what is another tenant's.
func (g *gateway) deny(req request) reply {
	other, id := req.PathValue("tenant"), req.PathValue("id")
	switch {
	case g.bug == bugForbidden && id != "":
		doc, err := wire.Call[change](g.store, "/read", query{Tenant: other, ID: id}, backendTimeout)
		if err == nil && !doc.Deleted {
			return reply{http.StatusForbidden, map[string]string{"error": "forbidden"}}
		}
	case g.bug == bugLateCheck && id != "" && req.Method == http.MethodGet:
		g.lanes.run(req.tenant, func() { g.read(other, id) })
	}
	return notFound
}

func show(w http.ResponseWriter, r reply) {
	if text, ok := r.value.(string); ok {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(r.status)
		io.WriteString(w, text)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(r.status)
	json.NewEncoder(w).Encode(r.value)
}
