package oracle

import (
	"strings"
	"unicode"
)

// Confusion is a way in which two tenants, or two objects of theirs, can be taken for one
// another by their identifiers.
type Confusion string

// The ways that a boundary can be asked to have tried.
const (
	// SameName: both have an object of that name.
	SameName Confusion = "same name"
	// PrefixName: one tenant's name begins with the other's, as "acme2" with "acme".
	PrefixName Confusion = "prefix"
	// JoinedName: tenant and object, put together, are the same, as "a" with "b-c" and
	// "a-b" with "c". Only letters and digits count.
	JoinedName Confusion = "joined"
	// CaseName: the names of the tenants differ in upper and lower case alone.
	CaseName Confusion = "case"
)

// name is what an object is found by.
type name struct{ tenant, object string }

// confusable reports whether the objects of two tenants can be confused in that way.
func (c Confusion) confusable(a, b name) bool {
	if a.tenant == b.tenant {
		return false
	}
	switch c {
	case SameName:
		return a.object != "" && a.object == b.object
	case PrefixName:
		return strings.HasPrefix(a.tenant, b.tenant) || strings.HasPrefix(b.tenant, a.tenant)
	case JoinedName:
		return a.object != "" && b.object != "" && joined(a) == joined(b)
	case CaseName:
		return strings.EqualFold(a.tenant, b.tenant)
	}
	return false
}

func joined(n name) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, n.tenant+n.object)
}
