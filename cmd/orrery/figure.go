package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/orrery-sim/orrery/sim/run"
)

// count prints a number with commas.
func count[N int | int64 | uint64](n N) string { return humanize.Comma(int64(n)) }

// counted prints a number of things.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

const (
	day  = 24 * time.Hour
	year = 365 * day
)

// span prints a long time in its largest unit.
func span(d time.Duration) string {
	switch {
	case d >= year:
		return fmt.Sprintf("%.1f years", d.Hours()/year.Hours())
	case d >= 2*day:
		return fmt.Sprintf("%.1f days", d.Hours()/day.Hours())
	case d >= 2*time.Hour:
		return fmt.Sprintf("%.1f hours", d.Hours())
	case d >= 2*time.Minute:
		return fmt.Sprintf("%.1f minutes", d.Minutes())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// moment prints a virtual time since the run's start, in seconds.
func moment(ns int64) string { return fmt.Sprintf("%.3fs", time.Duration(ns).Seconds()) }

// percent reads a share, as "5%", as 0.05.
func percent(flag, text string) (float64, error) {
	digits, ok := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || !(v >= 0 && v <= 100) {
		return 0, usage(fmt.Errorf("%s %s: want a share from 0%% to 100%%", flag, run.ShellQuote(text)))
	}
	return v / 100, nil
}

// indent puts each line of a text behind a margin.
func indent(text, margin string) string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return ""
	}
	return margin + strings.ReplaceAll(text, "\n", "\n"+margin) + "\n"
}

// firstLines returns a text's first lines, and says how many there are more.
func firstLines(text string, most int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) <= most {
		return text
	}
	return strings.Join(lines[:most], "\n") + fmt.Sprintf("\n... %s", counted(len(lines)-most, "more line", "more lines"))
}
