package shrink

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/orrery-sim/orrery/sim/run"
)

// Journal keeps, in a file, which candidates of a search did not fail, so that a
// search that was interrupted goes on where it was. A nil journal keeps nothing.
type Journal struct {
	mu   sync.Mutex
	file *os.File
	pass map[key]bool
}

// journalHead is a journal's first line.
const journalHead = "orrery.shrinking/1\n"

// OpenJournal opens the journal, in the cache, of shrinking a failure of a run. It
// is of the same binary, run and failure.
func OpenJournal(sc run.Scenario, req run.Request, failed run.Result) (*Journal, error) {
	dir, err := run.CacheDir()
	if err != nil {
		return nil, err
	}
	k := keyOf(req)
	of := sha256.Sum256(fmt.Appendf(nil, "%+v\x00%s\x00%x\x00%s", sc.Binary.Identity, sc.Name, k[:], failed.Hash))
	return openJournal(filepath.Join(dir, "shrinking-"+hex.EncodeToString(of[:8])))
}

// openJournal opens a journal, or makes one. What is cut off at its end, by a
// process that was killed, is left out.
func openJournal(name string) (*Journal, error) {
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	j := &Journal{pass: map[key]bool{}}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	for n, line := range bytes.Split(bytes.TrimPrefix(whole, []byte(journalHead)), []byte{'\n'}) {
		k, err := hex.DecodeString(string(line))
		switch {
		case len(line) == 0:
		case err != nil || len(k) != len(key{}):
			return nil, fmt.Errorf("%s:%d: got %.80q, want %d hexadecimal digits: remove the file", name, n+2, line, 2*len(key{}))
		default:
			j.pass[key(k)] = true
		}
	}
	if j.file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return nil, err
	}
	if err := j.file.Truncate(int64(len(whole))); err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	if len(whole) == 0 {
		_, err = j.file.WriteString(journalHead)
	}
	return j, err
}

// Known is how many candidates are known not to fail.
func (j *Journal) Known() int { return len(j.pass) }

// passed reports whether a candidate is known not to fail.
func (j *Journal) passed(k key) bool {
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.pass[k]
}

// add keeps what came of a candidate.
func (j *Journal) add(k key, fails bool) error {
	if j == nil || fails {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.pass[k] = true
	_, err := j.file.WriteString(hex.EncodeToString(k[:]) + "\n")
	return err
}

// Close closes the file, which the next search reads.
func (j *Journal) Close() error { return j.file.Close() }

// Remove closes the journal of a search that has ended, and removes it, unless another
// search of the same failure did.
func (j *Journal) Remove() error {
	err := os.Remove(j.file.Name())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(j.file.Close(), err)
}
