package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// app is what every command writes to and reads from.
type app struct {
	stdout io.Writer // results
	stderr io.Writer // all that is said to a person beside them
	env    []string
}

// Main runs one command line, without the program's name, and returns its exit
// code. The first SIGINT or SIGTERM ends the command with what is known by then,
// the second ends the process.
func Main(args []string, stdout, stderr io.Writer, env []string) int {
	ctx, stop := interruptible(context.Background())
	defer stop()
	a := &app{stdout, stderr, env}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return a.exit(root.ExecuteContext(ctx))
}

// getenv returns the last value of a variable in the app's environment.
func (a *app) getenv(key string) string {
	value := ""
	for _, kv := range a.env {
		if k, v, _ := strings.Cut(kv, "="); k == key {
			value = v
		}
	}
	return value
}

func interruptible(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			case <-signals:
				if n > 0 {
					os.Exit(exitNoVerdict)
				}
				cancel()
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}

const rootHelp = `Orrery runs unmodified Go programs in a world where one seed decides the
schedule of the goroutines, the clocks, the network, the disks and the faults.

A scenario is a Go test that calls sim.Test. The packages are Go package
patterns, as for go test; without one, it is the package in this folder.

Exit codes of every command:
  0  all passed
  1  a violation was found
  2  bad usage, or nothing matched
  3  no verdict: nondeterminism, a run that died or made no progress, an oracle
     that could not decide, too many vacuous runs, an interrupt`

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:                        "orrery COMMAND [packages] [flags]",
		Short:                      "deterministic simulation testing of Go programs",
		Long:                       rootHelp,
		Version:                    version(),
		SilenceUsage:               true,
		SilenceErrors:              true,
		DisableAutoGenTag:          true,
		SuggestionsMinimumDistance: 2,
		Args:                       unknownCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			c.SetOut(a.stderr)
			if err := c.Help(); err != nil {
				return err
			}
			return exitCode(exitUsage)
		},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w (flags take two dashes; '%s --help' lists them)", err, c.CommandPath()))
	})
	root.AddCommand(a.gorootCommand(), a.listCommand(), a.testCommand(), a.sweepCommand(), a.mergeCommand(), a.replayCommand(),
		a.shrinkCommand(), a.causeCommand(), a.compareCommand(), a.planCommand(), a.doctorCommand())
	completions(root)
	return root
}

func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	near := ""
	if s := c.SuggestionsFor(args[0]); len(s) > 0 {
		near = fmt.Sprintf("; do you mean %q", s[0])
	}
	return usage(fmt.Errorf("no command %q%s: 'orrery --help' lists them", args[0], near))
}
