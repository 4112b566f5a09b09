package run

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const shellSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:@%+"

// ShellQuote returns a word as a shell takes it.
func ShellQuote(word string) string {
	if word != "" && strings.Trim(word, shellSafe) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// NoFaults as the text of a fault is the empty plan.
const NoFaults = "none"

// Pattern returns how the package is named from here: by its folder if that
// lies below the current one, else by its import path.
func (b *Binary) Pattern() string {
	here, err := os.Getwd()
	if err != nil {
		return b.Package
	}
	rel, err := filepath.Rel(here, b.Dir)
	switch {
	case err != nil || rel == ".." || strings.HasPrefix(rel, "../"):
		return b.Package
	case rel == ".":
		return "."
	}
	return "./" + rel
}

// ReplayLine returns the command that repeats a run of the scenario, quoted for a
// shell. The request's faults, if not nil, are the whole plan.
func (s Scenario) ReplayLine(req Request) string {
	words := []string{"orrery", "replay", "--seed", strconv.FormatUint(req.Seed, 10), "--run", MatchExactly(s.Name)}
	if s.Binary.Tags != "" {
		words = append(words, "--tags", s.Binary.Tags)
	}
	if s.Binary.Race {
		words = append(words, "--race")
	}
	if s.Binary.Short {
		words = append(words, "--short")
	}
	for _, name := range slices.Sorted(maps.Keys(req.Params)) {
		words = append(words, "--set", name+"="+req.Params[name])
	}
	if req.Faults != nil && len(req.Faults) == 0 {
		words = append(words, "--fault", NoFaults)
	}
	for _, f := range req.Faults {
		words = append(words, "--fault", f)
	}
	if pattern := s.Binary.Pattern(); pattern != "." {
		words = append(words, pattern)
	}
	for i, w := range words {
		words[i] = ShellQuote(w)
	}
	return strings.Join(words, " ")
}
