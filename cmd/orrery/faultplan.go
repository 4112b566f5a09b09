package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/pflag"
)

// faultPlan is the flags that replace the drawn plan of faults.
type faultPlan struct {
	file  string
	lines []string
}

func (p *faultPlan) addFlags(f *pflag.FlagSet) {
	f.StringVar(&p.file, "faults", "", "replace the drawn plan by the one in `file`, a fault a line; # starts a comment")
	f.StringArrayVar(&p.lines, "fault", nil, "replace the drawn plan by this `fault`, as 'at 1.2s crash n1 for 3s', or none; may be repeated")
}

// read returns the plan's lines; nil is the drawn one.
func (p *faultPlan) read() ([]string, error) {
	if p.file == "" && len(p.lines) == 0 {
		return nil, nil
	}
	faults := []string{}
	if p.file != "" {
		text, err := os.ReadFile(p.file)
		if err != nil {
			return nil, usage(fmt.Errorf("--faults: %w", err))
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			line, _, _ = strings.Cut(line, "#")
			if faults, err = appendFault(faults, strings.TrimSpace(line)); err != nil {
				return nil, usage(fmt.Errorf("%s:%d: %w", p.file, n, err))
			}
		}
	}
	for _, line := range p.lines {
		if line == run.NoFaults {
			continue
		}
		if strings.TrimSpace(line) == "" {
			return nil, usage(fmt.Errorf("--fault '': want a fault, or %s for the empty plan", run.NoFaults))
		}
		var err error
		if faults, err = appendFault(faults, line); err != nil {
			return nil, usage(fmt.Errorf("--fault: %w", err))
		}
	}
	return faults, nil
}

// appendFault appends a line, but for a blank one, in the form that it prints in.
func appendFault(faults []string, line string) ([]string, error) {
	if line == "" {
		return faults, nil
	}
	f, err := sim.ParseFault(line)
	if err != nil {
		return nil, err
	}
	return append(faults, f.String()), nil
}
