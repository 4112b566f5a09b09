package main

import (
	"context"
	"errors"
	"testing"

	"github.com/spf13/cobra"
)

// What a command that was interrupted says: an error of its usage may be the interrupt's
// doing, a violation that it has found is not.
func TestExitOfAnInterruptedCommand(t *testing.T) {
	killed := usage(errors.New("go list: signal: killed"))
	for _, c := range []struct {
		name        string
		err         error
		interrupted bool
		code        int
		text        string
	}{
		{"usage", killed, false, exitUsage, "go list: signal: killed"},
		{"usage, interrupted", killed, true, exitNoVerdict, "interrupted"},
		{"engine", errors.New("pipe"), false, exitNoVerdict, "pipe"},
		{"engine, interrupted", errors.New("pipe"), true, exitNoVerdict, "interrupted"},
		{"violation, interrupted", &exitError{exitViolation, errors.New("found")}, true, exitViolation, "found"},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if c.interrupted {
			cancel()
		}
		cmd := &cobra.Command{}
		cmd.SetContext(ctx)
		err := command(func(context.Context, []string) error { return c.err }).run(cmd, nil)
		var coded *exitError
		if !errors.As(err, &coded) || coded.code != c.code || err.Error() != c.text {
			t.Errorf("%s: %v, want exit code %d and %q", c.name, err, c.code, c.text)
		}
	}
}
