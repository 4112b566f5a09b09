package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

// finding is what the doctor says of one thing that a machine needs.
type finding struct {
	Check  string `json:"check"`
	Status status `json:"status"`
	Found  string `json:"found"`
	Remedy string `json:"remedy"` // "" if all is well
}

// status says whether runs work.
type status string

const (
	statusOK   status = "ok"
	statusWarn status = "warn" // runs work, but not as well as they could
	statusFail status = "fail"
)

func ok(format string, args ...any) finding {
	return finding{Status: statusOK, Found: fmt.Sprintf(format, args...)}
}

func warn(remedy, format string, args ...any) finding {
	return finding{Status: statusWarn, Found: fmt.Sprintf(format, args...), Remedy: remedy}
}

func fail(remedy, format string, args ...any) finding {
	return finding{Status: statusFail, Found: fmt.Sprintf(format, args...), Remedy: remedy}
}

// examination is one check of the doctor.
type examination struct {
	name string
	run  func(*patient) finding
}

// examinations are the checks, in the order in which they are shown.
var examinations = []examination{
	{"platform", platform},
	{"go", goVersion},
	{"edits", edits},
	{"patched copy", patchedCopy},
	{"go settings", goSettings},
	{"cgo", cgo},
	{"cache", cache},
	{"disk space", diskSpace},
	{"memory", memoryFree},
	{"overcommit", overcommit},
	{"limits", limits},
	{"fork", forks},
	{"page copies", pageCopies},
	{"seccomp", seccomp},
	{"address layout", addressLayout},
}

func (a *app) doctorCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "doctor",
		Short: "say what this machine needs for runs",
		Long: `Say of everything that runs need of this machine whether it is there, and what to do
if it is not. The exit code is 3 if something is missing without which nothing
runs; what only makes runs slower or traces shorter is a warning.`,
		Args: cobra.NoArgs,
		RunE: command(func(ctx context.Context, _ []string) error {
			return a.doctor(ctx, asJSON)
		}).run,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print an object a check, one a line")
	return c
}

func (a *app) doctor(ctx context.Context, asJSON bool) error {
	p := a.patient(ctx)
	code := exitPass
	for _, e := range examinations {
		f := e.run(p)
		f.Check = e.name
		if f.Status == statusFail {
			code = exitNoVerdict
		}
		if err := a.printFinding(f, asJSON); err != nil {
			return err
		}
	}
	return exitCode(code)
}

func (a *app) printFinding(f finding, asJSON bool) error {
	if asJSON {
		return encode(a.stdout, struct {
			Schema string `json:"schema"`
			finding
		}{"orrery.doctor/1", f})
	}
	fmt.Fprintf(a.stdout, "%-4s  %-14s  %s\n", f.Status, f.Check, f.Found)
	if f.Remedy != "" {
		fmt.Fprint(a.stdout, indent("remedy: "+f.Remedy, "                      "))
	}
	return nil
}
