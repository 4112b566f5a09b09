package trial

import "testing"

func TestReplaceRows(t *testing.T) {
	const other, after = "| queue | `q` | of q | crash | x | 7 |\n", "\nMore text, and | a bar.\n"
	own := []string{"| saga | `s` | of s | crash | x | 1 |", "| saga | `t` | of t | crash | x | 2 |"}
	rows := own[0] + "\n" + own[1] + "\n"
	const old = "| saga | `s` | of s | crash | x | 9 |\n"
	for name, c := range map[string]struct{ table, want string }{
		"an empty table":    {"", rows},
		"no rows yet":       {other, other + rows},
		"at the start":      {old + old + other, rows + other},
		"in between":        {other + old + other, other + rows + other},
		"with more of them": {other + old + old + old, other + rows},
	} {
		got, err := replaceRows("Text.\n\n"+head+c.table+after, "saga", own)
		if want := "Text.\n\n" + head + c.want + after; err != nil || got != want {
			t.Errorf("%s: got\n%s%v, want\n%s", name, got, err, want)
		}
	}
	if _, err := replaceRows("no table", "saga", own); err == nil {
		t.Error("a page without the table was written")
	}
}

// A bug's seed is read from a row that tells the bug as it is.
func TestSeedOf(t *testing.T) {
	h, b := hunter{system: "saga"}, Bug{"s", "of s", "crash", "x"}
	if seed, err := h.seedOf("Text.\n"+h.rowStart(b)+" 12 |\n", b); seed != 12 || err != nil {
		t.Errorf("got %d, %v, want 12", seed, err)
	}
	for _, page := range []string{"", "\n" + h.rowStart(b) + "\n", "\n" + h.rowStart(b) + " - |\n", "\n" + h.rowStart(Bug{"s", "of t", "crash", "x"}) + " 12 |\n"} {
		if _, err := h.seedOf(page, b); err == nil {
			t.Errorf("a seed was read from %q", page)
		}
	}
}
