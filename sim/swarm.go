package sim

import (
	"fmt"
	"slices"
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
)

// Family draws the faults of one kind for a seed.
type Family struct {
	name string
	draw func(s *choice.Stream, c Cluster) (Action, time.Duration)
	most int // faults of the family in one seed
	// least is how many nodes it takes; with fewer the family draws nothing.
	least int
	// longest is how long a fault lasts at most; 0 stands for downMost.
	longest time.Duration
}

// For returns the family with faults that last d at most, instead of five seconds:
// one that stops a system's only node should leave it time to work.
func (f Family) For(d time.Duration) Family {
	f.longest = d
	return f
}

// Most returns the family with up to n faults in a seed, instead of four or six: a
// longer run has room for more. It panics if n is below 1.
func (f Family) Most(n int) Family {
	if n < 1 {
		panic(fmt.Sprintf("sim: %s: at most %d faults: want 1 at least", f.name, n))
	}
	f.most = n
	return f
}

// Cluster is what a family draws its victims from.
type Cluster struct {
	Nodes  []string
	Safety time.Duration // length of the safety phase

	longest time.Duration // as in Family
}

// Swarm draws, for each seed, a random subset of the families at random
// intensities, so that no seed is merely average (Groce et al.: Swarm Testing,
// ISSTA 2012). Each family has a stream of its own, "fault/NAME": one family more
// changes none of the others' faults.
func Swarm(families ...Family) []Family { return families }

// downMost is the longest that a fault lasts, unless its family says otherwise.
const downMost = 5 * time.Second

// Crashes crashes one node or several at once.
func Crashes() Family {
	return Family{name: "crash", draw: func(s *choice.Stream, c Cluster) (Action, time.Duration) {
		return Crash{subset(s, c.Nodes)}, c.lasting(s)
	}, most: 6, least: 1}
}

// Kills kills the process of one node or several at once.
func Kills() Family {
	return Family{name: "kill", draw: func(s *choice.Stream, c Cluster) (Action, time.Duration) {
		return Kill{subset(s, c.Nodes)}, c.lasting(s)
	}, most: 6, least: 1}
}

// Drains asks one node's process or several to end, as a rolling restart does.
func Drains() Family {
	return Family{name: "drain", draw: func(s *choice.Stream, c Cluster) (Action, time.Duration) {
		nodes, lasts := subset(s, c.Nodes), c.lasting(s)
		return Drain{nodes, s.Between(0, lasts).Round(time.Millisecond)}, lasts
	}, most: 4, least: 1}
}

// Pauses stops the process of one node or several for a while, as a machine that
// is starved, or a collection that stops everything, does.
func Pauses() Family {
	return Family{name: "pause", draw: func(s *choice.Stream, c Cluster) (Action, time.Duration) {
		return Pause{subset(s, c.Nodes)}, c.lasting(s)
	}, most: 6, least: 1}
}

// Partitions splits the nodes in two.
func Partitions() Family {
	return Family{name: "partition", draw: func(s *choice.Stream, c Cluster) (Action, time.Duration) {
		side := subset(s, c.Nodes)
		var rest []string
		for _, n := range c.Nodes {
			if !slices.Contains(side, n) {
				rest = append(rest, n)
			}
		}
		if len(rest) == 0 {
			side, rest = c.Nodes[:1], c.Nodes[1:]
		}
		return Partition{[][]string{side, rest}}, c.lasting(s)
	}, most: 6, least: 2}
}

// Cuts cuts links one way.
func Cuts() Family {
	return Family{name: "cut", draw: func(s *choice.Stream, c Cluster) (Action, time.Duration) {
		a, b := pair(s, c.Nodes)
		return Cut{a, b}, c.lasting(s)
	}, most: 4, least: 2}
}

// Losses loses packets of links.
func Losses() Family {
	return Family{name: "lose", draw: func(s *choice.Stream, c Cluster) (Action, time.Duration) {
		a, b := pair(s, c.Nodes)
		return Lose{a, b, float64(1+s.Intn(50)) / 100}, c.lasting(s)
	}, most: 4, least: 2}
}

// Delays makes links slow.
func Delays() Family {
	return Family{name: "delay", draw: func(s *choice.Stream, c Cluster) (Action, time.Duration) {
		a, b := pair(s, c.Nodes)
		return Delay{a, b, s.Between(10*time.Millisecond, time.Second).Round(time.Millisecond)}, c.lasting(s)
	}, most: 4, least: 2}
}

// SlowDisks makes disks slow.
func SlowDisks() Family {
	return Family{name: "slow-disk", draw: func(s *choice.Stream, c Cluster) (Action, time.Duration) {
		n := c.Nodes[s.Intn(len(c.Nodes))]
		return SlowDisk{n, s.Between(10*time.Millisecond, 500*time.Millisecond).Round(time.Millisecond)}, c.lasting(s)
	}, most: 4, least: 1}
}

// Skews sets wall clocks off, either way.
func Skews() Family {
	return Family{name: "skew", draw: func(s *choice.Stream, c Cluster) (Action, time.Duration) {
		n := c.Nodes[s.Intn(len(c.Nodes))]
		by := s.Between(10*time.Millisecond, 10*time.Second).Round(time.Millisecond)
		if s.Intn(2) == 1 {
			by = -by
		}
		return Skew{n, by}, c.lasting(s)
	}, most: 4, least: 1}
}

// plan draws a seed's faults, in the order of their times.
func plan(src *choice.Source, families []Family, c Cluster) []Fault {
	var out []Fault
	for _, f := range families {
		if len(c.Nodes) < f.least {
			continue
		}
		s := src.Stream("fault/" + f.name)
		c.longest = f.longest
		if s.Intn(3) == 0 {
			continue // this seed goes without the family
		}
		for range 1 + s.Intn(f.most) {
			at := s.Between(0, c.Safety).Round(time.Millisecond)
			action, lasts := f.draw(s, c)
			out = append(out, Fault{At: at, Action: action, For: lasts})
		}
	}
	slices.SortStableFunc(out, func(a, b Fault) int { return int(a.At - b.At) })
	return out
}

func (c Cluster) lasting(s *choice.Stream) time.Duration {
	longest := c.longest
	if longest == 0 {
		longest = downMost
	}
	return s.Between(min(50*time.Millisecond, longest), longest).Round(time.Millisecond)
}

// subset returns some of the names, at least one: mostly few, at times all.
func subset(s *choice.Stream, names []string) []string {
	n := 1 + min(s.Intn(len(names)), s.Intn(len(names)))
	left := slices.Clone(names)
	var out []string
	for range n {
		i := s.Intn(len(left))
		out = append(out, left[i])
		left = slices.Delete(left, i, i+1)
	}
	slices.Sort(out)
	return out
}

// pair returns two different names.
func pair(s *choice.Stream, names []string) (string, string) {
	i := s.Intn(len(names))
	j := s.Intn(len(names) - 1)
	if j >= i {
		j++
	}
	return names[i], names[j]
}
