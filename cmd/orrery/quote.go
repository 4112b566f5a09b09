package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

const shellSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:@%+"

// shellQuote returns a word as a shell takes it.
func shellQuote(word string) string {
	if word != "" && strings.Trim(word, shellSafe) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// packageName returns how a package is named from here: by its folder if that
// lies below the current one, else by its import path.
func packageName(b *run.Binary) string {
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

// replayLine returns the command that repeats a run. Faults, if not nil, are the
// whole plan.
func replayLine(sc run.Scenario, seed uint64, tags string, params map[string]string, faults []string) string {
	words := []string{"orrery", "replay", "--seed", strconv.FormatUint(seed, 10), "--run", "^" + sc.Name + "$"}
	if tags != "" {
		words = append(words, "--tags", tags)
	}
	if sc.Binary.Race {
		words = append(words, "--race")
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		words = append(words, "--set", name+"="+params[name])
	}
	if faults != nil && len(faults) == 0 {
		words = append(words, "--fault", noFaults)
	}
	for _, f := range faults {
		words = append(words, "--fault", f)
	}
	words = append(words, packageName(sc.Binary))
	for i, w := range words {
		words[i] = shellQuote(w)
	}
	return strings.Join(words, " ")
}
