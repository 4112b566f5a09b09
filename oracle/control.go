package oracle

import (
	"fmt"
	"strings"
)

// ControlKind says what is expected of the answer to a [Control].
type ControlKind string

// The kinds of controls of a boundary.
const (
	// ControlPlant is the owner's own write. From then on its marks are the owner's: no
	// other tenant may be shown one.
	ControlPlant ControlKind = "plant"
	// ControlOwn is a positive control: the owner asks for what is its own, and the
	// answer holds one of the marks.
	ControlOwn ControlKind = "own"
	// ControlForeign is a negative control: a tenant asks for what exists, and is another's.
	ControlForeign ControlKind = "foreign"
	// ControlMissing is what a negative control is compared with: the same tenant asks in
	// the same way for what does not exist.
	ControlMissing ControlKind = "missing"
	// ControlFree is any other call of a tenant, such as one for what a delayed path may
	// not show yet. It is looked through for marks of others.
	ControlFree ControlKind = "free"
)

// Control is a call that tests the boundary between tenants. In a history it is
//
//	Type   the operation: "get"
//	Key    the surface: "api"
//	Input  [kind tenant owner object mark ...], as Values writes them
//	Output the whole answer as the tenant got it, with status and headers
//
// A call that was answered is recorded as OK, even if the answer is a denial or an error;
// Fail and Unknown are for calls that got no answer of the surface, such as one that a
// limit of the rate refused.
type Control struct {
	Kind      ControlKind
	Surface   string // one way to the data: "api", "search"
	Operation string // of the surface: "get", "list"
	Tenant    string // who asks
	Owner     string // of the object, as the request names it; "" is Tenant
	Object    string // its name in the request; "" if it names none
	// Marks are texts that only the data of one tenant holds. Of a plant they are what is
	// written; of a positive control, what the answer holds one of; of a negative control
	// that is a write, what it would have written. None shows if it is in another's answer.
	Marks []string
}

// Call returns the call of a history that the control is.
func (c Control) Call(process string) Call {
	if c.Owner == "" {
		c.Owner = c.Tenant
	}
	input := append([]string{string(c.Kind), c.Tenant, c.Owner, c.Object}, c.Marks...)
	return Call{Process: process, Type: c.Operation, Key: c.Surface, Input: Values(input...)}
}

// controlOf is the opposite of Call.
func controlOf(op *Op) (Control, error) {
	a := op.Args()
	wrong := func(found, want string) error {
		return fmt.Errorf("call %d (%s): found %s, want %s: record it as Control.Call makes it", op.ID, op, found, want)
	}
	if len(a) < 4 {
		return Control{}, wrong(plural(len(a), "input"), "kind, tenant, owner and object")
	}
	c := Control{ControlKind(a[0]), op.Key, op.Type, a[1], a[2], a[3], a[4:]}
	switch c.Kind {
	case ControlPlant, ControlForeign, ControlMissing, ControlFree:
	case ControlOwn:
		if len(c.Marks) == 0 {
			return c, wrong("a positive control without marks", "what its answer must hold")
		}
	default:
		return c, wrong(fmt.Sprintf("kind %q", c.Kind), "plant, own, foreign, missing or free")
	}
	if c.Surface == "" || c.Tenant == "" {
		return c, wrong("no surface or no tenant", "both")
	}
	for _, m := range c.Marks {
		if strings.TrimSpace(m) == "" {
			return c, wrong("an empty mark", "text that only the owner's data holds")
		}
	}
	return c, nil
}

// negative reports whether the answer is compared.
func (c *Control) negative() bool { return c.Kind == ControlForeign || c.Kind == ControlMissing }
