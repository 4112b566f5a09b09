package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/orrery-sim/orrery/shrink"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/cobra"
)

// mergeFlags is what merge is told.
type mergeFlags struct {
	reportFlags
	json bool
}

func (a *app) mergeCommand() *cobra.Command {
	var f mergeFlags
	c := &cobra.Command{
		Use:   "merge FILE...|FOLDER...",
		Short: "make one sweep of its shards",
		Long: `Make one sweep of its shards: each file is what 'orrery sweep --json --shard i/n'
printed, or each folder where 'orrery sweep --shard i/n --out' kept findings. What is
printed, and the exit code, is that of the sweep of all seeds; with --json, byte for
byte.

With --out, findings are kept as that sweep would have kept them. Folders of shards
are made one: all must have begun with copies of the folder that --out names, or all
with none. Files have no findings: the package is built again, to run reproducers.`,
		Example: "  orrery sweep ./kv --seeds 1-2000 --shard 1/4 --json > 1.json\n  orrery merge 1.json 2.json 3.json 4.json\n" +
			"  orrery sweep ./kv --seeds 1-2000 --shard 1/4 --out found-1\n  orrery merge found-1 found-2 found-3 found-4 --out found",
		RunE: command(func(ctx context.Context, files []string) error {
			return a.merge(ctx, &f, files)
		}).run,
	}
	fs := c.Flags()
	f.reportFlags.add(fs)
	fs.BoolVar(&f.json, "json", false, "print an object a seed, one a line, and one for the whole")
	return c
}

func (a *app) merge(ctx context.Context, f *mergeFlags, files []string) error {
	if len(files) == 0 {
		return usage(errors.New("merge: want the files that 'orrery sweep --json --shard i/n' printed, or the folders of its --out"))
	}
	shards, err := readShards(files)
	if err != nil {
		return usage(err)
	}
	folders := shards[0].folder != ""
	switch {
	case folders && f.out == "":
		return usage(fmt.Errorf("%s: it is a folder of findings: want --out, the folder that is made of all shards'", files[0]))
	case folders && f.revision != "":
		return usage(errors.New("--revision: want it where the shards are swept: their findings are labelled"))
	}
	wholes, err := mergeShards(shards)
	if err != nil {
		return usage(err)
	}
	if err := f.open(); err != nil {
		return err
	}
	if folders {
		if err := mergeFolders(f.findings, wholes); err != nil {
			return err
		}
	}
	worst := exitPass
	for _, m := range wholes {
		if len(wholes) > 1 && !f.json {
			fmt.Fprintf(a.stdout, "=== %s %s\n", m.report.scenario.Name, m.report.scenario.Binary.Pattern())
		}
		code, err := a.printMerged(ctx, f, m)
		if err != nil {
			return err
		}
		worst = worse(worst, code)
	}
	if err := f.close(); err != nil {
		return err
	}
	return exitCode(worst)
}

// printMerged prints a merged sweep as the sweep itself does.
func (a *app) printMerged(ctx context.Context, f *mergeFlags, m merged) (int, error) {
	r := m.report
	if f.findings != nil && m.shards[0].folder == "" {
		r.settings.Revision = f.revision
		c, err := m.rebuild(ctx)
		if err != nil {
			return exitNoVerdict, err
		}
		if err := a.track(ctx, &f.reportFlags, c, r); err != nil {
			return exitNoVerdict, err
		}
	}
	if err := a.tellCI(&f.reportFlags, r); err != nil {
		return exitNoVerdict, err
	}
	if f.json {
		for _, line := range m.lines {
			if _, err := a.stdout.Write(append(line, '\n')); err != nil {
				return exitNoVerdict, err
			}
		}
		return r.exit(), encode(a.stdout, r.line())
	}
	for _, x := range r.failures {
		x.print(a.stdout)
	}
	printTroubles(a.stdout, r.scenario, m.request(), r.summary)
	r.print(a.stdout)
	return r.exit(), nil
}

// merged is the whole of a scenario's shards.
type merged struct {
	report *report
	shards []shardSweep // first to last
	lines  [][]byte     // of the seeds, in their order
}

func (m merged) request() run.Request {
	return run.Request{Params: m.report.settings.Params, Faults: m.report.settings.Faults}
}

// rebuild builds the scenario again, to run the reproducers of findings. It must be
// what the shards ran.
func (m merged) rebuild(ctx context.Context) (run.SweepConfig, error) {
	sc, s := m.report.scenario, m.report.settings
	c := run.SweepConfig{Request: m.request(), Known: s.Known, MaxVacuous: s.MaxVacuous}
	binaries, err := run.Build(ctx, []string{sc.Binary.Pattern()}, run.Options{Tags: s.Tags, Race: s.Race, Short: s.Identity.Short})
	if err != nil {
		return c, fmt.Errorf("--out: to run what is in the folder: %w", err)
	}
	for _, b := range binaries {
		found, err := b.Scenarios(ctx, nil)
		if err != nil {
			return c, err
		}
		i := slices.IndexFunc(found, func(x run.Scenario) bool { return x.Name == sc.Name })
		if i >= 0 && b.Identity == s.Identity {
			c.Scenario = found[i]
			return c, nil
		}
		if i >= 0 {
			return c, usage(fmt.Errorf("--out: the shards ran build %s of %s, here it is %s: merge where the shards' sources are", s.Identity.Build, sc.Binary.Package, b.Identity.Build))
		}
	}
	return c, usage(fmt.Errorf("--out: %s has no scenario %s here: merge where the shards' sources are", sc.Binary.Package, sc.Name))
}

// mergeShards makes the whole sweeps of shards.
func mergeShards(shards []shardFile) ([]merged, error) {
	if err := sameScenarios(shards); err != nil {
		return nil, err
	}
	var out []merged
	for i := range shards[0].sweeps {
		var parts []shardSweep
		for _, s := range shards {
			parts = append(parts, s.sweeps[i])
		}
		ordered, err := inOrder(parts)
		if err != nil {
			return nil, err
		}
		whole, err := mergeSweeps(ordered)
		if err != nil {
			return nil, err
		}
		out = append(out, whole)
	}
	return out, nil
}

// mergeSweeps makes the whole of a scenario's shards, first to last: the i-th seed is
// of the i-th of them, and so on round.
func mergeSweeps(parts []shardSweep) (merged, error) {
	first := parts[0].summary
	set := first.Settings
	set.Shard = ""
	sc := run.Scenario{Name: first.Scenario, Binary: &run.Binary{
		Package: first.Package, Dir: set.folder(), Tags: set.Tags, Race: set.Race, Short: set.Identity.Short, Identity: set.Identity,
	}}
	m := merged{report: &report{scenario: sc, settings: set}, shards: parts}
	sum := run.NewSummary(run.SweepConfig{Scenario: sc, MaxVacuous: set.MaxVacuous, Known: set.Known})
	for i := 0; ; i++ {
		part := parts[i%len(parts)]
		if i/len(parts) == len(part.lines) {
			break
		}
		line := part.lines[i/len(parts)]
		it, err := line.item()
		if err != nil {
			return m, err
		}
		sum.Add(it)
		m.lines = append(m.lines, line.text)
	}
	m.report.summary = sum
	for _, b := range sum.Buckets {
		f, err := explained(parts, b)
		if err != nil {
			return m, err
		}
		m.report.failures = append(m.report.failures, f)
	}
	return m, nil
}

// explained is a bucket with what the shard says that has its first seed, which is the
// first of the shard's bucket, too.
func explained(parts []shardSweep, b run.Bucket) (failure, error) {
	for _, p := range parts {
		for _, line := range p.summary.Buckets {
			if line.Signature == b.Signature && line.First == b.First.Seed {
				return line.failure(b), nil
			}
		}
	}
	return failure{}, fmt.Errorf("seed %d failed, and no shard has a bucket that begins with it: want files as 'orrery sweep --json' printed them", b.First.Seed)
}

// failure is the bucket as it was when the line was printed.
func (l bucketLine) failure(b run.Bucket) failure {
	f := failure{Bucket: b, replay: l.Replay, note: l.Note}
	if s := l.Shrunk; s != nil {
		out := shrink.Outcome{Runs: s.Runs, End: shrink.End(s.End)}
		out.Before.Faults = s.Before
		out.Output.Faults = s.Faults
		for _, x := range s.Faults {
			out.Request.Faults = append(out.Request.Faults, x.Text)
		}
		f.shrunk, f.least = &out, s.Replay
	}
	return f
}
