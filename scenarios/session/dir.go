package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// The folders of a session, and its files.
const (
	logsDir      = "logs"      // what was printed, a file a unit
	metricsDir   = "metrics"   // every cycle, a line each, and the evidence that a verdict stands on
	artifactsDir = "artifacts" // reproducers and stories
	findingsDir  = "findings"  // a page for each failure

	stateFile  = "session.json"   // all that a session that goes on has to know
	logFile    = "session-log.md" // the same, for people
	reportName = "report"         // .md, .html and .json
)

// stampForm is the form of a session's time in its folder's name, in UTC.
const stampForm = "20060102T150405Z"

// dir is the folder of one session: {root}/{plan}/{time}.
type dir struct{ path string }

// createDir makes the folder of a new session. Sessions that begin in the same second
// have names of their own.
func createDir(root, slug string, at time.Time) (dir, error) {
	parent := filepath.Join(root, slug)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return dir{}, fmt.Errorf("session folder: %w", err)
	}
	name := at.UTC().Format(stampForm)
	for n := 1; ; n++ {
		d := dir{filepath.Join(parent, name)}
		if n > 1 {
			d.path += fmt.Sprintf("-%d", n)
		}
		err := os.Mkdir(d.path, 0o777)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return dir{}, fmt.Errorf("session folder: %w", err)
		}
		return d, d.fill()
	}
}

// fill makes what the folder holds.
func (d dir) fill() error {
	for _, name := range []string{logsDir, metricsDir, artifactsDir, findingsDir} {
		if err := os.MkdirAll(d.join(name), 0o777); err != nil {
			return fmt.Errorf("session folder: %w", err)
		}
	}
	return nil
}

func (d dir) join(names ...string) string {
	return filepath.Join(append([]string{d.path}, names...)...)
}

// unsafe are the letters that no file's name has.
var unsafe = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// fileName is a unit's id as that of a file: "S5-api" of "S5/api".
func fileName(id string) string { return unsafe.ReplaceAllString(id, "-") }

// latest is the last session below root/slug, by name, that has a state.
func latest(root, slug string) (dir, error) {
	entries, err := os.ReadDir(filepath.Join(root, slug))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return dir{}, err
	}
	for i := len(entries) - 1; i >= 0; i-- {
		d := dir{filepath.Join(root, slug, entries[i].Name())}
		if _, err := os.Stat(d.join(stateFile)); err == nil {
			return d, nil
		}
	}
	return dir{}, fmt.Errorf("%s: no session to go on with: run the plan without --resume", filepath.Join(root, slug))
}
