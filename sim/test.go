package sim

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
)

// Option configures a test.
type Option func(*config)

type config struct {
	params []param
	seeds  string
}

// param is a parameter of a scenario; its first value is the default.
type param struct {
	name   string
	values []string
}

// Param declares a parameter and the values that it may have, the first being the
// default. The command line sets it with --set NAME=VALUE.
func Param(name string, values ...string) Option {
	if name == "" || len(values) == 0 {
		panic("sim: a parameter needs a name and values")
	}
	return func(c *config) { c.params = append(c.params, param{name, values}) }
}

// seedsDefault is what plain go test runs.
const seedsDefault = "1-10"

// Seeds says which seeds plain go test runs, as in "1-3", where ten are too many or too
// few. -orrery.seeds has the last word; sweeps have their own flag.
func Seeds(seeds string) Option {
	if _, err := run.ParseSeeds(seeds); err != nil {
		panic(fmt.Sprintf("sim: seeds: %v", err))
	}
	return func(c *config) { c.seeds = seeds }
}

// Test runs a scenario: for each seed, a new world that setup fills with nodes,
// clients, faults and checks, and that then runs through its phases.
//
// Under plain go test it builds this package's test again with the patched
// toolchain, which is made and cached if need be, runs the seeds of -orrery.seeds
// in workers, and fails t with the violation and the line that replays it.
func Test(t *testing.T, setup func(*World), options ...Option) {
	t.Helper()
	once(t)
	var c config
	for _, o := range options {
		o(&c)
	}
	switch {
	case os.Getenv("ORRERY_LIST") != "":
		list(t, c)
	case os.Getenv(inPlaceEnv) != "":
		inPlace(t, c, setup)
	case isWorker():
		scenario{t: t, name: t.Name(), c: c, setup: setup}.work()
	default:
		drive(t, c)
	}
}

// tests are those that have called Test.
var tests sync.Map

// once has a test call Test once: a world is named by its test.
func once(t *testing.T) {
	t.Helper()
	if _, twice := tests.LoadOrStore(t, true); twice {
		t.Fatalf("sim.Test is called twice in %s: want a subtest, by t.Run, for each world", t.Name())
	}
	t.Cleanup(func() { tests.Delete(t) })
}

// values returns the parameters of a run: the defaults, and what was set.
func (c config) values(set map[string]string) (map[string]string, error) {
	out := map[string]string{}
	for _, p := range c.params {
		out[p.name] = p.values[0]
		if v, ok := set[p.name]; ok {
			if !slices.Contains(p.values, v) {
				return nil, fmt.Errorf("parameter %s is %q, want one of %q", p.name, v, p.values)
			}
			out[p.name] = v
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if _, ok := out[name]; !ok {
			return nil, fmt.Errorf("no parameter %q: want one of %q", name, slices.Sorted(maps.Keys(out)))
		}
	}
	return out, nil
}

// Flags of a test binary. Each has a twin in the environment.
var (
	flagSeeds = flag.String("orrery.seeds", env("ORRERY_SEEDS", ""), "seeds that sim.Test runs, as in 1-100,200 (ORRERY_SEEDS); by default "+seedsDefault+", or what the test says")
	flagSet   = flag.String("orrery.set", env("ORRERY_SET", ""), "parameters of scenarios, as in bug=none,nodes=5 (ORRERY_SET)")
)

func env(name, otherwise string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return otherwise
}
