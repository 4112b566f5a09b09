// Package journal keeps what small systems must not forget: a file of
// records that only grows, and a file that is replaced as a whole.
package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Journal is a file of records. Each is a line: the checksum of a JSON value, in
// hex, and the value.
type Journal struct{ f *os.File }

// Open opens a journal, which is made if it is missing, and replays its records in
// order. What follows the last whole record is of a write that a loss of power cut
// short, which nobody was promised: it is cut off.
func Open[Record any](path string, replay func(Record)) (*Journal, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	end, err := replayAll(f, replay)
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = SyncDir(filepath.Dir(path))
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	return &Journal{f}, nil
}

// replayAll returns where the last whole record ends.
func replayAll[Record any](r io.Reader, replay func(Record)) (end int64, err error) {
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return end, err
		}
		value, ok := parse(line)
		if !ok {
			return end, nil
		}
		var rec Record
		if err := json.Unmarshal(value, &rec); err != nil {
			return end, err
		}
		replay(rec)
		end += int64(len(line))
	}
}

// parse takes a whole record's value out of its line.
func parse(line []byte) (value []byte, ok bool) {
	sum, value, found := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
	whole := found && bytes.HasSuffix(line, []byte("\n"))
	return value, whole && string(sum) == checksum(value)
}

func checksum(value []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(value)) }

// Append writes a record and makes it durable.
func (j *Journal) Append(record any) error {
	if err := j.Write(record); err != nil {
		return err
	}
	return j.f.Sync()
}

// Write writes a record, which the next Append makes durable with its own.
func (j *Journal) Write(record any) error {
	value, err := json.Marshal(record)
	if err != nil {
		return err
	}
	_, err = j.f.Write(fmt.Appendf(nil, "%s %s\n", checksum(value), value))
	return err
}

// Replace replaces the value in a file, in one step and durably.
func Replace(path string, value any) error {
	if err := ReplaceLater(path, value); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// ReplaceLater replaces the value in a file in one step. Until its folder is
// synced, a loss of power may bring the former value back.
func ReplaceLater(path string, value any) error {
	b, err := json.Marshal(value)
	if err != nil {
		return err
	}
	tmp := path + ".tmp"
	f, err := os.Create(tmp)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// Load reads the value in a file. A file that is missing leaves it as it is.
func Load(path string, value any) error {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(b, value)
}

// SyncDir makes the names in a folder durable.
func SyncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
