package verdict

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// ran reports whether the oracle gave an answer. One that is no verdict is none.
func (o OracleRun) ran() bool {
	switch o.Verdict {
	case outcome.OK, outcome.Violation, outcome.Unknown, outcome.Vacuous:
		return true
	}
	return false
}

// sorted are the cycles in an order that depends on what is in them alone.
func sorted(cycles []Cycle) []Cycle {
	type keyed struct {
		c   Cycle
		key string
	}
	all := make([]keyed, len(cycles))
	for i, c := range cycles {
		all[i] = keyed{c, fmt.Sprintf("%#v", c)}
	}
	slices.SortFunc(all, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.c.Seed, b.c.Seed), cmp.Compare(a.key, b.key))
	})
	out := make([]Cycle, len(all))
	for i, k := range all {
		out[i] = k.c
	}
	return out
}

func (c Cycle) name() string {
	if c.Configuration == "" {
		return fmt.Sprintf("seed %d", c.Seed)
	}
	return fmt.Sprintf("seed %d of %s", c.Seed, c.Configuration)
}

// ended are the cycles that ended with a result.
func (e *Evidence) ended() (out []Cycle) {
	for _, c := range e.Cycles {
		if c.Lost == "" {
			out = append(out, c)
		}
	}
	return out
}

func (e *Evidence) declared(name string) bool { return slices.Contains(e.Checkers, name) }

// eachDeclared visits the runs of declared checkers.
func (e *Evidence) eachDeclared(visit func(Cycle, OracleRun)) {
	for _, c := range e.Cycles {
		for _, o := range c.Oracles {
			if e.declared(o.Name) && o.ran() {
				visit(c, o)
			}
		}
	}
}

func (c Cycle) checkedBy(name string) bool {
	return slices.ContainsFunc(c.Oracles, func(o OracleRun) bool { return o.Name == name && o.ran() })
}

// unchecked are the cycles that a declared checker did not judge.
func (e *Evidence) unchecked() (out []string) {
	if len(e.Checkers) == 0 {
		return []string{"no checker is declared"}
	}
	for _, name := range e.Checkers {
		without := slices.DeleteFunc(slices.Clone(e.Cycles), func(c Cycle) bool { return c.checkedBy(name) && c.Lost == "" })
		if len(without) == len(e.Cycles) {
			out = append(out, fmt.Sprintf("%s ran in none of %s", name, counted(len(e.Cycles), "cycle")))
		} else {
			for _, c := range without {
				out = append(out, fmt.Sprintf("%s did not run in %s", name, c.name()))
			}
		}
	}
	for _, c := range e.Cycles {
		if c.Lost != "" {
			out = append(out, fmt.Sprintf("%s has no result: %s", c.name(), c.Lost))
		}
	}
	return out
}

// surfaceChecks tells what ran beside the declared checkers.
func (e *Evidence) surfaceChecks() string {
	var names []string
	for _, c := range e.Cycles {
		for _, o := range c.Oracles {
			if !e.declared(o.Name) && o.ran() {
				names = append(names, o.Name)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return "; surface checks ran: " + listed(slices.Compact(names))
}
