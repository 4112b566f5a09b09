package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// The exit codes, the same for every command.
const (
	exitPass      = 0
	exitViolation = 1
	exitUsage     = 2 // or nothing matched
	exitNoVerdict = 3
)

// exitError is an error with the code that the process ends with. One without an
// inner error has been reported already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usage marks an error as one of the command line's.
func usage(err error) error { return &exitError{exitUsage, err} }

// exitCode ends a command whose results are out.
func exitCode(code int) error {
	if code == exitPass {
		return nil
	}
	return &exitError{code: code}
}

// command is what a command does, once cobra has read its flags.
type command func(ctx context.Context, args []string) error

// run makes a cobra function of c. Errors that have no code come from the
// engine or the machine, or are what an interrupt left: there is no verdict. A command
// that was interrupted cannot say that its usage is bad: what it asked, the go command
// say, was killed.
func (c command) run(cmd *cobra.Command, args []string) error {
	err := c(cmd.Context(), args)
	var coded *exitError
	isCoded := errors.As(err, &coded)
	switch {
	case err == nil || isCoded && coded.code != exitUsage:
		return err
	case cmd.Context().Err() != nil:
		return &exitError{exitNoVerdict, errors.New("interrupted")}
	case isCoded:
		return err
	}
	return &exitError{exitNoVerdict, err}
}

// exit reports an error and returns the code to end with. What carries no code
// here is cobra's, about the command line.
func (a *app) exit(err error) int {
	if err == nil {
		return exitPass
	}
	code := exitUsage
	var coded *exitError
	if errors.As(err, &coded) {
		code = coded.code
		if coded.err == nil {
			return code
		}
	}
	fmt.Fprintf(a.stderr, "orrery: %v\n", err)
	return code
}
