package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// stateSchema names the form of a state as JSON. It changes with the form.
const stateSchema = "orrery.state/1"

// writeState prints a run's state as one line of JSON.
func writeState(w io.Writer, out run.Output) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		Schema   string `json:"schema"`
		Scenario string `json:"scenario"`
		Seed     uint64 `json:"seed,string"`
		*run.State
	}{stateSchema, out.Scenario, out.Seed, out.State})
}

// printState prints a run's state for a person.
func printState(w io.Writer, out run.Output) {
	s := out.State
	fmt.Fprintf(w, "--- seed %d: stopped at %s, before event %d\n", out.Seed, trace.Seconds(s.At), s.Events)
	fmt.Fprintf(w, "    %s phase, hash so far %s\n", s.Phase, s.Hash)
	for _, f := range s.Faults {
		fmt.Fprintf(w, "    fault that is on: %s\n", f)
	}
	if s.Next != nil {
		fmt.Fprintf(w, "    next of the network, the disks and the faults: %s\n", trace.Seconds(*s.Next))
	}
	for _, p := range s.Processes {
		fmt.Fprintln(w)
		printProcess(w, s, p)
	}
}

func printProcess(w io.Writer, s *run.State, p run.Process) {
	fmt.Fprintf(w, "%s (%s, %s): %s\n", p.Name, p.Kind, p.Addr, summary(p))
	if p.Wall != 0 {
		fmt.Fprintf(w, "  wall clock off by %v\n", time.Duration(p.Wall))
	}
	for _, g := range p.Goroutines {
		printGoroutine(w, s, g)
	}
	for _, t := range p.Timers {
		every := ""
		if t.Period != 0 {
			every = fmt.Sprintf(", every %v", time.Duration(t.Period))
		}
		fmt.Fprintf(w, "  timer, due %s: %s%s\n", trace.Seconds(t.Due), t.What, every)
	}
	for _, d := range p.Sockets {
		printSocket(w, d)
	}
	for _, d := range p.Files {
		printFile(w, d)
	}
}

func summary(p run.Process) string {
	switch {
	case !p.Powered:
		return "without power"
	case !p.Running:
		return "no process"
	}
	return fmt.Sprintf("%s, %s, %s, %s", counted(len(p.Goroutines), "goroutine", "goroutines"), counted(len(p.Timers), "timer", "timers"),
		counted(len(p.Sockets), "socket", "sockets"), counted(len(p.Files), "file", "files"))
}

func printGoroutine(w io.Writer, s *run.State, g run.Goroutine) {
	since := ""
	if g.Since != 0 && s.At > g.Since {
		since = fmt.Sprintf(", for %v", time.Duration(s.At-g.Since))
	}
	fmt.Fprintf(w, "  goroutine %s: %s%s\n", g.Name, g.State, since)
	for _, f := range g.Stack {
		fmt.Fprintf(w, "      %s\n", f)
	}
	if g.CreatedBy != nil {
		fmt.Fprintf(w, "      created by %s\n", g.CreatedBy)
	}
}

func printSocket(w io.Writer, d run.Descriptor) {
	fmt.Fprintf(w, "  socket %s: %s", owner(d), d.Kind)
	if d.State != "" {
		fmt.Fprintf(w, " %s", d.State)
	}
	fmt.Fprintf(w, ", %s", d.Local)
	if d.Peer != "" {
		fmt.Fprintf(w, " to %s", d.Peer)
	}
	if d.Received != 0 {
		fmt.Fprintf(w, ", %s unread", counted(d.Received, "byte", "bytes"))
	}
	if d.Unsent != 0 {
		fmt.Fprintf(w, ", %s unacknowledged", counted(d.Unsent, "byte", "bytes"))
	}
	fmt.Fprintln(w)
}

func owner(d run.Descriptor) string {
	if d.FD < 0 {
		return "without owner"
	}
	return fmt.Sprint(d.FD)
}

func printFile(w io.Writer, d run.Descriptor) {
	fmt.Fprintf(w, "  %s %s: %s", d.Kind, owner(d), d.Path)
	if d.Kind == "file" {
		fmt.Fprintf(w, ", at %d of %s", d.Position, counted(int(d.Size), "byte", "bytes"))
	}
	for _, text := range append([]string{d.Flags}, d.Locks...) {
		fmt.Fprintf(w, ", %s", strings.ReplaceAll(text, "|", " "))
	}
	fmt.Fprintln(w)
}
