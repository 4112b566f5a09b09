package toolchain

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestVersions(t *testing.T) {
	for text, minor := range map[string]int{
		"go1.26": 26, "go1.26.8": 26, "go1.27rc1": 27, "go1.27.3 X:nodwarf5": 27, "go1.26.1-vendor": 26,
	} {
		if v, err := parseVersion(text); err != nil || v.minor != minor {
			t.Errorf("parseVersion(%q): got %v, %v, want minor %d", text, v, err, minor)
		}
	}
	for _, text := range []string{"", "go1.25.4", "go1.28.0", "go1.260", "go2.0", "devel go1.27-abc", "go1.26.8x"} {
		if _, err := parseVersion(text); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("parseVersion(%q): got %v, want an error that says what is wanted", text, err)
		}
	}
}

func TestBounds(t *testing.T) {
	for _, c := range []struct {
		minor        int
		since, until string
		want         bool
	}{
		{26, "", "", true}, {26, "1.26", "1.26", true}, {26, "1.27", "", false}, {27, "1.27", "", true}, {27, "", "1.26", false}, {27, "1.26", "1.28", true},
	} {
		if got := (version{"", c.minor}).within(c.since, c.until); got != c.want {
			t.Errorf("1.%d within %q to %q: got %v, want %v", c.minor, c.since, c.until, got, c.want)
		}
	}
}

func TestOverlay(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	got, err := readOverlay(fstest.MapFS{
		"overlay/README.txt":          file("no"),
		"overlay/runtime/b.s.txt":     file("// asm\n//orrery:until 1.26\n#include \"x\"\n//orrery:since 1.30\n"),
		"overlay/net/http/a.go.txt":   file("//orrery:since 1.27\n\npackage http\n"),
		"overlay/runtime/plain.h.txt": file("x"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []addition{{path: "net/http/a.go", since: "1.27"}, {path: "runtime/b.s", until: "1.26"}, {path: "runtime/plain.h"}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i].content == "" {
			t.Errorf("%s: no content", got[i].path)
		}
		got[i].content = ""
		if got[i] != want[i] {
			t.Errorf("got %v, want %v", got[i], want[i])
		}
	}
	if _, err := readOverlay(fstest.MapFS{"overlay/runtime/a.go": file("x")}); err == nil || !strings.Contains(err.Error(), "want a name such as x.go.txt") {
		t.Errorf("file that go would compile: got %v, want an error", err)
	}
}

func TestTablesByVersion(t *testing.T) {
	all := tables{
		edits:     []edit{{name: "a", until: "1.26"}, {name: "b", since: "1.27"}, {name: "c"}},
		additions: []addition{{path: "a", until: "1.26"}, {path: "b", since: "1.27"}},
		vars:      []processVar{{name: "a", until: "1.26"}, {name: "b", since: "1.27"}},
	}
	for minor, want := range map[int]string{26: "a c a a", 27: "b c b b"} {
		var names []string
		got := all.forVersion(version{"", minor})
		for _, e := range got.edits {
			names = append(names, e.name)
		}
		for _, a := range got.additions {
			names = append(names, a.path)
		}
		for _, p := range got.vars {
			names = append(names, p.name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("1.%d: got %q, want %q", minor, got, want)
		}
	}
}
