package plan

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// tricky are words that mean something in Markdown or in YAML.
var tricky = []string{"a", "C1", "x|y", `\|`, `end\`, "`code`", "key: value", "k:", "\"q\"", "'s'", "é", "100%", "*star*", "{b}", "[c]", "&x", "!t",
	"@", "yes", "no", "1.5", "2026-01-01", "x # y", "(z)", "a, b", "a; b", "<b>", "0x1F", "-", "=", "?x", "%TAG", "…"}

func drawText(t *rapid.T, label string, linesMost int) string {
	lines := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(tricky), 0, 4).Draw(t, "words"), " ")
	}), 1, linesMost).Draw(t, label)
	text := tidy(strings.Join(lines, "\n"))
	if silent(text) || text[0] == '-' {
		return "plain " + label
	}
	return text
}

func drawWord(t *rapid.T, label string) string {
	return rapid.StringMatching(`[A-Za-z][A-Za-z0-9_.-]{0,5}`).Filter(func(s string) bool { return !silent(s) }).Draw(t, label)
}

// drawValue draws what a field can hold. Lists of the same type are written
// otherwise in a cell and in a section of their own: f says which.
func drawValue(t *rapid.T, v reflect.Value, f field, oneLine bool) {
	switch x := v.Addr().Interface().(type) {
	case *Budget:
		x.Smoke, x.Hardening = drawTier(t), drawTier(t)
		if rapid.Bool().Draw(t, "release") {
			x.Release = drawTier(t)
			return
		}
		x.NoRelease = NoRelease{drawWord(t, "why") + " it is", drawWord(t, "when")}
	case *Named:
		*x = Named{Name: drawWord(t, "name")}
		if rapid.Bool().Draw(t, "detail") {
			x.Detail = "(a, b; c) " + drawWord(t, "detail")
		}
	case *Param:
		*x = Param{drawWord(t, "name"), drawWord(t, "value")}
	case *Config:
		*x = Config{drawWord(t, "name") + f.name, []Param{{drawWord(t, "name"), "1"}}}
	case *Target:
		*x = rapid.SampledFrom([]Target{{File: "a_test.go", Func: "TestA"}, {File: "a_test.go"}, {None: "a, b"}}).Draw(t, "target")
	default:
		drawPlain(t, v, f, oneLine)
	}
}

func drawPlain(t *rapid.T, v reflect.Value, f field, oneLine bool) {
	switch formOf(structOf(v.Type())) {
	case formWord:
		v.SetString(rapid.SampledFrom(v.Interface().(worded).words()).Draw(t, f.name))
	case formText:
		switch {
		case f.id != "" || f.name == "name":
			v.SetString(drawWord(t, f.name))
		case oneLine:
			v.SetString(drawText(t, f.name, 1))
		default:
			v.SetString(drawText(t, f.name, 3))
		}
	case formList:
		drawList(t, v, f)
	case formFields:
		if v.Kind() == reflect.Pointer {
			if !rapid.Bool().Draw(t, f.name) {
				return
			}
			v.Set(reflect.New(v.Type().Elem()))
			v = v.Elem()
		}
		for _, g := range fieldsOf(v.Type()) {
			if g.presence == required || v.Field(g.index).Kind() == reflect.Pointer || rapid.Bool().Draw(t, g.name) {
				drawValue(t, v.Field(g.index), g, false)
			}
		}
	}
}

func drawList(t *rapid.T, v reflect.Value, f field) {
	items, none := itemsOf(v)
	n := rapid.IntRange(0, 2).Draw(t, f.name)
	if n == 0 && none != nil {
		*none = "because, " + drawWord(t, "none")
		return
	}
	for range n {
		item := reflect.New(items.Type().Elem()).Elem()
		if f.sep != "" && item.Kind() == reflect.String {
			item.SetString(drawWord(t, f.name))
		} else {
			drawValue(t, item, f, true)
		}
		items.Set(reflect.Append(items, item))
	}
	if configs, ok := items.Interface().([]Config); ok && n == 2 && configs[0].Name == configs[1].Name {
		configs[1].Name += "2"
	}
	if arms, ok := items.Interface().([]Arm); ok {
		for i := range arms {
			arms[i].ID = "S1/" + arms[i].ID
		}
	}
}

func drawTier(t *rapid.T) Tier {
	n := rapid.IntRange(0, 1000)
	return Tier{1 + n.Draw(t, "configurations"), time.Duration(n.Draw(t, "duration")) * 30 * time.Second, n.Draw(t, "faults"), n.Draw(t, "seeds")}
}

func drawPlan(t *rapid.T) *Plan {
	p := &Plan{}
	drawPlain(t, reflect.ValueOf(p).Elem(), field{}, false)
	return p
}

// A plan of any content is read as it was written, in both forms.
func TestWriteReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		for _, form := range []struct {
			file  string
			write func() ([]byte, error)
		}{{"p.md", p.Markdown}, {"p.yaml", p.YAML}} {
			text, err := form.write()
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			back, problems := Read(form.file, text)
			if len(problems) > 0 || !Same(p, back) {
				t.Fatalf("%v\n%s", problems, text)
			}
		}
	})
}

// A text that would mean something else is refused, not written.
func TestWriteRefuses(t *testing.T) {
	for _, text := range []string{"a\n# b", "a <br> b\n\n<!-- c -->", "a\n<!-- c -->\nb"} {
		p := loadExample(t)
		p.Scope = text
		if out, err := p.Markdown(); err == nil {
			t.Errorf("%q was written:\n%s", text, out)
		}
	}
	p := loadExample(t)
	p.Scenarios[0].Workload = "a <br> b"
	if _, err := p.Markdown(); err == nil {
		t.Error("<br> was written in a cell")
	}
	if _, err := p.YAML(); err != nil {
		t.Errorf("YAML has a form for <br>: %v", err)
	}
}
