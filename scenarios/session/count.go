package session

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/sim/outcome"
)

// count sums up what the cycles of a unit say of oracles and faults.
func (u *UnitState) count(e verdict.Evidence) {
	u.Oracles, u.Landings = []OracleCount{}, []LandingCount{}
	for _, c := range e.Cycles {
		for _, o := range c.Oracles {
			u.oracle(o)
		}
		for _, f := range c.Faults {
			u.landing(c, f)
		}
	}
}

func (u *UnitState) oracle(o verdict.OracleRun) {
	i, found := slices.BinarySearchFunc(u.Oracles, o.Name, func(c OracleCount, name string) int { return cmp.Compare(c.Name, name) })
	if !found {
		u.Oracles = slices.Insert(u.Oracles, i, OracleCount{Name: o.Name})
	}
	if o.Verdict == "" {
		return
	}
	u.Oracles[i].Ran++
	u.Oracles[i].Saw += o.Saw
	if o.Verdict == outcome.OK {
		u.Oracles[i].OK++
	}
}

func (u *UnitState) landing(c verdict.Cycle, f verdict.Fault) {
	i, found := slices.BinarySearchFunc(u.Landings, f.Kind, func(c LandingCount, kind string) int { return cmp.Compare(c.Kind, kind) })
	if !found {
		u.Landings = slices.Insert(u.Landings, i, LandingCount{Kind: f.Kind})
	}
	l := &u.Landings[i]
	l.Scheduled++
	if !f.Landed() {
		return
	}
	l.Landed++
	if l.Example == "" {
		l.Example = "seed " + seedOf(c) + ": " + f.Text + ": " + cmp.Or(f.Victim, f.Injector)
	}
}

// seedOf is a cycle's seed as text, with its configuration.
func seedOf(c verdict.Cycle) string { return strconv.FormatUint(c.Seed, 10) + ", " + c.Configuration }
