package toolchain

import "slices"

// tables is all that makes a copy differ from its original.
type tables struct {
	edits     []edit
	additions []addition
	vars      []processVar
}

// standardTables returns the edits of every edits_*.go and the files of overlay.
func standardTables() tables {
	return tables{
		edits:     slices.Concat(runtimeEdits, stdEdits, atomicEdits),
		additions: overlayAdditions(),
		vars:      processVars,
	}
}

// forVersion returns the part of t that applies to a Go version.
func (t tables) forVersion(v version) tables {
	var out tables
	for _, e := range t.edits {
		if v.within(e.since, e.until) {
			out.edits = append(out.edits, e)
		}
	}
	for _, a := range t.additions {
		if v.within(a.since, a.until) {
			out.additions = append(out.additions, a)
		}
	}
	for _, p := range t.vars {
		if v.within(p.since, p.until) {
			out.vars = append(out.vars, p)
		}
	}
	return out
}
