package tenant

import (
	"net/http"
	"slices"

	"github.com/orrery-sim/orrery/oracle"
)

// surface is a way to tenants' data, and how a user works and tries it.
type surface struct {
	work   []func(u *user, c chooser) error // own calls, of which one is chosen
	probes []func(u *user, c chooser) (probe, bool)
	settle []func(u *user) error // own calls after all faults, each a positive control
}

var surfaces = map[string]surface{
	"api": {
		work: []func(*user, chooser) error{
			func(u *user, c chooser) error { return u.put(id(c)) },
			func(u *user, c chooser) error { return u.get(id(c)) },
			func(u *user, c chooser) error { return u.list() },
		},
		probes: []func(*user, chooser) (probe, bool){probeGet, probeGet, probeWrite, probeList},
		settle: []func(*user) error{(*user).getAll, (*user).list},
	},
	"search": {
		work: []func(*user, chooser) error{
			func(u *user, c chooser) error { return u.put(id(c)) },
			func(u *user, c chooser) error { return u.search(id(c), oracle.ControlFree) },
		},
		probes: []func(*user, chooser) (probe, bool){probeWord, probeWord, probeSearch},
		settle: []func(*user) error{(*user).searchAll},
	},
	"export": {
		work: []func(*user, chooser) error{
			func(u *user, c chooser) error { return u.put(id(c)) },
			func(u *user, c chooser) error { return u.export(u.exportName(c)) },
			func(u *user, c chooser) error { return u.fetch(u.exportName(c), oracle.ControlFree) },
		},
		probes: []func(*user, chooser) (probe, bool){probeFetch, probeGuess, probeExport},
		settle: []func(*user) error{(*user).fetchLast, (*user).fetchAll},
	},
	"metrics": {
		work: []func(*user, chooser) error{
			func(u *user, c chooser) error { return u.put(id(c)) },
			func(u *user, c chooser) error { return u.metrics() },
			func(u *user, c chooser) error { return u.get(id(c)) },
		},
		probes: []func(*user, chooser) (probe, bool){probeMetrics},
		settle: []func(*user) error{(*user).metrics},
	},
}

func (u *user) getAll() error {
	for _, id := range u.order {
		if err := u.get(id); err != nil {
			return err
		}
	}
	return nil
}

// probeGet reads a document of another tenant, and one that is not there, of the same
// tenant or of none.
func probeGet(u *user, c chooser) (probe, bool) {
	return u.probeDoc(c, probe{operation: "get", method: http.MethodGet})
}

// probeWrite deletes, or writes over, a document of another tenant.
func probeWrite(u *user, c chooser) (probe, bool) {
	if c.Intn(2) == 0 {
		return u.probeDoc(c, probe{operation: "delete", method: http.MethodDelete})
	}
	m := u.mark()
	return u.probeDoc(c, probe{operation: "put", method: http.MethodPut, body: body(m), marks: []string{m}})
}

func (u *user) probeDoc(c chooser, p probe) (probe, bool) {
	other := u.other(c)
	id, none := other.kept(c), other.name
	if c.Intn(2) == 1 {
		none = other.ghost()
	}
	p.foreign = target{other.name, id, "docs/" + id}
	p.missing = target{none, "x1", "docs/x1"}
	return p, id != ""
}

func probeList(u *user, c chooser) (probe, bool) {
	other := u.other(c)
	return probe{
		operation: "list-of", method: http.MethodGet,
		foreign: target{other.name, "", "docs"}, missing: target{other.ghost(), "", "docs"},
	}, other.kept(c) != ""
}

// search looks for a document by its last mark.
func (u *user) search(id string, kind oracle.ControlKind) error {
	marks := u.expected(id)
	word := noMark
	if len(marks) > 0 {
		word = marks[0]
	}
	control := oracle.Control{Kind: kind, Operation: "search", Object: id}
	if kind == oracle.ControlOwn {
		control.Marks = []string{word + " report"}
	}
	_, err := u.control(control, http.MethodGet, u.path("search?q="+word), "")
	return err
}

// searchAll looks for the documents of which the user knows what is in them.
func (u *user) searchAll() error {
	for _, id := range u.order {
		kind := oracle.ControlFree
		if len(u.expected(id)) == 1 {
			kind = oracle.ControlOwn
		}
		if err := u.search(id, kind); err != nil {
			return err
		}
	}
	return nil
}

// probeWord searches one's own documents for a word that another's alone has.
func probeWord(u *user, c chooser) (probe, bool) {
	other := u.other(c)
	marks := other.expected(other.kept(c))
	if len(marks) == 0 {
		return probe{}, false
	}
	return probe{
		operation: "search-word", method: http.MethodGet,
		foreign: target{u.name, marks[0], "search?q=" + marks[0]}, missing: target{u.name, noMark, "search?q=" + noMark},
	}, true
}

// probeSearch searches another's documents.
func probeSearch(u *user, c chooser) (probe, bool) {
	other := u.other(c)
	marks := other.expected(other.kept(c))
	if len(marks) == 0 {
		return probe{}, false
	}
	return probe{
		operation: "search-of", method: http.MethodGet,
		foreign: target{other.name, marks[0], "search?q=" + marks[0]}, missing: target{other.ghost(), noMark, "search?q=" + noMark},
	}, true
}

// exportNames are such that a tenant and a name, put together, are another tenant's.
var exportNames = map[string][]string{
	"acme":    {"eu-q1", "q1", "acme-q3"},
	"acme2":   {"q1", "two-q3"},
	"acme-eu": {"q1", "eu-q3"},
}

func (u *user) exportName(c chooser) string {
	names := exportNames[u.name]
	return names[c.Intn(len(names))]
}

func (u *user) export(name string) error {
	control := oracle.Control{Kind: oracle.ControlPlant, Operation: "export", Object: name}
	_, err := u.control(control, http.MethodPost, u.path("exports", name), "")
	if err == nil {
		u.exports = append(u.exports, name)
	}
	return err
}

func (u *user) fetch(name string, kind oracle.ControlKind) error {
	control := oracle.Control{Kind: kind, Operation: "fetch", Object: name}
	if kind == oracle.ControlOwn {
		for _, id := range u.order {
			control.Marks = append(control.Marks, u.expected(id)...)
		}
	}
	_, err := u.control(control, http.MethodGet, u.path("exports", name), "")
	return err
}

// fetchLast fetches the export that was asked for last: it is of all that there is.
func (u *user) fetchLast() error {
	return u.fetch(lastExport, oracle.ControlOwn)
}

// fetchAll fetches by all names, whether or not the user has asked for such an export.
func (u *user) fetchAll() error {
	for _, name := range exportNames[u.name] {
		if err := u.fetch(name, oracle.ControlFree); err != nil {
			return err
		}
	}
	return nil
}

// lastExport is asked for after all faults.
const lastExport = "last"

// probeFetch fetches another's export.
func probeFetch(u *user, c chooser) (probe, bool) {
	other := u.other(c)
	if len(other.exports) == 0 {
		return probe{}, false
	}
	name := other.exports[c.Intn(len(other.exports))]
	return probe{
		operation: "fetch-of", method: http.MethodGet,
		foreign: target{other.name, name, "exports/" + name}, missing: target{other.ghost(), "zz", "exports/zz"},
	}, true
}

// probeGuess fetches an own export by a name that another alone has used.
func probeGuess(u *user, c chooser) (probe, bool) {
	other := u.other(c)
	i := slices.IndexFunc(other.exports, func(name string) bool { return !slices.Contains(exportNames[u.name], name) && name != lastExport })
	if i < 0 {
		return probe{}, false
	}
	name := other.exports[i]
	return probe{
		operation: "fetch-guess", method: http.MethodGet,
		foreign: target{u.name, name, "exports/" + name}, missing: target{u.name, "zz", "exports/zz"},
	}, true
}

// probeExport exports another's documents.
func probeExport(u *user, c chooser) (probe, bool) {
	other := u.other(c)
	return probe{
		operation: "export-of", method: http.MethodPost,
		foreign: target{other.name, "q2", "exports/q2"}, missing: target{other.ghost(), "q2", "exports/q2"},
	}, true
}

func (u *user) metrics() error {
	control := oracle.Control{Kind: oracle.ControlOwn, Operation: "metrics", Marks: []string{u.name}}
	_, err := u.control(control, http.MethodGet, u.path("metrics"), "")
	return err
}

// probeMetrics reads another's metrics.
func probeMetrics(u *user, c chooser) (probe, bool) {
	other := u.other(c)
	return probe{
		operation: "metrics-of", method: http.MethodGet,
		foreign: target{other.name, "", "metrics"}, missing: target{other.ghost(), "", "metrics"},
	}, true
}
