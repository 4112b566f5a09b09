package plan

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaFile = "../../docs/plan.schema.json"

// The published schema is that of the types.
func TestSchemaPublished(t *testing.T) {
	got, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, schemaFile, string(got))
}

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	s, err := c.Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(s *jsonschema.Schema, text string) error {
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return s.Validate(value)
}

func exampleYAML(t *testing.T) string {
	t.Helper()
	text, err := loadExample(t).YAML()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Good plans are valid, written by hand and by the package.
func TestSchemaValid(t *testing.T) {
	tenants, err := os.ReadFile("testdata/tenants.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"tenants": string(tenants), "raftkv": exampleYAML(t)} {
		if err := validate(schema(t), text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Bad plans are refused by the schema, where the schema's error says, and by
// reading them too.
func TestSchemaInvalid(t *testing.T) {
	s, text := schema(t), exampleYAML(t)
	for _, c := range []struct{ name, old, new, at string }{
		{"unknown field", "    technique: det", "    tecnique: x\n    technique: det", "/scenarios/0"},
		{"unknown word", "category: liveness", "category: lively", "/claims/3/category"},
		{"silent text", "  ordering: one log orders the calls of all keys", `  ordering: ""`, "/system-model/ordering"},
		{"none without a reason", "    substitute: none, because the test is built with it", "    substitute: none", "/environment-needs/0/substitute"},
		{"no oracle", "    oracle:\n      - linearizability (of each key, model kv)\n", "", "/scenarios/0"},
		{"empty list", "    claims:\n      - C2\n      - U1\n", "    claims: []\n", "/scenarios/1/claims"},
		{"hypotheses none", "hypotheses:\n", "hypotheses: none, because so\nold:\n", "/hypotheses"},
		{"techniques without a reason", "techniques:\n  - technique: deterministic simulation\n    why: crashes that lose unsynced pages, and partitions to the packet, in runs that repeat\n", "techniques: some\n", "/techniques"},
		{"count", "configurations: 1", "configurations: one", "/scenarios/0/budget/smoke/configurations"},
		{"duration", "duration: 20s", "duration: 13 minutes", "/scenarios/0/budget/hardening/duration"},
		{"release without when", "; revisit when the service is used outside of tests", "", "/scenarios/0/budget/release"},
		{"part of a tier", "        seeds: 3\n", "", "/scenarios/0/budget/smoke"},
		{"model none", "    model:\n      kind: map\n", "    model: none, because so\n    models:\n      kind: map\n", "/scenarios/0/model"},
		{"section twice over", "confidence: |-", "confidence2: |-", "at ''"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := strings.Replace(text, c.old, c.new, 1)
			if bad == text {
				t.Fatalf("the example has no %q", c.old)
			}
			err := validate(s, bad)
			if err == nil || !strings.Contains(err.Error(), c.at) {
				t.Errorf("the schema says %v, want an error at %s", err, c.at)
			}
			if _, problems := Load("bad.yaml", []byte(bad)); problems.Err() == nil {
				t.Error("it was read as a plan")
			}
		})
	}
	start, err := Start("x", FormYAML)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(s, string(start)); err == nil {
		t.Error("the starting plan is valid, and has nothing in it")
	}
}
