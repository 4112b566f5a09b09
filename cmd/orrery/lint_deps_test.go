package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// listed is a package as go list shows it.
type listed struct {
	ImportPath string
	Dir        string
	Export     string
	GoFiles    []string
	Deps       []string
}

func goList(t *testing.T, args ...string) (out []listed) {
	t.Helper()
	c := exec.Command("go", append([]string{"list"}, args...)...)
	c.Dir = top
	var stderr bytes.Buffer
	c.Stderr = &stderr
	text, err := c.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	for {
		var p listed
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return out
		case err != nil:
			t.Fatal(err)
		}
		out = append(out, p)
	}
}

// arrows says what packages of the module a folder's packages may depend on,
// themselves apart. A name that ends in a slash stands for all below it.
var arrows = map[string][]string{
	"sim/choice":             {},
	"sim/trace":              {"sim/choice"},
	"sim/outcome":            {},
	"clock":                  {"sim/choice"},
	"net":                    {"sim/choice", "clock"},
	"disk":                   {"sim/choice", "clock"},
	"oracle":                 {"sim/choice", "sim/trace", "sim/outcome"},
	"oracle/verdict":         {"sim/outcome"},
	"sim/internal/callname":  {},
	"sim/internal/rt":        {"sim/choice"},
	"sim/internal/toolchain": {},
	"sim/internal/kernel":    {"sim/choice", "sim/trace", "sim/internal/callname", "sim/internal/rt", "net", "disk", "clock"},
	"sim/run":                {"sim/choice", "sim/trace", "sim/outcome", "sim/internal/toolchain", "sim/internal/callname"},
	"scenarios/plan":         {},
	"shrink":                 {"sim/choice", "sim/trace", "sim/outcome", "sim/run", "sim/internal/toolchain", "sim/internal/callname"},
}

// Dependencies flow one way: the arrows above, and nothing depends on commands,
// nothing below scenarios on scenarios, nothing of sim on oracle. Package sim
// itself is above shrink: a plain go test shrinks what it finds.
func TestLintArrows(t *testing.T) {
	for _, p := range goList(t, "-json=ImportPath,Deps", "./...") {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		for _, dep := range p.Deps {
			dep, ours := strings.CutPrefix(dep, module+"/")
			if ours && !mayDepend(name, dep) {
				t.Errorf("%s depends on %s: the arrows go the other way, or go past it", name, dep)
			}
		}
	}
}

func mayDepend(name, dep string) bool {
	if allowed, ok := arrows[name]; ok {
		return slices.Contains(allowed, dep)
	}
	room := func(s string) string { first, _, _ := strings.Cut(s, "/"); return first }
	below := map[string][]string{
		"sim":       {"shrink", "sim", "net", "disk", "clock"},
		"scenarios": {"scenarios", "shrink", "oracle", "sim", "net", "disk", "clock"},
		"cmd":       {"scenarios", "shrink", "oracle", "sim", "net", "disk", "clock"},
	}
	allowed, ok := below[room(name)]
	return !ok || slices.Contains(allowed, room(dep))
}

func TestLintArrowsRefuse(t *testing.T) {
	for _, c := range []struct {
		from, to string
		may      bool
	}{
		{"net", "disk", false}, {"disk", "net", false}, {"net", "sim/choice", true}, {"clock", "sim", false},
		{"sim/choice", "clock", false}, {"sim", "oracle", false}, {"sim", "scenarios/bbolt", false}, {"sim", "net", true},
		{"oracle", "sim", false}, {"oracle", "oracle/verdict", false}, {"oracle/verdict", "oracle", false}, {"oracle/verdict", "sim/outcome", true}, {"shrink", "sim", false}, {"shrink", "sim/run", true},
		{"scenarios/raftkv", "cmd/orrery", false}, {"scenarios/raftkv", "scenarios/raftkv/kv", true}, {"cmd/orrery", "scenarios/x", true},
	} {
		if mayDepend(c.from, c.to) != c.may {
			t.Errorf("%s on %s: want allowed %v", c.from, c.to, c.may)
		}
	}
}
