package driver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Run runs a driver to its end, and reads what it left. Its output goes to log as it
// comes.
//
// Nothing of the driver's process group outlives the call: what is left of it when the
// driver ends, or when ctx is done, gets SIGTERM and, after the grace, SIGKILL. If ctx
// was done first, the error is its cause.
//
// An error beside an Outcome says what is wrong with the run; what could be read is
// there all the same. After exit code 3 files may be missing.
func Run(ctx context.Context, d Driver, job Job, log io.Writer) (Outcome, error) {
	session, err := prepare(d, job)
	if err != nil {
		return Outcome{Code: -1}, err
	}
	started := time.Now()
	end, err := d.start(ctx, job, session, log)
	out := Outcome{Code: end.code, Took: time.Since(started), LeftBehind: end.left}
	if err != nil {
		return out, fmt.Errorf("driver %s: %w", d.name(), err)
	}
	out.Exit, err = end.exit(), end.log
	if out.Exit == ExitNone {
		err = fmt.Errorf("driver %s: found %s, want exit code 0, 1 or 3: catch what ends it so, and exit 3 if it could not decide", d.name(), end)
	}
	var errs [2]error
	out.History, errs[0] = ReadHistory(session)
	out.Landings, errs[1] = ReadLandingFile(session)
	for _, e := range errs {
		if out.Exit != ExitUndecided || !missing(e) {
			err = errors.Join(err, e)
		}
	}
	return out, err
}

// missing reports whether an error is about a file that is not there, or a history
// without calls: what a driver that could not run leaves.
func missing(err error) bool {
	var wrong *FileError
	return errors.As(err, &wrong) && wrong.Line == 0
}

// prepare makes the session's folder, and refuses one with files of another run: a
// driver that writes nothing would be judged by them.
func prepare(d Driver, job Job) (session string, err error) {
	if len(d.Command) == 0 {
		return "", errors.New("driver: found no command, want a program and its arguments: set Command")
	}
	if job.Session == "" || job.Scenario == "" {
		return "", fmt.Errorf("driver %s: found session %q and scenario %q, want both: set them in the job", d.name(), job.Session, job.Scenario)
	}
	if session, err = filepath.Abs(job.Session); err != nil {
		return "", err
	}
	if err := os.MkdirAll(session, 0o777); err != nil {
		return "", fmt.Errorf("driver %s: session: %w", d.name(), err)
	}
	for _, name := range []string{HistoryFile, LandingFile} {
		name = filepath.Join(session, name)
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return "", &FileError{File: name, Found: "a file before the driver ran", Want: "none", Remedy: "give every run a folder of its own"}
		}
	}
	return session, nil
}

func (d Driver) name() string { return strings.Join(d.Command, " ") }

func (d Driver) grace() time.Duration {
	if d.Grace > 0 {
		return d.Grace
	}
	return 5 * time.Second
}

// environ is what the driver sees: the contract's variables win.
func (d Driver) environ(job Job, session string) []string {
	return append(append(os.Environ(), d.Env...),
		EnvSession+"="+session,
		EnvScenario+"="+job.Scenario,
		EnvSeed+"="+strconv.FormatUint(job.Seed, 10),
	)
}
