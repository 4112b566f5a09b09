package author

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const target1 = "kv/kv_s1_test.go"

// oneTest is a plan of one scenario for target1.
func oneTest(t *testing.T, dir string) (c Config, generated string) {
	t.Helper()
	c = Config{Plan: only(kvPlan(), "S1"), File: filepath.Join(dir, "kv.md"), Dir: dir}
	if got := place(t, c); len(got) != 1 || got[0].Action != Created || got[0].File != target1 || got[0].Func != "TestS1" {
		t.Fatalf("%+v", got)
	}
	return c, read(t, dir, target1)
}

const byHand = "package kv\n\nfunc helper() {}\n"

func TestConflicts(t *testing.T) {
	edit := func(s string) string { return strings.Replace(s, "t.Fatal(\"S1 is", "t.Log(\"S1 was", 1) }
	for _, c := range []struct {
		name   string
		there  func(generated string) string
		policy OnConflict
		answer string // "-" if there is nobody to ask
		action Action
		reason string
		now    string // what the target is then: "generated", "there"
	}{
		{"edited", edit, Skip, "-", Skipped, "it was edited since it was written", "there"},
		{"edited", edit, Overwrite, "-", Overwritten, "it was edited since it was written", "generated"},
		{"edited", edit, New, "-", Beside, "it was edited since it was written", "there"},
		{"edited", edit, Ask, "-", Skipped, "it was edited since it was written; there is nobody to ask", "there"},
		{"edited", edit, Ask, "o\n", Overwritten, "it was edited since it was written", "generated"},
		{"edited", edit, Ask, "Overwrite \n", Overwritten, "it was edited since it was written", "generated"},
		{"edited", edit, Ask, "s\n", Skipped, "it was edited since it was written", "there"},
		{"edited", edit, Ask, "\n", Skipped, "it was edited since it was written", "there"},
		{"edited", edit, Ask, "", Skipped, "it was edited since it was written", "there"},
		{"edited", edit, Ask, "x\ny\nz\no\n", Skipped, "it was edited since it was written", "there"},
		{"edited", edit, Ask, "what?\nnew\n", Beside, "it was edited since it was written", "there"},
		{"of another plan", func(s string) string {
			head, body, _ := strings.Cut(s, "\n\n")
			body = strings.Replace(body, "nodes", "machines", 1)
			return header{plan: "kv.md", hash: "0", tests: []string{"S1 TestS1"}, body: hashOf(body)}.text() + body + head[:0]
		}, Skip, "-", Skipped, "the plan or the folder has changed since it was written", "there"},
		{"by hand", func(string) string { return byHand }, Overwrite, "-", Skipped, "it is no skeleton: it does not begin with the marker", "there"},
		{"by hand", func(string) string { return byHand }, Skip, "-", Skipped, "it is no skeleton: it does not begin with the marker", "there"},
		{"by hand", func(string) string { return byHand }, Ask, "o\no\no\n", Skipped, "it is no skeleton: it does not begin with the marker", "there"},
		{"by hand", func(string) string { return byHand }, New, "-", Beside, "it is no skeleton: it does not begin with the marker", "there"},
		{"marker further down", func(s string) string { return "// mine\n" + s }, Overwrite, "-", Skipped, "kv/kv_s1_test.go has TestS1 already, and is no skeleton", "there"},
		{"marker taken out", func(s string) string { return strings.TrimPrefix(s, Marker+"\n") }, New, "-", Skipped, "kv/kv_s1_test.go has TestS1 already, and is no skeleton", "there"},
		{"no Go", func(s string) string { return "// kept\n" }, Overwrite, "-", Skipped, "it is no skeleton: it does not begin with the marker", "there"},
		{"empty", func(s string) string { return "" }, Overwrite, "-", Skipped, "it is no skeleton: it does not begin with the marker", "there"},
	} {
		t.Run(c.name+" "+string(c.policy)+" "+c.answer, func(t *testing.T) {
			dir := t.TempDir()
			config, generated := oneTest(t, dir)
			there := c.there(generated)
			write(t, dir, target1, there)
			config.OnConflict = c.policy
			var out strings.Builder
			config.Out = &out
			if c.answer != "-" {
				config.In = strings.NewReader(c.answer)
			}
			got := place(t, config)[0]
			if got.Action != c.action || got.Reason != c.reason {
				t.Errorf("got %s: %s, want %s: %s", got.Action, got.Reason, c.action, c.reason)
			}
			want := map[string]string{"generated": generated, "there": there}[c.now]
			if now := read(t, dir, target1); now != want {
				t.Errorf("the file is now\n%s\nwant\n%s", now, want)
			}
			shows := marked(there) && (c.policy == Ask || c.action == Overwritten)
			if got.Diff != "" && shows != strings.Contains(out.String(), got.Diff) {
				t.Errorf("shown:\n%s", out.String())
			}
			if strings.Contains(c.reason, "already") != (got.Diff == "") {
				t.Errorf("difference %q", got.Diff)
			}
		})
	}
}

// A skeleton beside another one has other names in it, and is not written twice, nor asked
// about.
func TestNewBeside(t *testing.T) {
	dir := t.TempDir()
	c, _ := oneTest(t, dir)
	text := strings.Replace(read(t, dir, target1), "S1 is", "S1 was", 1)
	write(t, dir, target1, text)
	c.OnConflict = New
	got := place(t, c)[0]
	if got.File != "kv/kv_s1_2_test.go" || got.Func != "TestS1_2" || got.Action != Beside {
		t.Fatalf("%+v", got)
	}
	second := read(t, dir, got.File)
	for _, want := range []string{"func TestS1_2(", "programS1_2 = ", "scenario S1 TestS1_2\n"} {
		if !strings.Contains(second, want) {
			t.Errorf("no %q in\n%s", want, second)
		}
	}
	for _, policy := range []OnConflict{New, Ask} {
		c.OnConflict, c.In = policy, failing{t}
		got = place(t, c)[0]
		if got.File != "kv/kv_s1_2_test.go" || got.Func != "TestS1_2" || got.Action != Unchanged {
			t.Errorf("again, %s: %+v", policy, got)
		}
	}
	write(t, dir, got.File, second+"// edited\n")
	c.OnConflict = New
	if got = place(t, c)[0]; got.File != "kv/kv_s1_3_test.go" || got.Func != "TestS1_3" {
		t.Errorf("a third: %+v", got)
	}
}

// failing is what nobody may read from.
type failing struct{ t *testing.T }

func (f failing) Read([]byte) (int, error) {
	f.t.Error("a question was asked")
	return 0, io.EOF
}

// Beside a file that is no skeleton, names are those of the plan.
func TestNewBesideForeign(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, target1, byHand)
	c := Config{Plan: only(kvPlan(), "S1"), Dir: dir, OnConflict: New}
	for _, want := range []Action{Beside, Unchanged} {
		if got := place(t, c)[0]; got.File != "kv/kv_s1_2_test.go" || got.Func != "TestS1" || got.Action != want {
			t.Errorf("got %+v, want %s", got, want)
		}
	}
}

func TestUnchanged(t *testing.T) {
	dir := t.TempDir()
	c := Config{Plan: kvPlan(), File: filepath.Join(dir, "kv.md"), Dir: dir, In: failing{t}}
	place(t, c)
	before := folder(t, dir)
	info, err := os.Stat(filepath.Join(dir, target1))
	if err != nil {
		t.Fatal(err)
	}
	for _, policy := range []OnConflict{Ask, Skip, Overwrite, New} {
		c.OnConflict = policy
		for _, w := range place(t, c) {
			if w.Action != Unchanged && w.Scenario != "S5/script" {
				t.Errorf("%s: %+v", policy, w)
			}
		}
		after, err := os.Stat(filepath.Join(dir, target1))
		if err != nil || !os.SameFile(info, after) || folder(t, dir) != before {
			t.Errorf("%s: files were written", policy)
		}
	}
}

// A plan that has changed elsewhere, or lies elsewhere, leaves a test alone.
func TestUnchangedBody(t *testing.T) {
	dir := t.TempDir()
	c, generated := oneTest(t, dir)
	c.Plan, c.File, c.OnConflict, c.In = only(kvPlan(), "S1", "S2"), filepath.Join(dir, "plans", "kv.md"), Overwrite, failing{t}
	if got := place(t, c)[0]; got.Action != Unchanged || got.Diff != "" || read(t, dir, target1) != generated {
		t.Errorf("%+v", got)
	}
	c.Plan.Scenarios[0].Workload += ", each of its own"
	if got := place(t, c)[0]; got.Action != Overwritten || !strings.Contains(got.Diff, "+\t// Workload: 3 clients call get and put on 3 keys, each of its own\n") {
		t.Errorf("%+v", got)
	}
}

// The plan is told what its target has to be, unless it is that.
func TestBind(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		for i, w := range place(t, Config{Plan: kvPlan(), Dir: dir}) {
			want := []string{"", "kv/kv_s2_test.go#TestAcknowledgedWritesSurvive", "kv/kv_s1_test.go#TestTheQueueKeepsItsOrder", "", "tenants/fair_test.go#TestTenantsAreApartFair", ""}[i]
			if w.Bind != want {
				t.Errorf("%s: got %q, want %q", w.Scenario, w.Bind, want)
			}
		}
	}
}

func TestHeader(t *testing.T) {
	h := header{plan: "p.md", hash: "h", tests: []string{"S1 TestS1", "S2 TestS2"}, body: hashOf("package p\n\nvar x int\n")}
	text := h.text() + "package p\n\nvar x int\n"
	for _, c := range []struct {
		name, text     string
		marked, edited bool
	}{
		{"as it was written", text, true, false},
		{"edited", text + "\n", true, true},
		{"edited in its first lines", strings.Replace(text, "package p", "package q", 1), true, true},
		{"without its hash", strings.Replace(text, "body", "boby", 1), true, true},
		{"the marker alone", Marker + "\n", true, true},
		{"of a checkout with carriage returns", strings.ReplaceAll(text, "\n", "\r\n"), true, true},
		{"a comment before it", "\n" + text, false, false},
		{"a marker that goes on", strings.Replace(text, Marker, Marker+"!", 1), false, false},
		{"generated by another tool", "// Code generated by stringer; DO NOT EDIT.\n" + text, false, false},
		{"nothing", "", false, false},
	} {
		if got := marked(c.text); got != c.marked {
			t.Errorf("%s: marked %v, want %v", c.name, got, c.marked)
		}
		if got := edited(c.text); c.marked && got != c.edited {
			t.Errorf("%s: edited %v, want %v", c.name, got, c.edited)
		}
	}
}
