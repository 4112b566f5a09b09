package driver

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const landed = `{"fault":"at 1s kill n1","kind":"kill","at":1000000000,"landed":true,"injector":"sent","victim":"gone"}`

func TestReadLandings(t *testing.T) {
	with := func(old, new string) string { return strings.Replace(landed, old, new, 1) }
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"\n \n", ""},
		{landed + "\n\n" + landed, ""},
		{with("true", "false"), ""},
		{with("true", `"ambiguous"`), ""},
		{with(`true,"injector":"sent","victim":"gone"`, `"ambiguous"`), ""},
		{landed + "\n" + with("true", `"yes"`), `line 2:1: found landed "yes", want true, false or "ambiguous"`},
		{with("true", `"true"`), `found landed "true", want true, false`},
		{with("true", "null"), `line 1:1: found landed null, want true, false`},
		{with(`"landed":true,`, ""), "line 1:1: found no landed, want"},
		{with(`"at 1s kill n1"`, `""`), "found no fault, want what was done"},
		{with(`"kind":"kill",`, ``), "found no kind, want the kind of fault"},
		{with("1000000000", "-1"), "found at -1, want nanoseconds from 0"},
		{with("1000000000", "1.5"), "found number 1.5, want int64 as at"},
		{with("1000000000", `"1s"`), "line 1:48: found string, want int64 as at"},
		{with(`"gone"`, `""`), "found landed true without evidence of both injector and victim, want both"},
		{with(`"sent"`, `""`), "found landed true without evidence of both injector and victim, want both"},
		{with("victim", "vitcim"), `found json: unknown field "vitcim", want the fields fault, kind, at, landed, injector and victim: write no others`},
		{landed + landed, "line 1:104: found more than one value, want one object a line"},
		{landed[:30], "line 1:30: found the line's end within an object, want one object"},
		{"[]", "found array, want driver.Landing"},
		{"{]", "line 1:2: found a line that is no JSON: invalid character ']'"},
	} {
		_, err := ReadLandings(strings.NewReader(c.text))
		switch {
		case (err == nil) != (c.want == ""), err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("%s\nerror %v, want %q", c.text, err, c.want)
		}
	}
}

// What is written is read back, and what must not be written is not.
func TestLandingsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []Landing
		valid := true
		for range rapid.IntRange(0, 4).Draw(t, "landings") {
			l := Landing{
				Fault: rapid.String().Draw(t, "fault"), Kind: rapid.SampledFrom([]string{"kill", "", "a\nb"}).Draw(t, "kind"),
				At:     rapid.Int64Min(-1).Draw(t, "at"),
				Landed: rapid.SampledFrom([]Landed{LandedYes, LandedNo, LandedAmbiguous, ""}).Draw(t, "landed"),
				Victim: rapid.SampledFrom([]string{"", "<gone>"}).Draw(t, "victim"), Injector: rapid.SampledFrom([]string{"", "sent"}).Draw(t, "injector"),
			}
			valid = valid && l.validate() == nil
			list = append(list, l)
		}
		var b bytes.Buffer
		err := WriteLandings(&b, list)
		var wrong *FileError
		if !valid {
			if !errors.As(err, &wrong) || wrong.Line < 1 {
				t.Fatalf("%+v: written, %v", list, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		back, err := ReadLandings(&b)
		if err != nil || len(back) != len(list) || len(list) > 0 && !reflect.DeepEqual(back, list) {
			t.Fatalf("%+v read back as %+v, %v", list, back, err)
		}
	})
}

func TestWriteLandingsRefuses(t *testing.T) {
	err := WriteLandings(&bytes.Buffer{}, []Landing{{Fault: "f", Kind: "k", Landed: "maybe"}})
	if err == nil {
		t.Error("a landing that is neither true, false nor ambiguous was written")
	}
}
