package capability

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

// Found is what a probe found.
type Found struct {
	Present bool
	Version string // "" if it has none, or it is not known
	How     string // the command or the file that says so
	Reason  string // why it is not present; "" if it is
	// Installed says that the program is there: what is missing is something else, as
	// a daemon or a module of the kernel, and installing it again changes nothing.
	Installed bool
}

// Probe is one thing that a plan can need.
type Probe struct {
	Name    string
	Aliases []string
	For     string // what it is for
	Check   func(ctx context.Context, env *Env) Found
	Ways    []Way
	Hint    string // how to get it where no command does
}

// Way is one way to install something.
type Way struct {
	Manager string   // "apt-get", "dnf", "brew", "go": the program that there has to be
	Command []string // without sudo
	Root    bool     // it takes root's rights
}

// String returns the command line.
func (w Way) String() string { return line(w.Command) }

// line is a command as a shell takes it.
func line(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = run.ShellQuote(w)
	}
	return strings.Join(words, " ")
}

// packages are the names of a tool's package by manager; "" where there is none.
type packages struct{ apt, dnf, brew, goInstall string }

func (p packages) ways() []Way {
	var out []Way
	if p.apt != "" {
		out = append(out, Way{"apt-get", append([]string{"apt-get", "install", "-y"}, strings.Fields(p.apt)...), true})
	}
	if p.dnf != "" {
		out = append(out, Way{"dnf", append([]string{"dnf", "install", "-y"}, strings.Fields(p.dnf)...), true})
	}
	if p.brew != "" {
		out = append(out, Way{"brew", append([]string{"brew", "install"}, strings.Fields(p.brew)...), false})
	}
	if p.goInstall != "" {
		out = append(out, Way{"go", []string{"go", "install", p.goInstall}, false})
	}
	return out
}

// tool is a probe of a program that is there if it tells its version.
func tool(name, purpose string, version []string, p packages, aliases ...string) Probe {
	return Probe{
		Name: name, Aliases: aliases, For: purpose, Ways: p.ways(),
		Check: func(ctx context.Context, env *Env) Found { return answers(ctx, env, version...) },
	}
}

// answers finds a program by a command that tells its version.
func answers(ctx context.Context, env *Env, argv ...string) Found {
	f := Found{How: line(argv)}
	if _, err := env.LookPath(argv[0]); err != nil {
		f.Reason = argv[0] + " is not in PATH"
		return f
	}
	f.Installed = true
	out, err := env.Run(ctx, argv...)
	if err != nil {
		return f.but(failure(out, err))
	}
	f.Present, f.Version = true, versionIn(out)
	return f
}

// works takes what was found back if a command does not work.
func (f Found) works(ctx context.Context, env *Env, argv ...string) Found {
	if !f.Present {
		return f
	}
	f.How = line(argv)
	if out, err := env.Run(ctx, argv...); err != nil {
		return f.but(failure(out, err))
	}
	return f
}

// but is what was found, and is no use for a reason.
func (f Found) but(reason string) Found {
	f.Present, f.Reason = false, reason
	return f
}

// failure is why a command did not work: what it said, or else how it ended.
func failure(out string, err error) string {
	for text := range strings.Lines(out) {
		if text = strings.TrimSpace(text); text != "" {
			return fmt.Sprintf("%s (%v)", text, err)
		}
	}
	return err.Error()
}

var (
	dotted = regexp.MustCompile(`\d+(?:\.\d+)+`)
	number = regexp.MustCompile(`\b\d+\b`)
)

// versionIn is the first version in a text: numbers with dots, or else a number.
func versionIn(text string) string {
	if v := dotted.FindString(text); v != "" {
		return v
	}
	return number.FindString(text)
}

// anyOf is found if one of some is; the first of them tells how.
func anyOf(checks ...func(context.Context, *Env) Found) func(context.Context, *Env) Found {
	return func(ctx context.Context, env *Env) Found {
		var none Found
		for _, check := range checks {
			f := check(ctx, env)
			if f.Present {
				return f
			}
			if none.Reason != "" {
				none.How += "; "
				none.Reason += "; "
			}
			none.How += f.How
			none.Reason += f.Reason
		}
		return none
	}
}
