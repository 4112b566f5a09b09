package run

import (
	"regexp"
	"slices"
	"strings"
)

// framesMost is how many frames of a stack tell one failure from another.
const framesMost = 3

// Signature is what violations share if they are one failure: the oracle, the
// message without what differs from seed to seed, and the top frames of the stack,
// without lines, arguments and addresses.
func Signature(v Violation) string {
	if v.Oracle == OracleRace {
		return v.Oracle + ": " + raceShape(v.Message)
	}
	s := v.Oracle + ": " + shape(v.Message, v.Names)
	for _, f := range topFrames(v.Stack) {
		s += " | " + f
	}
	return s
}

// The marks that stand for what differs: a number, and any other text.
const (
	numberMark = "#"
	textMark   = "_"
)

// varying is what differs from seed to seed in messages of one failure. Of two
// that begin at one place, the first counts.
var varying = regexp.MustCompile(strings.Join([]string{
	`"(?:\\.|[^"\\])*"`, "`[^`]*`", `\B'(?:\\.|[^'\\])*'\B`, // quoted: no apostrophe of a word
	`0[xX][0-9a-fA-F]+`, `\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`, `\b[0-9]*[a-f][0-9a-f]{6,}\b|\b[0-9]{3,}[a-f][0-9a-f]{2,}\b`, // addresses, UUIDs, hashes
	`\[[0-9a-f]*:[0-9a-f:]*\]`,                                // addresses of IPv6
	`(?:\B-)?(?:[0-9]+(?:\.[0-9]+)*(?:ns|us|µs|ms|[smh]))+\b`, // spans of time
	`(?:\B[+-])?[0-9]+(?:[.,][0-9]+)*(?:[eE][+-]?[0-9]+)?`,    // numbers, versions, addresses of IPv4
}, "|"))

// lists are several marks in a row: how many there are differs, too.
var lists = regexp.MustCompile(`([#_])(?:,? (?:#|_\b))+`)

// shape is a message with marks in place of what differs from seed to seed.
func shape(message string, names []string) string {
	message = varying.ReplaceAllStringFunc(replaceNames(message, names), func(found string) string {
		if strings.ContainsRune("\"`'", rune(found[0])) {
			return textMark
		}
		return numberMark
	})
	return lists.ReplaceAllString(message, "$1")
}

// replaceNames puts a mark in place of each name that stands as a word.
func replaceNames(message string, names []string) string {
	for _, name := range names {
		re := regexp.MustCompile(`(^|[^\pL\pN_-])` + regexp.QuoteMeta(name) + `($|[^\pL\pN_-])`)
		for range 2 { // two names may share what is between them
			message = re.ReplaceAllString(message, "${1}"+textMark+"${2}")
		}
	}
	return message
}

// topFrames returns the first functions of a printed stack's first goroutine, but
// for those of the Go runtime and of the engine, which many stacks share.
func topFrames(stack string) (out []string) {
	in := false
	for line := range strings.Lines(stack) {
		line = strings.TrimRight(line, "\n")
		switch {
		case !in:
			in = strings.HasPrefix(line, "goroutine ") && strings.HasSuffix(line, ":")
			continue
		case line == "", strings.HasPrefix(line, "created by "), len(out) == framesMost:
			return out
		}
		// Arguments are the last parentheses: those of a method's receiver come before.
		if end := strings.LastIndexByte(line, '('); end > 0 && line[0] != '\t' && !sharedFrame(line[:end]) {
			out = append(out, line[:end])
		}
	}
	return out
}

func sharedFrame(name string) bool {
	return name == "panic" || strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/") ||
		strings.HasPrefix(name, enginePackage+".") || strings.HasPrefix(name, enginePackage+"/internal/rt.")
}

// raceShape is the message of a data race with its two accesses in the order of their
// names: which of them came first is a matter of the schedule.
func raceShape(message string) string {
	kind, accesses, ok := strings.Cut(message, ": ")
	first, second, two := strings.Cut(accesses, racePrevious)
	if !ok || !two {
		return message
	}
	both := []string{first, second}
	slices.Sort(both)
	return kind + ": " + both[0] + " and " + both[1]
}
