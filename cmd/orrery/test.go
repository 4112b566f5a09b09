package main

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/cobra"
)

func (a *app) testCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "test [packages] [flags of go test]",
		Short: "go test, with the patched toolchain",
		Long: `Run go test with the patched toolchain. Every argument is go test's, and so is
the exit code: a scenario runs as the test that it is.`,
		Example:            "  orrery test -run TestKV -v ./kv",
		DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && (args[0] == "--help" || args[0] == "-help" || args[0] == "-h") {
				return c.Help()
			}
			return command(a.goTest).run(c, args)
		},
	}
}

// goTest becomes the go command: signals, the terminal and the exit code are its.
func (a *app) goTest(ctx context.Context, args []string) error {
	root, err := run.Toolchain(ctx, ".")
	if err != nil {
		return err
	}
	goflags, err := a.goflags(ctx, root.GoCommand())
	if err != nil {
		return err
	}
	argv := append([]string{"go", "test"}, withTags(args, goflags)...)
	env := append(slices.Clone(a.env), root.Env()...)
	if slices.Contains(args, "-race") || slices.Contains(args, "--race") {
		argv = slices.Insert(argv, 2, run.RaceArgs()...)
	} else if a.getenv("CGO_ENABLED") == "" {
		env = append(env, "CGO_ENABLED=0")
	}
	err = syscall.Exec(root.GoCommand(), argv, lastOfEach(env))
	return fmt.Errorf("cannot run %s: %w", root.GoCommand(), err)
}

// goflags returns what the go command takes as its GOFLAGS here.
func (a *app) goflags(ctx context.Context, goCommand string) ([]string, error) {
	c := exec.CommandContext(ctx, goCommand, "env", "GOFLAGS")
	c.Env = append(slices.Clone(a.env), "GOTOOLCHAIN=local")
	c.Stderr = a.stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOFLAGS: %w", err)
	}
	return strings.Fields(string(out)), nil
}

// engineTags are the build tags that keep system calls in Go.
const engineTags = "netgo,osusergo"

// withTags puts the engine's build tags in front of go test's arguments, or to
// the tags that are among them or, failing that, in GOFLAGS: the last -tags
// is the one that counts. What follows -args is left alone.
func withTags(args, goflags []string) []string {
	args = slices.Clone(args)
	for i := 0; i < len(args) && args[i] != "-args" && args[i] != "--args"; i++ {
		name, tags, inOne := strings.Cut(args[i], "=")
		if name != "-tags" && name != "--tags" {
			continue
		}
		if inOne {
			args[i] = name + "=" + joinTags(tags)
		} else if i+1 < len(args) {
			i++
			args[i] = joinTags(args[i])
		}
	}
	return append([]string{"-tags=" + joinTags(tagsOf(goflags))}, args...)
}

// tagsOf returns the build tags that GOFLAGS gives.
func tagsOf(goflags []string) (tags string) {
	for _, f := range goflags {
		if name, value, _ := strings.Cut(f, "="); name == "-tags" || name == "--tags" {
			tags = value
		}
	}
	return tags
}

func joinTags(tags string) string {
	if tags == "" {
		return engineTags
	}
	return engineTags + "," + strings.ReplaceAll(strings.TrimSpace(tags), " ", ",")
}

// lastOfEach keeps the last value of each variable, which is the one that counts.
func lastOfEach(env []string) []string {
	last := make(map[string]int, len(env))
	for i, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		last[name] = i
	}
	var out []string
	for i, kv := range env {
		if name, _, _ := strings.Cut(kv, "="); last[name] == i {
			out = append(out, kv)
		}
	}
	return out
}
