package tenant

import (
	"net/http"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// read returns a document, from the cache if that has the version which the store has.
func (g *gateway) read(tenant, id string) (change, error) {
	cached := g.cache.get(tenant, id)
	doc, err := wire.Call[change](g.store, "/read", query{tenant, id, cached.Version}, backendTimeout)
	if err != nil || doc.Deleted {
		return doc, err
	}
	time.Sleep(g.cost)
	if doc.Version == cached.Version {
		doc.Body = cached.Body
	}
	g.cache.put(tenant, id, doc)
	return doc, nil
}

func (g *gateway) getDoc(r request) (reply, error) {
	doc, err := g.read(r.tenant, r.PathValue("id"))
	if err != nil || doc.Deleted {
		return notFound, err
	}
	return reply{http.StatusOK, doc.Body}, nil
}

func (g *gateway) putDoc(r request) (reply, error) {
	time.Sleep(g.cost)
	return g.write(change{Tenant: r.tenant, ID: r.PathValue("id"), Body: r.body})
}

func (g *gateway) deleteDoc(r request) (reply, error) {
	return g.write(change{Tenant: r.tenant, ID: r.PathValue("id"), Deleted: true})
}

func (g *gateway) write(c change) (reply, error) {
	version, err := wire.Call[int](g.store, "/write", c, backendTimeout)
	return reply{http.StatusOK, map[string]int{"version": version}}, err
}

func (g *gateway) listDocs(r request) (reply, error) {
	docs, err := wire.Call[[]change](g.store, "/list", r.tenant, backendTimeout)
	entries := []entry{}
	for _, c := range docs {
		entries = append(entries, c.entry())
	}
	return reply{http.StatusOK, entries}, err
}

func (g *gateway) search(r request) (reply, error) {
	time.Sleep(g.cost)
	out, err := wire.Call[found](g.jobs, "/search", words{r.tenant, r.URL.Query().Get("q")}, backendTimeout)
	return reply{http.StatusOK, out}, err
}

func (g *gateway) startExport(r request) (reply, error) {
	_, err := wire.Call[struct{}](g.jobs, "/export", export{r.tenant, r.PathValue("name")}, backendTimeout)
	return reply{http.StatusAccepted, "in the works\n"}, err
}

// getExport answers an export that is not ready like one that nobody asked for.
func (g *gateway) getExport(r request) (reply, error) {
	out, err := wire.Call[fetched](g.jobs, "/fetch", export{r.tenant, r.PathValue("name")}, backendTimeout)
	if err != nil || !out.Found {
		return notFound, err
	}
	return reply{http.StatusOK, out.Data}, nil
}

func (g *gateway) showMetrics(r request) (reply, error) {
	return reply{http.StatusOK, g.metrics.text(r.tenant) + g.lanes.text(r.tenant)}, nil
}
