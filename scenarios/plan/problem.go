package plan

import (
	"fmt"
	"strings"
)

// Weight is what a problem means for a plan.
type Weight string

// The weights of problems, from the least. A plan with an error or worse is not
// run.
const (
	Warning  Weight = "warning"
	Error    Weight = "error"
	HandBack Weight = "hand back" // only the plan's designer can mend it
)

// Problem is something that is wrong with a plan.
type Problem struct {
	File   string
	Line   int // from 1; 0 if the plan was not read from text
	Weight Weight
	About  string // the part of the plan, as "S1: exit-criteria"
	Found  string
	Want   string
	Do     string // what mends it
}

func (p Problem) String() string {
	at := p.File
	if p.Line > 0 {
		at = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s: %s: %s: found %s, expected %s: %s", at, p.Weight, p.About, p.Found, p.Want, p.Do)
}

// Problems are all that is wrong with a plan, in the order of lines.
type Problems []Problem

func (ps Problems) Error() string {
	var out []string
	for _, p := range ps {
		out = append(out, p.String())
	}
	return strings.Join(out, "\n")
}

// Err returns the problems if one of them is an error or worse, and nil if there
// are at most warnings.
func (ps Problems) Err() error {
	for _, p := range ps {
		if p.Weight != Warning {
			return ps
		}
	}
	return nil
}
