package chain

import (
	"slices"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// A Config is who is in the chain, from its head to its tail. Configs are numbered
// from 1.
type Config struct {
	Num   int
	Chain []Member
}

// A Member of a chain holds all that was acknowledged once it is whole: until then
// it cannot be the chain alone.
type Member struct {
	Addr  wire.Addr
	Whole bool
}

func (c Config) clone() Config { return Config{c.Num, slices.Clone(c.Chain)} }

func (c Config) place(a wire.Addr) int {
	return slices.IndexFunc(c.Chain, func(m Member) bool { return m.Addr == a })
}

func (c Config) isHead(a wire.Addr) bool { return c.place(a) == 0 }

func (c Config) isTail(a wire.Addr) bool { return len(c.Chain) > 0 && c.place(a) == len(c.Chain)-1 }

// next is who follows a member, "" if nobody does.
func (c Config) next(a wire.Addr) wire.Addr {
	if i := c.place(a); i >= 0 && i+1 < len(c.Chain) {
		return c.Chain[i+1].Addr
	}
	return ""
}

// equal reports whether the chains are the same, however whole.
func (c Config) equal(d Config) bool {
	return slices.EqualFunc(c.Chain, d.Chain, func(a, b Member) bool { return a.Addr == b.Addr })
}
