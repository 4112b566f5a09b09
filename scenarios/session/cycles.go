package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// cyclesSchema names the form of a unit's journal of cycles.
const cyclesSchema = "orrery.cycles/1"

// journal keeps every cycle of a unit, a line each, from the moment it ended: none is
// lost, and none is run twice, when a session is killed and goes on.
type journal struct {
	name string
	file *os.File
	ran  []Ran // that it held when it was opened
}

// journalHead is a journal's first line.
type journalHead struct {
	Schema   string `json:"schema"`
	Unit     string `json:"unit"`
	Identity string `json:"identity"` // of what ran
}

// openJournal opens a unit's journal, or makes it. A line that is cut off at the end,
// by a kill, is taken away; any other damage is an error.
func openJournal(name, unit, identity string) (*journal, error) {
	head := journalHead{cyclesSchema, unit, identity}
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	j := &journal{name: name}
	if len(whole) > 0 {
		if err := j.read(whole, head); err != nil {
			return nil, err
		}
	}
	if j.file, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, err
	}
	if err := j.file.Truncate(int64(len(whole))); err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	if _, err := j.file.Seek(0, 2); err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	if len(whole) == 0 {
		err = j.write(head)
	}
	return j, err
}

func (j *journal) read(text []byte, want journalHead) error {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<28)
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			var head journalHead
			if err := json.Unmarshal(lines.Bytes(), &head); err != nil || head.Schema != want.Schema || head.Unit != want.Unit {
				return fmt.Errorf("%s:1: found %.80q, want the head of the cycles of %s: move the file away, or run the plan anew", j.name, lines.Text(), want.Unit)
			}
			if head.Identity != want.Identity {
				return fmt.Errorf("%s:1: its cycles are of %s, and what runs now is %s: the system, its test or the engine has changed: run the plan anew", j.name, head.Identity, want.Identity)
			}
			continue
		}
		var r Ran
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("%s:%d: %w: want a cycle: move the file away, or run the plan anew", j.name, n, err)
		}
		j.ran = append(j.ran, r)
	}
	return lines.Err()
}

// add keeps a cycle.
func (j *journal) add(r Ran) error {
	j.ran = append(j.ran, r)
	return j.write(r)
}

// write writes a line in one call, so that only the last one can be cut off.
func (j *journal) write(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(text, '\n'))
	return err
}

// left are the seeds of a configuration that have not run.
func (j *journal) left(c configuration, seeds []uint64) (out []uint64) {
	done := map[uint64]bool{}
	for _, r := range j.ran {
		if r.Cycle.Configuration == c.String() {
			done[r.Cycle.Seed] = true
		}
	}
	for _, n := range seeds {
		if !done[n] {
			out = append(out, n)
		}
	}
	return out
}

func (j *journal) Close() error { return j.file.Close() }
