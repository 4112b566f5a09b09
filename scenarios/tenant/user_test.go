package tenant

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/orrery-sim/orrery/oracle"
)

// chooser chooses: an operation of a client, or the round after all faults.
type chooser interface{ Intn(n int) int }

// first and second choose what comes first, or next to it.
type (
	first  struct{}
	second struct{}
)

func (first) Intn(int) int    { return 0 }
func (second) Intn(n int) int { return min(1, n-1) }

// user is a tenant who minds the own business, and tries what others have.
type user struct {
	name    string
	index   int
	process string
	surface string
	client  *Client
	h       *oracle.History
	all     []*user // that there are, the user too
	marks   int     // so far
	docs    map[string]*document
	order   []string // of the ids of docs
	exports []string // that were accepted

	// After all faults:
	tries   int  // to store one more document
	settled bool // it is stored
	asked   bool // for the last export
}

// document is what a user knows of an own document.
type document struct {
	marks  []string // one of them is in it: what was acknowledged last, and what may come yet
	stored bool     // something was acknowledged
}

const ids = 4

// id names one of the documents that all tenants have by the same names.
func id(c chooser) string { return fmt.Sprintf("d%d", 1+c.Intn(ids)) }

// mark returns a word that nobody else has. All are of one length.
func (u *user) mark() string {
	u.marks++
	return fmt.Sprintf("m%d-%04d", u.index, u.marks)
}

// noMark is a word like a mark that no document has.
const noMark = "m9-0000"

// control makes the call that a control is.
func (u *user) control(c oracle.Control, method, path, body string) (Answer, error) {
	c.Surface, c.Tenant = u.surface, u.name
	return do(u.h.Invoke(c.Call(u.process)), u.client, method, path, body)
}

// enroll tells the history that the tenants' names are marks too.
func (u *user) enroll() {
	c := oracle.Control{Kind: oracle.ControlPlant, Surface: u.surface, Operation: "enroll", Tenant: u.name, Marks: []string{u.name}}
	u.h.Invoke(c.Call(u.process)).OK("")
}

func (u *user) path(parts ...string) string { return "/t/" + u.name + "/" + strings.Join(parts, "/") }

// put stores an own document.
func (u *user) put(id string) error {
	m := u.mark()
	doc := u.docs[id]
	if doc == nil {
		doc = &document{}
		u.docs[id] = doc
		u.order = append(u.order, id)
	}
	doc.marks = append(doc.marks, m)
	c := oracle.Control{Kind: oracle.ControlPlant, Operation: "put", Object: id, Marks: []string{m}}
	_, err := u.control(c, http.MethodPut, u.path("docs", id), body(m))
	switch {
	case err == nil:
		doc.acknowledged(m)
	case err == errLimited:
		doc.marks = doc.marks[:len(doc.marks)-1]
	}
	return err
}

// acknowledged drops what the last write replaced. Earlier ones that were not answered may
// come late, and were counted before.
func (d *document) acknowledged(mark string) {
	if d.stored {
		d.marks = d.marks[1:]
	}
	d.marks = append([]string{mark}, d.marks[:len(d.marks)-1]...)
	d.stored = true
}

func body(mark string) string { return mark + " report\nall that is to say of " + mark + "\n" }

// expect makes a positive control of a call, if there is anything to expect.
func expect(c oracle.Control, marks []string) oracle.Control {
	c.Kind = oracle.ControlFree
	if len(marks) > 0 {
		c.Kind, c.Marks = oracle.ControlOwn, marks
	}
	return c
}

// expected are the marks of a document that is there.
func (u *user) expected(id string) []string {
	if d := u.docs[id]; d != nil && d.stored {
		return d.marks
	}
	return nil
}

func (u *user) get(id string) error {
	_, err := u.control(expect(oracle.Control{Operation: "get", Object: id}, u.expected(id)), http.MethodGet, u.path("docs", id), "")
	return err
}

func (u *user) list() error {
	var marks []string
	for _, id := range u.order {
		marks = append(marks, u.expected(id)...)
	}
	_, err := u.control(expect(oracle.Control{Operation: "list"}, marks), http.MethodGet, u.path("docs"), "")
	return err
}

// kept returns an id of a document that is there for certain, "" if none is.
func (u *user) kept(c chooser) string {
	var there []string
	for _, id := range u.order {
		if u.docs[id].stored {
			there = append(there, id)
		}
	}
	if len(there) == 0 {
		return ""
	}
	return there[c.Intn(len(there))]
}

// other chooses another tenant.
func (u *user) other(c chooser) *user {
	i := c.Intn(len(u.all) - 1)
	if u.all[i] == u {
		i = len(u.all) - 1
	}
	return u.all[i]
}

// ghost names a tenant that there is none of, as long as another's name.
func (u *user) ghost() string { return strings.Repeat("z", len(u.name)) }

// probe is a negative control: what exists, and the same of what does not.
type probe struct {
	operation, method string
	foreign, missing  target
	body              string
	marks             []string // of the body
}

// target is what a probe asks for: by a path below a tenant's.
type target struct{ owner, object, path string }

// try asks for both, in either order.
func (u *user) try(c chooser, p probe) error {
	ask := func(kind oracle.ControlKind, t target) error {
		control := oracle.Control{Kind: kind, Operation: p.operation, Owner: t.owner, Object: t.object, Marks: p.marks}
		_, err := u.control(control, p.method, "/t/"+t.owner+"/"+t.path, p.body)
		return err
	}
	kinds := []oracle.ControlKind{oracle.ControlForeign, oracle.ControlMissing}
	targets := []target{p.foreign, p.missing}
	i := c.Intn(2)
	if err := ask(kinds[i], targets[i]); err != nil {
		return err
	}
	return ask(kinds[1-i], targets[1-i])
}
