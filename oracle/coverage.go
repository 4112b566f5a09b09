package oracle

import (
	"fmt"
	"slices"
)

// surfaces are those that are judged, in order.
func (c *boundaryCheck) surfaces() []string {
	if len(c.rules.Surfaces) > 0 {
		return c.rules.Surfaces
	}
	var all []string
	for i := range c.controls {
		all = append(all, c.controls[i].Surface)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// coverage wants every surface to have been tried in every way.
func (c *boundaryCheck) coverage() Outcome {
	if len(c.ops) == 0 {
		return bare(Vacuous, "the history has no calls: record every control in it")
	}
	for _, surface := range c.surfaces() {
		answered := map[ControlKind]int{}
		for _, i := range c.order {
			if c.controls[i].Surface == surface {
				answered[c.controls[i].Kind]++
			}
		}
		if answered[ControlOwn] == 0 {
			return bare(Vacuous, fmt.Sprintf("no positive control was answered at %s: nobody asked for its own data", surface))
		}
		if answered[ControlForeign] == 0 {
			return bare(Vacuous, fmt.Sprintf("no negative control was answered at %s: nobody asked for another's data", surface))
		}
		for _, way := range c.rules.Confusable {
			if !c.tried(surface, way) {
				return bare(Vacuous, fmt.Sprintf("no confusable identifiers (%s) were tried at %s", way, surface))
			}
		}
	}
	return bare(OK, "")
}

// tried reports whether some answered call at a surface asked for what can be confused
// with what another tenant has planted anywhere.
func (c *boundaryCheck) tried(surface string, way Confusion) bool {
	there := map[name]int{}
	var planted []name
	for i := range c.controls {
		n := name{c.controls[i].Tenant, c.controls[i].Object}
		if _, known := there[n]; c.controls[i].Kind == ControlPlant && !known {
			there[n] = i
			planted = append(planted, n)
		}
	}
	seen := map[name]bool{}
	for _, i := range c.order {
		control := &c.controls[i]
		n := name{control.Tenant, control.Object}
		if control.Surface != surface || control.Kind == ControlPlant || seen[n] {
			continue
		}
		seen[n] = true
		if slices.ContainsFunc(planted, func(p name) bool { return way.confusable(n, p) }) {
			return true
		}
	}
	return false
}
