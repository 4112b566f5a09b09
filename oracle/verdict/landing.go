package verdict

import (
	"fmt"
	"slices"
)

// unproven says what is wrong with the landing of a fault that did not.
func (f Fault) unproven() string {
	switch f.Landing {
	case Proven:
		return f.Text + ": said to have landed, with no evidence of it"
	case Ambiguous:
		return f.Text + ": its landing is ambiguous"
	}
	return f.Text + ": its landing is not proven"
}

// unprovenFaults are the faults named by the plan that are not proven to have landed,
// and the drawn kinds none of which is, in any cycle.
func unprovenFaults(cycles []Cycle) (out []string) {
	var kinds drawnKinds
	for _, c := range cycles {
		for _, f := range c.Faults {
			if f.Origin == Drawn {
				kinds.count(f.Kind, f.Landed())
			} else if !f.Landed() {
				out = append(out, c.name()+": "+f.unproven())
			}
		}
	}
	for _, k := range kinds {
		if k.did == 0 {
			out = append(out, fmt.Sprintf("%s: none of %d that were drawn is proven to have landed", k.kind, k.all))
		}
	}
	return out
}

// idleFaults are the faults that landed while no call was under way, those named
// by the plan, and the drawn kinds of which none landed otherwise.
func (e *Evidence) idleFaults() (out []string) {
	var kinds drawnKinds
	for _, c := range e.ended() {
		for _, f := range c.landed() {
			if f.Origin == Drawn {
				kinds.count(f.Kind, c.loaded(f))
			} else if !c.loaded(f) {
				out = append(out, fmt.Sprintf("%s: %s landed while no call was under way", c.name(), f.Text))
			}
		}
	}
	for _, k := range kinds {
		if k.did == 0 {
			out = append(out, fmt.Sprintf("%s: none of %d that landed did while a call was under way", k.kind, k.all))
		}
	}
	return out
}

// drawnKinds counts drawn faults by kind: all, and those that did what was asked.
type drawnKinds []drawnKind

type drawnKind struct {
	kind     string
	all, did int
}

func (k *drawnKinds) count(kind string, did bool) {
	i := slices.IndexFunc(*k, func(d drawnKind) bool { return d.kind == kind })
	if i < 0 {
		i = len(*k)
		*k = append(*k, drawnKind{kind: kind})
	}
	(*k)[i].all++
	if did {
		(*k)[i].did++
	}
}

// landed are the faults that landed, of cycles that ended with a result.
func (e *Evidence) landed() (out []Fault) {
	for _, c := range e.ended() {
		out = append(out, c.landed()...)
	}
	return out
}

func (c Cycle) landed() (out []Fault) {
	for _, f := range c.Faults {
		if f.Landed() {
			out = append(out, f)
		}
	}
	return out
}

// kinds are the kinds of faults, each once, in order.
func kinds(faults []Fault) (out []string) {
	for _, f := range faults {
		out = append(out, f.Kind)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
