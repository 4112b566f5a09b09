package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
)

// comparison is one failure on two revisions.
type comparison struct {
	file    string          // of the reproducer; "" if it is a seed
	expect  *run.Reproducer // how base has to fail; of a seed it is how base does
	request run.Request     // that fails
	config  run.SweepConfig // of sweeps, but for scenario and seeds
	seeds   *run.Seeds      // of the sweep of fix; nil if foundAt says how many
	foundAt uint64          // how many seeds it took to find the failure; 0 if that is not known

	base, fix side
}

// side is a revision, and what came of it.
type side struct {
	revision
	scenario run.Scenario
	local    run.Scenario // as it is named in the user's own work tree
	once     *run.Item    // of the reproducer; nil if it was not run
	sweep    *run.Summary // nil if there was none
}

// local is a scenario of the worktree as one of the work tree it was made from.
func (w *worktree) local(sc run.Scenario) run.Scenario {
	b := sc.Binary
	dir := b.Dir
	if rel, err := filepath.Rel(w.dir, dir); err == nil {
		dir = filepath.Join(w.top, rel)
	}
	return run.Scenario{Name: sc.Name, Params: sc.Params, Binary: &run.Binary{Package: b.Package, Dir: dir, Tags: b.Tags, Race: b.Race, Short: b.Short}}
}

const (
	// foundWithin is how many seeds of base are tried to find the failure again.
	foundWithin = 1000
	// confirming is how many times the seeds that it took to find the failure must
	// pass on fix.
	confirming = 10
)

// run makes the runs, as far as they can still change the verdict.
func (c *comparison) run(ctx context.Context, p *progress) error {
	defer p.clear()
	if err := c.runBase(ctx, p); err != nil || c.baseTrouble() != "" {
		return err
	}
	if err := c.runOnce(ctx, &c.fix, p); err != nil || c.fails(&c.fix) {
		return err
	}
	if c.seeds == nil && c.foundAt == 0 {
		if err := c.find(ctx, p); err != nil || c.foundAt == 0 {
			return err
		}
	}
	seeds := c.seeds
	if seeds == nil {
		all, err := run.ParseSeeds(fmt.Sprintf("1-%d", confirming*c.foundAt))
		if err != nil {
			return err
		}
		seeds = &all
	}
	return c.sweep(ctx, &c.fix, *seeds, p)
}

// runBase runs the failure on base. A seed's is made a reproducer of first: the
// faults that its plan has on base must be those of fix.
func (c *comparison) runBase(ctx context.Context, p *progress) error {
	if err := c.runOnce(ctx, &c.base, p); err != nil || c.expect != nil || c.base.once.Output.Verdict != run.Violated {
		return err
	}
	r := run.NewReproducer(c.base.scenario, c.request, c.base.once.Output.Result)
	c.expect, c.request = &r, r.Request()
	return c.runOnce(ctx, &c.base, p)
}

// runOnce runs the reproducer, twice, to see that it is no matter of luck.
func (c *comparison) runOnce(ctx context.Context, s *side, p *progress) error {
	p.show(func() string { return fmt.Sprintf("%s: the reproducer", s.revision) })
	conf := c.config
	conf.Scenario, conf.Request, conf.Verify, conf.Procs = s.scenario, c.request, 1, 1
	seed, err := run.ParseSeeds(fmt.Sprint(c.request.Seed))
	if err != nil {
		return err
	}
	conf.Seeds = seed
	_, err = run.Sweep(ctx, conf, func(it run.Item) { s.once = &it })
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// find sweeps base until the failure comes, to learn how many seeds that takes.
func (c *comparison) find(ctx context.Context, p *progress) error {
	seeds, err := run.ParseSeeds(fmt.Sprintf("1-%d", foundWithin))
	if err != nil {
		return err
	}
	if err := c.sweep(ctx, &c.base, seeds, p); err != nil {
		return err
	}
	if c.same(c.base.sweep) != nil {
		c.foundAt = c.base.sweep.Seeds
	}
	return nil
}

// sweep sweeps a revision, until the failure comes.
func (c *comparison) sweep(ctx context.Context, s *side, seeds run.Seeds, p *progress) error {
	conf := c.config
	conf.Scenario, conf.Seeds = s.scenario, seeds
	conf.StopAt = func(it run.Item) bool { return c.expect.Same(it.Output.Result) }
	done, start := 0, time.Now()
	sum, err := run.Sweep(ctx, conf, func(run.Item) {
		done++
		p.show(func() string {
			return fmt.Sprintf("%s: %s of %s seeds, %.1f a second", s.revision, count(done), count(seeds.Len()), float64(done)/time.Since(start).Seconds())
		})
	})
	s.sweep = &sum
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// same returns the failures of a sweep that are the expected one, nil if it has
// none.
func (c *comparison) same(s *run.Summary) *run.Bucket {
	if s == nil {
		return nil
	}
	for i := range s.Buckets {
		if s.Buckets[i].Signature == c.expect.Expect.Signature {
			return &s.Buckets[i]
		}
	}
	return nil
}

// fails reports whether the reproducer fails as expected.
func (c *comparison) fails(s *side) bool {
	return s.once.Output.Verdict == run.Violated && c.expect.Same(s.once.Output.Result)
}
