package shrink

import (
	"errors"
	"slices"
	"strings"
)

// errBudget ends a search that may make no more runs.
var errBudget = errors.New("budget of runs is spent")

// search looks for the smallest list of lines that still fails. A list is tried
// once: a run is a function of its plan.
type search struct {
	fails  func(lines []string) (bool, error)
	tried  map[string]bool
	budget int
	runs   int
}

// try reports whether lines still fail.
func (s *search) try(lines []string) (bool, error) {
	key := strings.Join(lines, "\n")
	if known, ok := s.tried[key]; ok {
		return known, nil
	}
	if s.runs >= s.budget {
		return false, errBudget
	}
	s.runs++
	fails, err := s.fails(lines)
	if err == nil {
		s.tried[key] = fails
	}
	return fails, err
}

// minimize goes down from plan by removing lines and by simplifying them, until
// a round of both changes nothing: then every removal of one line was tried. It
// reports lost if plan itself does not fail.
func (s *search) minimize(plan []string) (lost bool, err error) {
	if fails, err := s.try(plan); err != nil || !fails {
		return !fails, err
	}
	lines := plan
	for {
		if lines, err = s.remove(lines); err != nil {
			return false, err
		}
		simpler, err := s.simplify(lines)
		if err != nil || slices.Equal(simpler, lines) {
			return false, err
		}
		lines = simpler
	}
}

// remove is ddmin. Its answer fails, and without any one of its lines it does not.
func (s *search) remove(lines []string) ([]string, error) {
	if len(lines) == 0 {
		return lines, nil
	}
	if fails, err := s.try([]string{}); err != nil || fails {
		return []string{}, err
	}
	parts := 2
	for len(lines) >= 2 {
		next, complement, err := s.smaller(lines, parts)
		switch {
		case err != nil:
			return lines, err
		case next == nil && parts >= len(lines):
			return lines, nil
		case next == nil:
			parts = min(2*parts, len(lines))
		case complement:
			lines, parts = next, max(parts-1, 2)
		default:
			lines, parts = next, 2
		}
	}
	return lines, nil
}

// smaller returns the first of parts of lines that fails alone, or else the first
// complement of one, or nil.
func (s *search) smaller(lines []string, parts int) (next []string, complement bool, err error) {
	for i := range parts {
		lo, hi := bounds(i, parts, len(lines))
		part := slices.Clone(lines[lo:hi])
		if fails, err := s.try(part); err != nil || fails {
			return part, false, err
		}
	}
	if parts == 2 { // the complements are the parts
		return nil, false, nil
	}
	for i := range parts {
		lo, hi := bounds(i, parts, len(lines))
		rest := slices.Concat(lines[:lo], lines[hi:])
		if fails, err := s.try(rest); err != nil || fails {
			return rest, true, err
		}
	}
	return nil, false, nil
}

// bounds returns where part i of parts lies in n lines.
func bounds(i, parts, n int) (lo, hi int) { return i * n / parts, (i + 1) * n / parts }

// simplify goes over the lines, and takes every simpler form that still fails.
func (s *search) simplify(lines []string) ([]string, error) {
	for i := range lines {
		for {
			next, err := s.simpler(lines, i)
			if err != nil {
				return lines, err
			}
			if next == nil {
				break
			}
			lines = next
		}
	}
	return lines, nil
}

// simpler returns lines with the i-th in the first of its simpler forms that
// still fails, or nil.
func (s *search) simpler(lines []string, i int) ([]string, error) {
	for _, form := range forms(lines[i]) {
		next := slices.Clone(lines)
		next[i] = form
		if fails, err := s.try(next); err != nil || fails {
			return next, err
		}
	}
	return nil, nil
}
