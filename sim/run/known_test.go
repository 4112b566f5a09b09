package run

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseKnown(t *testing.T) {
	list, err := ParseKnown([]byte(`[
  {"signature": "o: a", "issue": "#1", "note": "n"},
  {"scenario": "TestB", "signature": "o: b", "issue": "#2", "note": "m"}
]
`))
	want := []Known{{"o: a", "#1", "n", ""}, {"o: b", "#2", "m", "TestB"}}
	if err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("got %+v, %v, want %+v", list, err, want)
	}
	if got := KnownOf(list, "TestA"); len(got) != 1 || got[0].Signature != "o: a" {
		t.Errorf("known of TestA: %+v", got)
	}
	if list, err := ParseKnown([]byte("[]")); err != nil || len(list) != 0 {
		t.Errorf("an empty list: %v, %v", list, err)
	}
}

func TestParseKnownRefuses(t *testing.T) {
	const entry = `{"signature":"s","issue":"i","note":"n"}`
	for _, c := range []struct{ text, want string }{
		{"", "1:1: EOF: want a list of known failures, ["},
		{"{}", "1:1: found {, want a list of known failures, ["},
		{"[", "1:2: "},
		{"[3]", "1:2: found 3, want a known failure, {"},
		{"[" + entry + "] x", "1:44: found more after the list"},
		{"[" + entry + "]\n[]", "2:1: found more after the list"},
		{"[" + entry + ",\n " + entry + "]", `2:2: the failure "s" is known at 1:2 already: want each once`},
		{"[" + entry + ",\n " + strings.Replace(entry, "{", `{"scenario":"T",`, 1) + "]", `2:2: the failure "s" is known at 1:2 already`},
		{`[{"signature":"s","issue":"i"}]`, "1:2: a known failure without note"},
		{"[{\"signature\":\"s\",\n\"isue\":\"i\"}]", `2:1: found field "isue", want signature, issue, note or scenario`},
		{`[{"signature":"s","signature":"t"}]`, `1:19: field "signature" is there twice`},
		{`[{"signature":"s","issue": ""}]`, "1:28: issue is empty: want a text"},
		{`[{"signature":"s","issue": 7}]`, "1:28: found 7, want issue, a string"},
		{`[{"signature":"s","issue": nul}]`, "1:28: "},
		{`[{"signature":{"a":1}}]`, "1:15: found {, want signature, a string"},
	} {
		if _, err := ParseKnown([]byte(c.text)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got error %v, want %s", c.text, err, c.want)
		}
	}
}
