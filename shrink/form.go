package shrink

import (
	"slices"
	"strings"
	"time"
)

// durationMin is the shortest fault that is tried, and the grain of what is.
const durationMin = time.Millisecond

// forms returns the forms of a fault's line that are one step simpler: of fewer
// victims, then of half the duration, at half the time, and the same both ways. A line
// is words of text; all that is known of them is that "n1,n2" is a set, that a first
// "at T" is when it comes, that a last "for D" is how long it lasts, and that "cut
// a>b" is half of "partition a|b".
func forms(line string) []string {
	words := strings.Fields(line)
	var out []string
	for i, word := range words {
		for _, fewer := range smallerSets(word) {
			out = append(out, withWord(words, i, fewer))
		}
	}
	if n := len(words); n >= 2 && words[n-2] == "for" {
		d, err := time.ParseDuration(words[n-1])
		if half := (d / 2).Truncate(durationMin); err == nil && half >= durationMin {
			out = append(out, withWord(words, n-1, half.String()))
		}
	}
	if len(words) >= 2 && words[0] == "at" {
		if d, err := time.ParseDuration(words[1]); err == nil && d >= durationMin {
			out = append(out, withWord(words, 1, (d/2).Truncate(durationMin).String()))
		}
	}
	if len(words) >= 4 && words[2] == "cut" && strings.Count(words[3], ">") == 1 {
		out = append(out, strings.Replace(withWord(words, 2, "partition"), ">", "|", 1))
	}
	return out
}

func withWord(words []string, i int, word string) string {
	words = slices.Clone(words)
	words[i] = word
	return strings.Join(words, " ")
}

// smallerSets returns a word of comma-separated sets, themselves separated by
// bars, without each member that is not the last of its set.
func smallerSets(word string) []string {
	if !strings.Contains(word, ",") {
		return nil
	}
	var out []string
	sets := strings.Split(word, "|")
	for i, set := range sets {
		members := strings.Split(set, ",")
		if len(members) < 2 {
			continue
		}
		for m := range members {
			rest := slices.Clone(sets)
			rest[i] = strings.Join(slices.Delete(slices.Clone(members), m, m+1), ",")
			out = append(out, strings.Join(rest, "|"))
		}
	}
	return out
}
