package capability

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Answers are what the user said of capabilities, by name or alias.
type Answers struct {
	Have []string // treated as present
	Skip []string // treated as missing
}

// ParseList reads the list of --have or --skip: names with commas between them.
func ParseList(text string) []string {
	var out []string
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// answer is what the user said of one thing.
type answer string

const (
	answerHave answer = "have"
	answerSkip answer = "skip"
)

// same reports whether two names are of one thing. Names that no probe knows are the
// same if they are written so.
func (c Catalogue) same(a, b string) bool { return c.canonical(a) == c.canonical(b) }

func (c Catalogue) canonical(name string) string {
	if p, err := c.Find(name); err == nil {
		return normal(p.Name)
	}
	return normal(name)
}

func (c Catalogue) within(list []string, name string) bool {
	return slices.ContainsFunc(list, func(n string) bool { return c.same(n, name) })
}

// about is what was said of a thing, "" if nothing was.
func (a Answers) about(c Catalogue, name string) answer {
	switch {
	case c.within(a.Have, name):
		return answerHave
	case c.within(a.Skip, name):
		return answerSkip
	}
	return ""
}

// validate refuses what is in both lists.
func (a Answers) validate(c Catalogue) error {
	var errs []error
	for _, name := range a.Have {
		if c.within(a.Skip, name) {
			errs = append(errs, fmt.Errorf("%q is said to be there, and to be skipped: leave it out of --have or of --skip", name))
		}
	}
	return errors.Join(errs...)
}

// unused tells of answers that no need asked for.
func (a Answers) unused(c Catalogue, needs []Need) []string {
	var out []string
	for _, list := range []struct {
		said  answer
		names []string
	}{{answerHave, a.Have}, {answerSkip, a.Skip}} {
		for _, name := range list.names {
			if slices.ContainsFunc(needs, func(n Need) bool { return c.same(n.Item, name) }) {
				continue
			}
			note := fmt.Sprintf("--%s %s: the plan does not need it", list.said, name)
			if _, err := c.Find(name); err != nil {
				note += c.near(name)
			}
			out = append(out, note)
		}
	}
	return out
}
