package verdict

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// section returns the first cells of the tables below a heading of docs/verdicts.md, and its rows.
func section(t *testing.T, heading string) (first, rows []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/verdicts.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("docs/verdicts.md has no section %q", heading)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	for _, line := range strings.Split(rest, "\n") {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		rows = append(rows, line)
		first = append(first, strings.Trim(strings.Split(line, "|")[1], " `"))
	}
	return first, rows
}

// The tables of the docs have what the code has, in its order.
func TestDocs(t *testing.T) {
	for _, c := range []struct {
		heading, head string
		want          []string
	}{
		{"The verdicts", "verdict", texts(Verdicts)},
		{"Green but broken", "item", names(greenItems)},
		{"Weak oracles", "item", names(weakItems)},
	} {
		got, _ := section(t, c.heading)
		if want := append([]string{c.head}, c.want...); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", c.heading, got, want)
		}
	}
	got, _ := section(t, "The session")
	if want := append([]string{"session"}, texts(SessionVerdicts)...); len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
		t.Errorf("the session: found %q, want %q first", got, want)
	}
}

func TestDocsFamilies(t *testing.T) {
	_, rows := section(t, "Where a finding is placed")
	at := 0
	for _, fam := range families {
		listed := "`" + strings.Join(fam.kinds, "`, `") + "`"
		i := slices.IndexFunc(rows, func(r string) bool {
			return strings.Contains(r, listed) && strings.HasSuffix(r, "| "+string(fam.taxonomy)+" |")
		})
		if i < at {
			t.Errorf("no row below row %d has %s as %s", at, listed, fam.taxonomy)
		}
		at = max(at, i)
	}
}

func texts[T ~string](all []T) (out []string) {
	for _, v := range all {
		out = append(out, string(v))
	}
	return out
}

func names(items []item) (out []string) {
	for _, it := range items {
		out = append(out, it.name)
	}
	return out
}
