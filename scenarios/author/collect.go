package author

import (
	"fmt"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/scenarios/plan"
)

// target is a file, and the tests that the plan has for it.
type target struct {
	name  string // from the repository's top, with slashes
	tests []*test
}

// test is a test function. Scenarios that name the same one share it.
type test struct {
	name  string
	units []*unit
}

// collect makes units of the plan's scenarios, and files of units.
func (w *writer) collect() {
	var files []target
	for i := range w.Plan.Scenarios {
		for _, u := range w.unitsOf(&w.Plan.Scenarios[i]) {
			if reason := u.refusal(w.Dir); reason != "" {
				if w.selected(u.Scenario, u.scenario.ID) {
					u.Action, u.Reason = Refused, reason
					w.units = append(w.units, u)
				}
				continue
			}
			if reason := u.elsewhere(); reason != "" {
				if w.selected(u.Scenario, u.scenario.ID) {
					u.Action, u.Reason = Skipped, reason
					w.units = append(w.units, u)
				}
				continue
			}
			u.File = path.Clean(u.File)
			files = put(files, u)
			w.units = append(w.units, u)
		}
	}
	name(files)
	w.files = slices.DeleteFunc(files, func(f target) bool { return !w.wants(f) })
	w.units = slices.DeleteFunc(w.units, func(u *unit) bool { return u.Action == "" && !w.written(u) })
}

// unitsOf parts a scenario into what has a target of its own.
func (w *writer) unitsOf(s *plan.Scenario) (out []*unit) {
	var shared []plan.Arm
	for _, a := range s.Arms {
		if a.Target.File == "" && plan.Written(a.Driver) == "" {
			shared = append(shared, a)
		}
	}
	if len(s.Arms) == 0 || len(shared) > 0 {
		out = append(out, scenarioUnit(s, shared))
	}
	for _, a := range s.Arms {
		if a.Target.File != "" || plan.Written(a.Driver) != "" {
			out = append(out, armUnit(s, a))
		}
	}
	return out
}

// elsewhere says why a scenario needs no test in Go, if so.
func (u *unit) elsewhere() string {
	driver := u.scenario.Driver
	if u.isArm() {
		driver = u.arms[0].Driver
	}
	switch {
	case plan.Written(driver) != "" && u.Func == "":
		return fmt.Sprintf("the driver %s runs it", driver)
	case u.target().None != "":
		return "the plan has no test for it, because " + u.target().None
	}
	return ""
}

// put adds a unit to the file that it is for.
func put(files []target, u *unit) []target {
	i := slices.IndexFunc(files, func(f target) bool { return f.name == u.File })
	if i < 0 {
		files = append(files, target{name: u.File})
		i = len(files) - 1
	}
	f := &files[i]
	j := slices.IndexFunc(f.tests, func(t *test) bool { return u.Func != "" && t.name == u.Func })
	if j < 0 {
		f.tests = append(f.tests, &test{name: u.Func})
		j = len(f.tests) - 1
	}
	f.tests[j].units = append(f.tests[j].units, u)
	return files
}

// name gives tests names that the plan does not, each once in a folder.
func name(files []target) {
	taken := map[string]bool{}
	key := func(f target, name string) string { return path.Dir(f.name) + "#" + name }
	for _, f := range files {
		for _, t := range f.tests {
			taken[key(f, t.name)] = true
		}
	}
	for _, f := range files {
		for _, t := range f.tests {
			if t.name != "" {
				continue
			}
			u := t.units[0]
			t.name = u.funcName()
			if taken[key(f, t.name)] {
				t.name += camel(u.Scenario)
			}
			taken[key(f, t.name)] = true
			u.Func = t.name
		}
	}
}

// wants reports whether a file has a test that is wanted.
func (w *writer) wants(f target) bool {
	return slices.ContainsFunc(f.tests, func(t *test) bool {
		return slices.ContainsFunc(t.units, func(u *unit) bool { return w.selected(u.Scenario, u.scenario.ID) })
	})
}

func (w *writer) written(u *unit) bool {
	return slices.ContainsFunc(w.files, func(f target) bool { return f.name == u.File })
}

// languages are those of which there are skeletons.
var languages = []string{"go"}

// refusal says why a unit's test cannot be written, if so.
func (u *unit) refusal(top string) string {
	if u.elsewhere() != "" {
		return ""
	}
	if l := strings.ToLower(strings.TrimSpace(u.scenario.Skeleton)); l != "" && plan.None(l) == "" && !slices.Contains(languages, l) {
		return fmt.Sprintf("skeletons in %s are not supported: want %s, or a driver", u.scenario.Skeleton, strings.Join(languages, ", "))
	}
	if u.Func != "" && (!isTest(u.Func) || !token.IsIdentifier(u.Func)) {
		return fmt.Sprintf("the function %s is no test: want a name as TestKV", u.Func)
	}
	return refusal(top, u.File)
}
