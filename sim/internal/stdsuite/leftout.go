package stdsuite

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed leftout.txt
var leftOutText string

// LeftOut has, by package and test, the reason why a test is not run.
type LeftOut map[string]map[string]string

// StandardLeftOut is what leftout.txt says.
func StandardLeftOut() (LeftOut, error) { return parseLeftOut(leftOutText) }

// parseLeftOut reads lines "reason: WHY", each followed by lines "PACKAGE: TEST
// TEST ..." of the tests that it is the reason of. A line that begins with # is a
// comment.
func parseLeftOut(text string) (LeftOut, error) {
	out, reason, n := LeftOut{}, "", 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, ok := strings.Cut(line, ": ")
		switch {
		case !ok:
			return nil, fmt.Errorf("leftout.txt:%d: found %q, want \"reason: WHY\" or \"PACKAGE: TESTS\"", n, line)
		case name == "reason":
			reason = rest
			continue
		case reason == "":
			return nil, fmt.Errorf("leftout.txt:%d: tests of %s before any reason: want a line \"reason: WHY\" above", n, name)
		case out[name] == nil:
			out[name] = map[string]string{}
		}
		for _, test := range strings.Fields(rest) {
			if out[name][test] != "" {
				return nil, fmt.Errorf("leftout.txt:%d: %s of %s is there twice: want one reason", n, test, name)
			}
			out[name][test] = reason
		}
	}
	return out, nil
}

// split divides the tests of a suite into those that are run and the outcomes of
// the rest. It refuses a name that no test has.
func (l LeftOut) split(s Suite) (tests []string, out []Outcome, err error) {
	reasons := l[s.Path]
	for _, test := range s.Tests {
		if reason := reasons[test]; reason != "" {
			out = append(out, Outcome{Package: s.Path, Test: test, Verdict: Omitted, Reason: reason})
			continue
		}
		tests = append(tests, test)
	}
	if len(out) < len(reasons) {
		return nil, nil, fmt.Errorf("leftout.txt: %d tests of %s, of which %d exist: remove the others", len(reasons), s.Path, len(out))
	}
	return tests, out, nil
}
