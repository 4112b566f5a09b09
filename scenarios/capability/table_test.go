package capability

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden tables")

func TestParseNeed(t *testing.T) {
	for _, c := range []struct{ text, item, floor, err string }{
		{"tc", "tc", "", ""},
		{" `network namespaces` ", "network namespaces", "", ""},
		{"go >= 1.26", "go", "1.26", ""},
		{"go>=v1.26.1", "go", "v1.26.1", ""},
		{"go ≥ go1.26", "go", "go1.26", ""},
		{"docker 24+", "docker", "24", ""},
		{"java 17 or later", "java", "17", ""},
		{"cgroup v2", "cgroup v2", "", ""},
		{"", "", "", "want a name"},
		{">= 3", "", "", "want a name"},
		{"go < 2", "", "", `need "go < 2": want a name, or a name >= the least version`},
		{"go == 1.26", "", "", "want a name"},
		{"go >= new", "", "", `found the floor "new", want numbers with dots`},
		{"go >= 1.26 and tc", "", "", `found the floor "1.26 and tc"`},
	} {
		n, err := ParseNeed(c.text)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %+v, %v, want error %q", c.text, n, err, c.err)
			}
		case err != nil || n.Item != c.item || n.Floor != c.floor:
			t.Errorf("%q: %+v, %v, want %q, %q", c.text, n, err, c.item, c.floor)
		}
	}
}

func TestReaches(t *testing.T) {
	for _, c := range []struct {
		found, floor string
		want         bool
	}{
		{"1.26.8", "1.26", true}, {"1.26", "1.26.0", true}, {"1.9", "1.10", false}, {"24", "24.0.1", false}, {"2", "v1.9", true},
		{"1.26.8", "go1.26.9", false}, {"", "1", false}, {"", "", true}, {"odd", "1", false},
	} {
		if got := reaches(c.found, c.floor); got != c.want {
			t.Errorf("%q, floor %q: %v", c.found, c.floor, got)
		}
	}
}

// Floors order versions as lists of numbers are ordered.
func TestReachesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.SliceOfN(rapid.IntRange(0, 12), 3, 3).Draw(t, "a"), rapid.SliceOfN(rapid.IntRange(0, 12), 3, 3).Draw(t, "b")
		text := func(v []int) string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }
		if got, want := reaches(text(a), text(b)), slices.Compare(a, b) >= 0; got != want {
			t.Fatalf("%v reaches %v: %v", a, b, got)
		}
	})
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"golang": "go", "Netns": "network namespaces", "io-uring": "io_uring", "`docker`": "docker", "docker_compose": "docker compose",
		"gox":            `found "gox", want one of the known capabilities: the nearest are "go"`,
		"network":        `the nearest are "network namespaces"`,
		"pyton3":         `the nearest are "python3"`,
		"networknetwork": `found "networknetwork", want one of the known capabilities`,
	} {
		p, err := Known().Find(name)
		if err == nil && p.Name != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v, want %q", name, p.Name, err, want)
		}
	}
	if _, err := Known().Find("networknetwork"); strings.Contains(err.Error(), "nearest") {
		t.Errorf("%v: want no name that is far", err)
	}
}

func TestMatchRefuses(t *testing.T) {
	list := []Need{{Item: "quantum"}, {Item: "goo", Floor: "x"}, {Item: "tc"}}
	_, err := Known().Match(list, Answers{Have: []string{"netem", "quantum"}, Skip: []string{"TC"}})
	want := `"netem" is said to be there, and to be skipped: leave it out of --have or of --skip
need "goo": found the floor "x", want numbers with dots, as 1.26
need 2: found "goo", want one of the known capabilities: the nearest are "go", or answer for it by --have or --skip`
	if err == nil || err.Error() != want {
		t.Errorf("error\n%v\nwant\n%s", err, want)
	}
	if _, err := Known().Examine(context.Background(), nil, list, Answers{}); err == nil {
		t.Error("a plan that is wrong was probed")
	}
}

// laptop has some of what the golden plan needs.
func laptop() *fake {
	return &fake{
		programs: []string{"go", "unshare", "tc", "python3", "apt-get", "sudo"},
		says: map[string]string{
			"go version": "go version go1.25.3 linux/amd64", "python3 --version": "Python 3.11.7", "tc -V": "tc utility, iproute2-6.1.0", asUser + "true": "",
		},
	}
}

const laptopNeeds = `go >= 1.26 | S1
go | S1, S2
python3 >= 3.9
tc | S2
nft | S2
docker | S3
network namespaces | S2
rack of servers | S4
strace | S4
podman | S3`

var laptopSaid = Answers{Have: []string{"docker", "rack of servers", "kindd", "git"}, Skip: []string{"netns", "podman"}}

// golden compares with a file, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || string(want) != got {
		t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, want)
	}
}

func TestExamine(t *testing.T) {
	f := laptop()
	table, err := Known().Examine(context.Background(), f.env(), needs(laptopNeeds), laptopSaid)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/laptop.md", table.Markdown())
	again, err := Known().Examine(context.Background(), laptop().env(), needs(laptopNeeds), laptopSaid)
	if err != nil || again.Markdown() != table.Markdown() {
		t.Errorf("two looks at one machine differ: %v", err)
	}
	slices.Sort(f.ran)
	if len(slices.Compact(slices.Clone(f.ran))) != len(f.ran) {
		t.Errorf("a probe ran twice: %q", f.ran)
	}
	for scenario, want := range map[string]string{"S1": "go >= 1.26", "S2": "tc, nft, network namespaces", "S2/api": "tc, nft, network namespaces", "S3": "podman", "S4": "strace", "S5": ""} {
		var items []string
		for _, r := range table.Lacking(scenario) {
			items = append(items, r.Need.String())
		}
		if got := strings.Join(items, ", "); got != want {
			t.Errorf("%s lacks %q, want %q", scenario, got, want)
		}
	}
}

func TestExamineStops(t *testing.T) {
	cause := errors.New("stop")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if _, err := Known().Examine(ctx, laptop().env(), needs(laptopNeeds), laptopSaid); !errors.Is(err, cause) {
		t.Errorf("%v, want the cause", err)
	}
}

func TestNoNeeds(t *testing.T) {
	table, err := Known().Examine(context.Background(), laptop().env(), nil, Answers{})
	if err != nil || table.Markdown() != "## Capabilities\n\nThe plan needs none.\n" {
		t.Errorf("%q, %v", table.Markdown(), err)
	}
}

// An answer decides, whatever is found; without one the probe does.
func TestAnswersDecide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &fake{}
		if rapid.Bool().Draw(t, "there") {
			f = &fake{programs: []string{"go"}, says: map[string]string{"go version": "go version go1.26.8"}}
		}
		floor := rapid.SampledFrom([]string{"", "1.20", "1.27"}).Draw(t, "floor")
		said := rapid.SampledFrom([]answer{"", answerHave, answerSkip}).Draw(t, "said")
		a := Answers{}
		switch said {
		case answerHave:
			a.Have = []string{"golang"}
		case answerSkip:
			a.Skip = []string{"Go"}
		}
		table, err := Known().Examine(context.Background(), f.env(), []Need{{Item: "go", Floor: floor}}, a)
		if err != nil {
			t.Fatal(err)
		}
		r := table.Rows[0]
		probed := len(f.programs) > 0 && floor != "1.27"
		if want := said == answerHave || said == "" && probed; r.Met() != want {
			t.Fatalf("said %q, found %+v: met %v, want %v", said, r.Found, r.Met(), want)
		}
		if r.Found.Present != (len(f.programs) > 0) {
			t.Fatalf("said %q: what was found is not kept: %+v", said, r.Found)
		}
		if disagree := said != "" && probed != (said == answerHave); disagree != strings.Contains(strings.Join(r.Notes, ""), "the probe disagrees") {
			t.Fatalf("said %q, found %+v: notes %q", said, r.Found, r.Notes)
		}
	})
}
