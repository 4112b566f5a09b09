package run

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestByModule(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"a", "nested/b", "nested/deep/c", "go.mod.d/go.mod"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{".", "nested", "nested/deep"} {
		if err := os.WriteFile(filepath.Join(top, dir, "go.mod"), []byte("module m\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	nested, deep := filepath.Join(top, "nested"), filepath.Join(top, "nested/deep")
	for _, c := range []struct {
		dir      string
		patterns []string
		want     []inModule
	}{
		{top, []string{"."}, []inModule{{top, []string{"."}}}},
		{top, []string{"./...", "example.org/x", "std"}, []inModule{{top, []string{"./...", "example.org/x", "std"}}}},
		{top, []string{"./nested"}, []inModule{{nested, []string{"./."}}}},
		{top, []string{"./a", "./nested/b", "./go.mod.d", "./nested/..."}, []inModule{
			{top, []string{"./a", "./go.mod.d"}}, {nested, []string{"./b", "./..."}},
		}},
		{nested, []string{"./b", "./deep/c", "../a", "../...", ".."}, []inModule{
			{nested, []string{"./b"}}, {deep, []string{"./c"}}, {top, []string{"./a", "./...", "./."}},
		}},
		{filepath.Join(top, "a"), []string{".", filepath.Join(deep, "c")}, []inModule{
			{filepath.Join(top, "a"), []string{"."}}, {deep, []string{"./c"}},
		}},
		{top, []string{"./nested/b..."}, []inModule{{nested, []string{"./b..."}}}},
		{top, []string{"./missing/x"}, []inModule{{top, []string{"./missing/x"}}}},
		{top, []string{"nested"}, []inModule{{top, []string{"nested"}}}},
	} {
		if got := byModule(c.dir, c.patterns); !reflect.DeepEqual(got, c.want) {
			t.Errorf("in %s, %q: got %q, want %q", c.dir, c.patterns, got, c.want)
		}
	}
}
