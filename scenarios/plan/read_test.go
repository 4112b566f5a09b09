package plan

import (
	"os"
	"reflect"
	"testing"
	"time"
)

func load(t testing.TB, file string) *Plan {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := Load(file, data)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return p
}

// The same plan in both forms, each written by hand as such plans are, is the same.
func TestBothForms(t *testing.T) {
	md, yaml := load(t, "testdata/tenants.md"), load(t, "testdata/tenants.yaml")
	if !Same(md, yaml) {
		a, _ := md.YAML()
		b, _ := yaml.YAML()
		t.Errorf("Markdown:\n%s\nYAML:\n%s", a, b)
	}
	if md.Hash() == yaml.Hash() || len(md.Hash()) != 64 {
		t.Errorf("hashes %s and %s, want those of two files", md.Hash(), yaml.Hash())
	}
}

// What was read is what is there, down to the values with a grammar of their own.
func TestReadValues(t *testing.T) {
	p := load(t, "testdata/tenants.md")
	s, arm := p.Scenarios[0], p.Scenarios[0].Arms[0]
	for _, c := range []struct{ name, got, want any }{
		{"change", p.Header.Change, "row-level filters | views"},
		{"architecture", p.Architecture, "A gateway, two shards.\nA cache before each."},
		{"category", p.Claims[1].Category, Performance},
		{"unstated", p.Unstated.None, "the code was read and relies on nothing else"},
		{"retry", p.System.Retry, "three times\nwith one id"},
		{"gap", p.Coverage[0].Gap, GapFault},
		{"surfaces", s.Matrix.Surfaces.Items, []string{"api", "sql", "metrics", "logs"}},
		{"faults", arm.Faults.Items, []Named{{"kill", "a shard, in a scan"}, {"cache eviction", ""}}},
		{"slow disk", p.Scenarios[1].Faults.Items, []Named{{"slow-disk", ""}}},
		{"configurations", p.Scenarios[1].Configs.Items, []Config{{"one", []Param{{"shards", "1"}}}, {"two", []Param{{"shards", "2"}}}}},
		{"hardening", s.Budget.Hardening, Tier{2, 10 * time.Minute, 10, 3}},
		{"release", p.Scenarios[1].Budget.NoRelease, NoRelease{"the hardening tier is long", "there are more shards"}},
		{"binding", s.Binding(), Binding{Target{None: "a driver runs it"}, "test/tenants.sh", []Param{{"rows", "100"}, {"rate", "5"}}, s.Configs.Items}},
		{"arm's parameters", s.ArmBinding(arm).Parameters, []Param{{"rows", "100"}, {"rate", "50"}}},
		{"arm's driver", s.ArmBinding(arm).Driver, "test/tenants.sh"},
		{"arm's own test", s.ArmBinding(s.Arms[1]).Target, Target{File: "test/traces_test.go", Func: "TestTraces"}},
		{"arm without the driver", s.ArmBinding(s.Arms[1]).Driver, ""},
		{"bound", s.Binding().Bound(), true},
		{"not bound", p.Scenarios[1].Binding().Bound(), false},
		{"residual", p.Residual.Items, []string{"Side channels in time are not measured.", "The backups."}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: got %#v, want %#v", c.name, c.got, c.want)
		}
	}
}

func TestSlug(t *testing.T) {
	for name, want := range map[string]string{
		"raftkv": "raftkv", "Tenants of the store, v2!": "tenants-of-the-store-v2", "Ärger": "rger", "…": "plan", "": "plan",
		"a23456789 b23456789 c23456789 d23456789 e23456789 f23456789 g": "a23456789-b23456789-c23456789-d23456789-e23456789-f23456789",
	} {
		if got := (&Plan{Name: name}).Slug(); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestHash(t *testing.T) {
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-2
	if got := HashBytes([]byte("abc")); got != abc {
		t.Errorf("got %s, want %s", got, abc)
	}
}

func TestReadOtherFiles(t *testing.T) {
	for _, file := range []string{"plan.txt", "plan", "plan.json"} {
		if p, problems := Read(file, []byte("# x")); p != nil || problems.Err() == nil {
			t.Errorf("%s was read as a plan", file)
		}
	}
}
