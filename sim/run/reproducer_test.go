package run

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim/choice"
	"pgregory.net/rapid"
)

func reproducer() Reproducer {
	s := Scenario{Name: "TestKV/three nodes", Binary: &Binary{Package: "example.com/kv", Tags: "a,b", Identity: Identity{Engine: "1", Go: "go1.26", Arch: "amd64", Build: "abc"}}}
	req := Request{
		Seed: 1<<64 - 1, Params: map[string]string{"bug": "<stale>"}, Safety: 5, Calm: 7, Neutral: []string{"net", "sched"},
		Overrides: []choice.Override{{Stream: "net/n1>n2", Index: 3, Value: 1 << 63}},
	}
	return NewReproducer(s, req, Result{Hash: "0123456789abcdef", Faults: []Fault{{Text: "at 1s crash n1 for 2s"}}, Violation: &Violation{Oracle: "linearizability", Message: "get(x) = 3, want 4"}})
}

func TestReproducerReadsBack(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "testdata", "orrery", "a.json")
	want := reproducer()
	if err := want.Write(name); err != nil {
		t.Fatal(err)
	}
	got, err := ReadReproducer(name)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, %v; want %+v", got, err, want)
	}
	if entries, err := os.ReadDir(filepath.Dir(name)); err != nil || len(entries) != 1 {
		t.Errorf("beside the file there are %v, %v", entries, err)
	}
	text, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(text), `"at 1s crash n1 for 2s"`) || !strings.Contains(string(text), "net/n1>n2") {
		t.Errorf("a person reads %s", text)
	}
	list, err := Reproducers(filepath.Dir(name), "TestKV/three nodes")
	if err != nil || len(list) != 1 || list[0].File != name {
		t.Errorf("the folder has %+v, %v", list, err)
	}
	if list, err := Reproducers(filepath.Dir(name), "TestKV"); err != nil || len(list) != 0 {
		t.Errorf("of another scenario the folder has %+v, %v", list, err)
	}
	if list, err := Reproducers(filepath.Join(dir, "nothing"), "TestKV"); err != nil || len(list) != 0 {
		t.Errorf("a folder that is not there has %+v, %v", list, err)
	}
}

func TestReproducerErrors(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.json")
	if err := reproducer().Write(name); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	whole := string(text)
	for _, c := range []struct{ text, want string }{
		{"", "1:1: EOF: want a reproducer, as 'orrery shrink' writes it"},
		{whole[:len(whole)/2], "unexpected EOF: want a reproducer"},
		{"[1]", "1:"},
		{"{}", `1:1: schema is "", want "orrery.reproducer/1"`},
		{strings.Replace(whole, "reproducer/1", "reproducer/99", 1), `schema is "orrery.reproducer/99", want "orrery.reproducer/1"`},
		{strings.Replace(whole, `"seed": "`, `"seed": "x`, 1), "12:4: seed is \"x18446744073709551615\": want a number below 2^64"},
		{strings.Replace(whole, `"faults"`, `"flaws"`, 1), `unknown field "flaws": want the fields of orrery.reproducer/1`},
		{strings.Replace(whole, `"scenario": "TestKV/three nodes"`, `"scenario": ""`, 1), "scenario is empty"},
		{strings.Replace(whole, `"safety_ns": 5`, `"safety_ns": -5`, 1), "safety_ns is -5: want no negative number"},
		{strings.Replace(whole, `"calm_ns": 7`, `"calm_ns": -7`, 1), "calm_ns is -7: want no negative number"},
		{whole + whole, "more than one object"},
	} {
		_, err := ParseReproducer([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want one with %q", err, c.want)
		}
	}
	if _, err := ReadReproducer(filepath.Join(t.TempDir(), "nothing.json")); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// No text makes the reader panic, and what it takes it writes as it was.
func TestReproducerOfAnyText(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.json")
	if err := reproducer().Write(name); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := append([]byte(nil), whole...)
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			i := rapid.IntRange(0, len(text)-1).Draw(t, "at")
			text[i] = rapid.Byte().Draw(t, "byte")
		}
		r, err := ParseReproducer(text)
		if err != nil {
			return
		}
		if err := r.Write(name); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadReproducer(name); err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%s is read as %+v, and again as %+v, %v", text, r, again, err)
		}
	})
}

func TestReproducerOfAnotherBinary(t *testing.T) {
	r := reproducer()
	if d := r.Differs(r.Identity); d != "" {
		t.Errorf("its own binary differs: %s", d)
	}
	other := r.Identity
	other.Go, other.Build = "go1.27", "def"
	if got, want := r.Differs(other), "Go is go1.27, was go1.26; build is def, was abc"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
