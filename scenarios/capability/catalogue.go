package capability

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Catalogue is what can be probed, in the order in which it is listed.
type Catalogue []Probe

// Known are the probes that there are.
func Known() Catalogue {
	return slices.Concat(containers, toolchains, backends, network, files, kernel, observation)
}

var marks = strings.NewReplacer("-", " ", "_", " ", "`", "")

// normal is a name without what people write differently.
func normal(name string) string {
	return strings.Join(strings.Fields(marks.Replace(strings.ToLower(name))), " ")
}

// Find returns the probe that has a name or an alias, written with or without
// capitals, hyphens and code marks. The error names the nearest ones.
func (c Catalogue) Find(name string) (Probe, error) {
	for _, p := range c {
		if slices.ContainsFunc(p.names(), func(n string) bool { return normal(n) == normal(name) }) {
			return p, nil
		}
	}
	return Probe{}, fmt.Errorf("found %q, want one of the known capabilities%s", name, c.near(name))
}

func (p Probe) names() []string { return append([]string{p.Name}, p.Aliases...) }

// nearMost is how many names an error shows.
const nearMost = 3

// near tells the names that are nearest to one: by edits, or because they hold it.
func (c Catalogue) near(name string) string {
	type candidate struct {
		name     string
		distance int
	}
	name = normal(name)
	var list []candidate
	for _, p := range c {
		best := candidate{p.Name, len(name)}
		for _, n := range p.names() {
			d := levenshtein.ComputeDistance(name, normal(n))
			if len(name) > 2 && strings.Contains(normal(n), name) {
				d = 1
			}
			best.distance = min(best.distance, d)
		}
		if best.distance <= max(1, len(name)/3) {
			list = append(list, best)
		}
	}
	if len(list) == 0 {
		return ""
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, n := range list[:min(len(list), nearMost)] {
		names = append(names, fmt.Sprintf("%q", n.name))
	}
	return ": the nearest are " + strings.Join(names, ", ")
}

// Match finds the probe of each need, without one for what only the user answered for.
// An error is about the plan or the answers: a need that is not known and not answered for, a floor
// that is no version, a name in both lists. All that is wrong is told, joined.
func (c Catalogue) Match(needs []Need, said Answers) ([]Probe, error) {
	errs := []error{said.validate(c)}
	probes := make([]Probe, len(needs))
	for i, n := range needs {
		errs = append(errs, n.validate())
		p, err := c.Find(n.Item)
		if err != nil && said.about(c, n.Item) == "" {
			errs = append(errs, fmt.Errorf("need %d: %w, or answer for it by --have or --skip", i+1, err))
		}
		probes[i] = p
	}
	return probes, errors.Join(errs...)
}
