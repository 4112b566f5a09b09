package oracle

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// class is what answers are compared within.
type class struct{ surface, operation, tenant string }

func classOf(c *Control) class { return class{c.Surface, c.Operation, c.Tenant} }

// answers are those about what does not exist.
type answers struct {
	first int // the call that was answered first
	texts map[string]bool
}

// missing collects the answers about what does not exist.
func (c *boundaryCheck) missing() map[class]answers {
	all := map[class]answers{}
	for _, i := range c.order {
		control := &c.controls[i]
		if control.Kind != ControlMissing {
			continue
		}
		of := classOf(control)
		if _, known := all[of]; !known {
			all[of] = answers{i, map[string]bool{}}
		}
		all[of].texts[c.comparable(i)] = true
	}
	return all
}

// hidden wants an answer about another's object to be like one about none.
func (c *boundaryCheck) hidden(i int, missing answers) Outcome {
	control := &c.controls[i]
	if missing.texts == nil {
		return bare(Unknown, fmt.Sprintf("%q by %s at %s was answered about %s, and about nothing that does not exist: ask for that too, to compare",
			control.Tenant, control.Operation, control.Surface, asked(control)))
	}
	if missing.texts[c.comparable(i)] {
		return bare(OK, "")
	}
	got, other := difference(c.comparable(i), c.comparable(missing.first))
	return c.violation([]int{missing.first, i}, "observable: %q by %s at %s, asking for %s, got %q, and %q about what does not exist",
		control.Tenant, control.Operation, control.Surface, asked(control), brief(got), brief(other))
}

// difference returns the first lines of two texts that differ.
func difference(a, b string) (string, string) {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return as[i], bs[i]
		}
	}
	return a, b
}

// comparable is an answer without what may differ.
func (c *boundaryCheck) comparable(i int) string {
	text := c.withoutRequest(&c.controls[i], c.ops[i].Output)
	for _, v := range c.rules.Variable {
		text = v.ReplaceAllString(text, "<variable>")
	}
	return text
}

// withoutRequest takes what the request named out of an answer.
func (c *boundaryCheck) withoutRequest(control *Control, text string) string {
	text = replaceWord(text, control.Object, "<object>")
	if control.Owner != control.Tenant {
		text = replaceWord(text, control.Owner, "<owner>")
	}
	return text
}

const (
	pairsLeast = 30 // to tell anything by time
	apartLeast = time.Millisecond
	// certainty is in standard deviations: of a fair coin, one series of throws in
	// three million is as uneven.
	certainty = 5
)

// timing compares how long answers took, by pairs: an answer about another's object, and
// the one about none that the same process asked for next to it. By chance either is the
// longer one as often (sign test).
func (c *boundaryCheck) timing() Outcome {
	for _, operation := range c.rules.Timed {
		for _, surface := range c.surfaces() {
			if o := c.timingOf(surface, operation); o.Verdict != OK {
				return o
			}
		}
	}
	return bare(OK, "")
}

func (c *boundaryCheck) timingOf(surface, operation string) Outcome {
	pairs := c.pairs(surface, operation)
	if len(pairs) < pairsLeast {
		return bare(Unknown, fmt.Sprintf("%s at %s has %s of answers to compare the time of, want %d", operation, surface, plural(len(pairs), "pair"), pairsLeast))
	}
	var apart []time.Duration
	longer, shorter := 0, 0
	for _, p := range pairs {
		d := c.took(p.foreign) - c.took(p.missing)
		apart = append(apart, d)
		switch {
		case d > 0:
			longer++
		case d < 0:
			shorter++
		}
	}
	slices.Sort(apart)
	median := apart[len(apart)/2]
	least := c.rules.Apart
	if least == 0 {
		least = apartLeast
	}
	uneven := longer - shorter
	if uneven*uneven < certainty*certainty*(longer+shorter) || max(median, -median) < least {
		return bare(OK, "")
	}
	last := pairs[len(pairs)-1]
	return c.violation([]int{last.missing, last.foreign},
		"observable by time: %s at %s takes %v longer in the median about another's object than about none: longer in %d of %d pairs, shorter in %d",
		operation, surface, median, longer, len(pairs), shorter)
}

func (c *boundaryCheck) took(i int) time.Duration {
	return time.Duration(c.ops[i].Complete - c.ops[i].Invoke)
}

// pair is two calls by index.
type pair struct{ foreign, missing int }

// pairs pairs each answered negative control with the next one of the other kind that the
// same process got for the same tenant, unless another of its own kind comes before it.
func (c *boundaryCheck) pairs(surface, operation string) []pair {
	type asker struct{ process, tenant string }
	waiting := map[asker]int{}
	var out []pair
	for i := range c.ops {
		control := &c.controls[i]
		if !control.negative() || c.ops[i].Status != StatusOK || control.Surface != surface || control.Operation != operation {
			continue
		}
		who := asker{c.ops[i].Process, control.Tenant}
		j, found := waiting[who]
		switch {
		case !found || c.controls[j].Kind == control.Kind:
			waiting[who] = i
			continue
		case control.Kind == ControlForeign:
			out = append(out, pair{i, j})
		default:
			out = append(out, pair{j, i})
		}
		delete(waiting, who)
	}
	return out
}
