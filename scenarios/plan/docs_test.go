package plan

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

const docs = "../../docs/plans.md"

// The tables of fields in the docs are those of the types.
func TestDocsFields(t *testing.T) {
	data, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	const from, to = "<!-- fields -->\n", "<!-- end of fields -->"
	before, rest, ok := strings.Cut(string(data), from)
	_, after, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the fields", docs)
	}
	golden(t, docs, before+from+fieldTables()+to+after)
}

func fieldTables() string {
	var b strings.Builder
	table := func(name string, t reflect.Type) {
		fmt.Fprintf(&b, "### %s\n| field | holds |\n|---|---|\n", name)
		for _, f := range fieldsOf(t) {
			want := f.want
			if f.presence == optional {
				want += " (optional)"
			}
			if want != "" {
				fmt.Fprintf(&b, "| %s | %s |\n", f.name, want)
			}
		}
		b.WriteString("\n")
	}
	table("The plan", reflect.TypeFor[Plan]())
	for _, f := range fieldsOf(reflect.TypeFor[Plan]()) {
		switch t := f.typ; formOf(t) {
		case formFields:
			table(title(f.name), t)
		case formList:
			if elem := elemOf(t); formOf(elem) == formFields {
				table("Each of "+column(f.name), elem)
			}
		}
	}
	table("A tier of a budget", reflect.TypeFor[Tier]())
	table("The model", reflect.TypeFor[Model]())
	table("The matrix", reflect.TypeFor[Matrix]())
	table("Each arm", reflect.TypeFor[Arm]())
	return b.String()
}

// The plans that the docs show are in both forms the same, and their fields are
// known: what is missing in them is all that is wrong.
func TestDocsForms(t *testing.T) {
	data, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(data), "\n```")
	md, problems := Read("docs.md", []byte(strings.TrimPrefix(blocks[1], "\n")))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	yaml, problems := Read("docs.yaml", []byte(strings.TrimPrefix(blocks[3], "yaml\n")))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if !Same(md, yaml) {
		t.Errorf("got\n%+v\n%+v", *md, *yaml)
	}
	if len(md.Check()) < 10 {
		t.Error("the check of a part of a plan finds little")
	}
}

// The notes that the docs show give what they say.
func TestDocsNotes(t *testing.T) {
	data, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(data), "becomes a scenario:\n```\n")
	text, _, ok2 := strings.Cut(text, "```")
	if !ok || !ok2 {
		t.Fatal("the docs have no notes")
	}
	x := Extract("notes.txt", text)
	var got []string
	for _, r := range x.Found {
		got = append(got, fmt.Sprint(r.Line, r.Faults, r.Categories))
	}
	const want = "1 [crash] [durability idempotency], 5 [kill] [liveness], 6 [skew] [liveness]"
	if strings.Join(got, ", ") != want || len(x.Unread) != 2 {
		t.Errorf("got %v and %v, want %s", got, x.Unread, want)
	}
}
