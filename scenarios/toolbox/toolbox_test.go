package toolbox

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write what is found into the archives")

// repository makes a file system of an archive, and takes what is wanted out of it.
func repository(a *txtar.Archive) (files fstest.MapFS, want *txtar.File) {
	files = fstest.MapFS{}
	for i := range a.Files {
		f := &a.Files[i]
		name, exec := strings.CutSuffix(f.Name, "!")
		mode := fs.FileMode(0o644)
		if exec {
			mode = 0o755
		}
		if name == "want.md" {
			want = f
			continue
		}
		files[name] = &fstest.MapFile{Data: f.Data, Mode: mode}
	}
	return files, want
}

func TestDiscover(t *testing.T) {
	const name = "testdata/service.txtar"
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files, want := repository(a)
	box, err := Discover(files, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got := box.Markdown()
	if *update {
		want.Data = []byte(got)
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(want.Data, []byte(got)) {
		t.Errorf("found\n%s\nwant\n%s", got, want.Data)
	}
}

// A folder on disk is found as the same files in memory are.
func TestDiscoverDir(t *testing.T) {
	a, err := txtar.ParseFile("testdata/service.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files, want := repository(a)
	dir := t.TempDir()
	for name, f := range files {
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, f.Data, f.Mode); err != nil {
			t.Fatal(err)
		}
	}
	box, err := DiscoverDir(dir, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got := box.Markdown(); got != string(want.Data) {
		t.Errorf("found\n%s\nwant\n%s", got, want.Data)
	}
}

func TestDiscoverDirRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		filepath.Join(dir, "none"): "no such file", file: "found a file, want the folder of a repository",
	} {
		if _, err := DiscoverDir(name, Limits{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// Limits leave out what is past them, and say what and why.
func TestLimits(t *testing.T) {
	files := fstest.MapFS{
		"Makefile": {Data: []byte("a:\nb:\nc:\n")}, "README.md": {Data: []byte("# Title\n" + strings.Repeat("x", 100))},
		"sub/Makefile": {Data: []byte("d:\n")}, "z/Makefile": {Data: []byte("e:\n")},
	}
	for _, c := range []struct {
		limits  Limits
		tools   int
		omitted string
	}{
		{Limits{}, 6, "[]"},
		{Limits{Entries: 2}, 5, "[{Makefile 1 of its 3 entries: more than 2 0}]"},
		{Limits{Bytes: 50}, 6, "[{README.md not read: 108 bytes, more than 50 0}]"},
		{Limits{Files: 2}, 4, "[{sub/Makefile not looked at, nor what comes after it: more than 2 files 0}]"},
	} {
		box, err := Discover(files, c.limits)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(box.Omitted); len(box.Tools) != c.tools || got != c.omitted {
			t.Errorf("%+v: %d tools, left out %s, want %d, %s", c.limits, len(box.Tools), got, c.tools, c.omitted)
		}
	}
}

// A folder with many documents is one row, one with just so many is not.
func TestManyDocuments(t *testing.T) {
	for n, want := range map[int]int{documentsMost: documentsMost, documentsMost + 1: 1} {
		files := fstest.MapFS{}
		for i := range n {
			files[fmt.Sprintf("docs/%d.md", i)] = &fstest.MapFile{}
		}
		box, err := Discover(files, Limits{})
		if err != nil || len(box.Of(KindDocument)) != want {
			t.Errorf("%d documents: %v, %v, want %d rows", n, box.Tools, err, want)
		}
	}
}

// The order in which files come to be does not show, nor does any part of a repository
// hide another: the tools of two folders are those of each.
func TestDiscoverIsOrderless(t *testing.T) {
	a, err := txtar.ParseFile("testdata/service.txtar")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		shuffled := *a
		shuffled.Files = append([]txtar.File(nil), a.Files...)
		r := rand.New(rand.NewSource(rapid.Int64().Draw(t, "order")))
		r.Shuffle(len(shuffled.Files), func(i, j int) {
			shuffled.Files[i], shuffled.Files[j] = shuffled.Files[j], shuffled.Files[i]
		})
		files, want := repository(&shuffled)
		box, err := Discover(files, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := box.Markdown(); got != string(want.Data) {
			t.Fatalf("found\n%s", got)
		}
	})
}

// unreadable is a file system of which some names cannot be opened.
type unreadable struct {
	fs.FS
	name string
}

func (u unreadable) Open(name string) (fs.File, error) {
	if name == u.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return u.FS.Open(name)
}

func TestUnreadable(t *testing.T) {
	files := fstest.MapFS{"Makefile": {Data: []byte("a:\n")}, "sub/Makefile": {Data: []byte("b:\n")}, "sub/.gitignore": {}}
	for name, want := range map[string]string{
		"Makefile":       "[{Makefile open: permission denied 0}]",
		"sub":            "[{sub open: permission denied 0}]",
		"sub/.gitignore": "[{sub/.gitignore open: permission denied 0}]",
		"none":           "[]",
	} {
		box, err := Discover(unreadable{files, name}, Limits{})
		if err != nil || fmt.Sprint(box.Omitted) != want {
			t.Errorf("%s: left out %v, %v, want %s", name, box, err, want)
		}
	}
	if _, err := Discover(unreadable{files, "."}, Limits{}); err == nil {
		t.Error("a top that cannot be read: no error")
	}
}

// The documentation's drivers are found as such.
func TestExamplesAreFound(t *testing.T) {
	box, err := DiscoverDir("../../docs/examples", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	for _, d := range box.Of(KindDriver) {
		calls = append(calls, d.Call())
	}
	if got := strings.Join(calls, "; "); got != "./driver.py; ./driver.sh" {
		t.Errorf("found %q", got)
	}
}

// What sessions have left is no part of the system: neither their pages, nor what drivers
// put into their folders.
func TestSessionsAreLeftOut(t *testing.T) {
	session := func(at string) fstest.MapFS {
		return fstest.MapFS{
			"Makefile": {Data: []byte("a:\n")}, at + "/session.json": {Data: []byte("{}")}, at + "/session-log.md": {Data: []byte("# Session\n")},
			at + "/artifacts/docker-compose.yml": {Data: []byte("services:\n")}, at + "/report.md": {Data: []byte("# Report\n")},
		}
	}
	for _, at := range []string{"sessions/kv/20261201T000000Z", "out"} {
		box, err := Discover(session(at), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if len(box.Tools) != 1 || len(box.Omitted) != 1 || box.Omitted[0].Path != at {
			t.Errorf("%s: tools %v, omitted %v", at, box.Tools, box.Omitted)
		}
		files := session(at)
		delete(files, at+"/session.json")
		if box, err := Discover(files, Limits{}); err != nil || len(box.Tools) < 2 {
			t.Errorf("%s is no session: tools %v, %v", at, box.Tools, err)
		}
	}
}
