package plan

import (
	"fmt"
	"strings"
	"time"
)

// List is a list of a plan, or the reason why it is empty.
type List[T any] struct {
	Items []T
	None  string // the reason: WHY of "none, because WHY"
}

// Named is a fault's family or an oracle, and what is to be said about it. It is
// written "name (detail)".
type Named struct {
	Name   string
	Detail string // "" if nothing
}

func (n Named) String() string {
	if n.Detail == "" {
		return n.Name
	}
	return n.Name + " (" + n.Detail + ")"
}

// Param is a parameter of a test. It is written "name=value".
type Param struct{ Name, Value string }

func (p Param) String() string { return p.Name + "=" + p.Value }

// Config is a named set of parameters, put over those of the scenario. It is
// written "name: name=value name=value".
type Config struct {
	Name       string
	Parameters []Param
}

func (c Config) String() string {
	return c.Name + ": " + joined(c.Parameters, " ")
}

// Target is a test file, from the repository's top, and the test in it that is
// run. It is written "file#function".
type Target struct {
	File string
	Func string // "" if it is not written yet
	None string // the reason why there is no file
}

func (t Target) String() string {
	switch {
	case t.None != "":
		return nonePrefix + t.None
	case t.Func == "":
		return t.File
	}
	return t.File + "#" + t.Func
}

// Budget is what a scenario takes, tier by tier.
type Budget struct {
	Smoke     Tier `plan:"smoke"`
	Hardening Tier `plan:"hardening"`
	// Release is the zero tier if NoRelease says why there is none.
	Release   Tier `plan:"release"`
	NoRelease NoRelease
}

// Tier is how much of a scenario has to be run for a tier to be met. All of it is
// measured in the runs; nothing counts for having been asked for.
type Tier struct {
	Configurations int `plan:"configurations" want:"in how many configurations"`
	// Duration is virtual time in a world: of the safety phase of each run.
	Duration time.Duration `plan:"duration" want:"time under faults of each run, as 20s"`
	Faults   int           `plan:"faults" want:"faults that landed, in all runs together"`
	Seeds    int           `plan:"seeds" want:"different seeds, in each configuration"`
}

// NoRelease says why there is no release tier.
type NoRelease struct {
	Because string
	Revisit string // when to think about it again
}

func (n NoRelease) String() string {
	return fmt.Sprintf("%s%s; revisit when %s", nonePrefix, n.Because, n.Revisit)
}

const nonePrefix = "none, because "

// None returns the reason of a text that is "none, because WHY", and "" for
// every other text.
func None(text string) (why string) {
	text = strings.TrimSpace(text)
	if len(text) < len(nonePrefix) || !strings.EqualFold(text[:len(nonePrefix)], nonePrefix) {
		return ""
	}
	return strings.TrimSpace(text[len(nonePrefix):])
}

// Written returns a text, or "" if it says that there is none.
func Written(text string) string {
	if None(text) != "" {
		return ""
	}
	return text
}

func joined[T fmt.Stringer](items []T, sep string) string {
	var out []string
	for _, i := range items {
		out = append(out, i.String())
	}
	return strings.Join(out, sep)
}
