package verdict

import (
	"fmt"
	"slices"
)

// item is an audit item with the question that answers it.
type item struct {
	name string
	ask  func(*Evidence) (Answer, string)
}

func answer(e *Evidence, items []item) []AuditItem {
	out := make([]AuditItem, len(items))
	for i, it := range items {
		out[i].Name = it.name
		out[i].Answer, out[i].Text = it.ask(e)
	}
	return out
}

func ok(format string, args ...any) (Answer, string) { return ItemOK, fmt.Sprintf(format, args...) }

func open(format string, args ...any) (Answer, string) { return ItemOpen, fmt.Sprintf(format, args...) }

// okUnless is ok with the text, or open with what is wrong, if anything is.
func okUnless(wrong []string, format string, args ...any) (Answer, string) {
	if len(wrong) > 0 {
		return open("%s", listed(wrong))
	}
	return ok(format, args...)
}

const noCycle = "no cycle ended with a result"

// inEachCycle asks each cycle that ended with a result what is wrong with it; "" is nothing.
func inEachCycle(wrong func(Cycle) string, format string, args ...any) func(*Evidence) (Answer, string) {
	return func(e *Evidence) (Answer, string) {
		ended := e.ended()
		if len(ended) == 0 {
			return open(noCycle)
		}
		var found []string
		for _, c := range ended {
			if text := wrong(c); text != "" {
				found = append(found, c.name()+": "+text)
			}
		}
		return okUnless(found, "%s in each of %s", fmt.Sprintf(format, args...), counted(len(ended), "cycle"))
	}
}

// distinct are the different texts that the cycles with a result tell, in order; "" is none.
func (e *Evidence) distinct(tell func(Cycle) []string) (out []string) {
	for _, c := range e.ended() {
		for _, text := range tell(c) {
			if text != "" {
				out = append(out, text)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (e *Evidence) claims(c Category) bool { return slices.Contains(e.Claims, c) }

// exempt is the plan's reason why an item does not apply, "" if it gives none.
func (e *Evidence) exempt(name string) string {
	for _, x := range e.Exempt {
		if x.Item == name {
			return x.Reason
		}
	}
	return ""
}
