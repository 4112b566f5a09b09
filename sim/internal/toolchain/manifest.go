package toolchain

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// markerName is the file that makes a folder a whole copy: it is written last.
const markerName = "orrery.json"

// layout is to be raised when what this package makes of a table changes: copies
// of the layout before are then no longer used.
const layout = 1

// manifest is what the marker of a copy says of it.
type manifest struct {
	GoVersion string `json:"goVersion"`
	Key       string `json:"key"`
	Original  string `json:"original"` // the GOROOT that was copied
	Files     []sum  `json:"files"`    // those that differ from the original, by path
}

type sum struct {
	Path   string `json:"path"` // below src
	SHA256 string `json:"sha256"`
}

func readManifest(dir string) (manifest, error) {
	var m manifest
	b, err := os.ReadFile(filepath.Join(dir, markerName))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, fmt.Errorf("marker %s: %w", filepath.Join(dir, markerName), err)
	}
	return m, nil
}

func (m manifest) write(dir string) error {
	b, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, markerName), append(b, '\n'), 0o644)
}

// verify returns what is wrong with the copy in dir: its marker is missing or of
// another key, a patched file differs, or its go command is gone. The files that
// are as in the original are not read.
func verify(dir, key string) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	if m.Key != key {
		return fmt.Errorf("copy %s: got key %s, want %s", dir, m.Key, key)
	}
	return m.verifyFiles(dir)
}

func (m manifest) verifyFiles(dir string) error {
	for _, f := range m.Files {
		b, err := os.ReadFile(filepath.Join(dir, "src", filepath.FromSlash(f.Path)))
		if err != nil {
			return err
		}
		if got := hash(b); got != f.SHA256 {
			return fmt.Errorf("copy %s: %s: got sha256 %s, want %s", dir, f.Path, got, f.SHA256)
		}
	}
	for _, name := range []string{"bin/go", "pkg"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

func hash(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// keyOf returns the key of the copy of original that t makes. It covers tables,
// not results, so that it costs nothing to know whether there is a copy.
func keyOf(v version, original string, t tables) string {
	h := sha256.New()
	item := func(w io.Writer, fields ...any) {
		var b bytes.Buffer
		for _, f := range fields {
			fmt.Fprintf(&b, "%q,", fmt.Sprintf("%+v", f))
		}
		fmt.Fprintln(w, b.String())
	}
	t = t.forVersion(v)
	item(h, layout, v.text, original)
	for _, e := range t.edits {
		item(h, "edit", e.file, e.fn, e.op, e.code)
	}
	for _, a := range t.additions {
		item(h, "addition", a.path, a.content)
	}
	for _, p := range t.vars {
		item(h, "var", p.pkg, p.file, p.name, p.fresh)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
