package author

import (
	"strconv"
	"strings"
)

// workloads writes the clients: those whose calls the model judges, those that try a
// boundary, and those of groups.
func (b *body) workloads() {
	if b.has(kindLinear) || b.has(kindNone) || !b.has(kindBoundary) && !b.has(kindFair) {
		b.calls()
	}
	if b.has(kindBoundary) {
		b.controls()
	}
	if b.has(kindFair) {
		b.groups()
	}
}

// clients begins clients that range over operations, with calls recorded in a history.
func (b *body) clients(history, prefix, count string) {
	b.line("")
	b.line("%s := %s.NewHistory(w)", history, b.use(oraclePath))
	b.line("for _, c := range w.Clients(%q, %s) {", prefix, count)
	b.line("c.Run(func() {")
	b.line("for op := range c.Ops(%s.Millisecond, 300*%s.Millisecond) {", b.use("time"), b.use("time"))
}

// answered ends what clients began: the call is made, and its end recorded.
func (b *body) answered(history, call, what string) {
	b.line("p := %s.Invoke(%s)", history, call)
	b.todo(b.id, what)
	b.line("answer, err := %q, %s.New(%s)", "", b.use("errors"), strconv.Quote(b.id+isSkeleton+"no call is made"))
	b.line("if err != nil {")
	b.line("p.Unknown(err) // p.Fail(err) if it is certain that the call took no effect")
	b.line("continue\n}")
	b.line("p.OK(answer)")
	b.line("}\n})\n}")
}

// calls writes those that the model judges.
func (b *body) calls() {
	b.clients("h", "c", "3")
	m := b.model
	pick := "op.Intn(len(calls))"
	switch {
	case m.name == "":
		b.todo(b.id, "the calls of the plan's workload.")
		b.line("calls := []%s.Call{{Type: %q}}", b.use(oraclePath), "call")
	default:
		var list []string
		for _, c := range m.calls {
			text := "{Type: " + strconv.Quote(c.kind)
			if c.input != "" {
				text += ", Input: " + b.input(c)
			}
			list = append(list, text+"}")
		}
		b.line("calls := []%s.Call{%s}", b.use(oraclePath), strings.Join(list, ", "))
		if m.order == turns {
			pick = "op.Index%len(calls)"
		}
	}
	b.line("call := calls[%s]", pick)
	b.line("call.Process = c.Name()")
	if m.keyed == byKey {
		b.line("call.Key = %s.Sprintf(%q, op.Intn(3))", b.use("fmt"), "k%d")
	}
	b.answered("h", "call", "make the call.")
}

// controls writes calls that try a boundary.
func (b *body) controls() {
	for _, u := range b.test.units {
		if u.has(kindBoundary) {
			b.line("")
			b.matrix(u, controlFields...)
			break
		}
	}
	b.clients("controls", "tenant", "2")
	oracle := b.use(oraclePath)
	b.line("kinds := []%s.ControlKind{%s.ControlPlant, %s.ControlOwn, %s.ControlForeign, %s.ControlMissing}", oracle, oracle, oracle, oracle, oracle)
	surfaces := b.surfaces()
	if len(surfaces) == 0 {
		surfaces = []string{"api"}
		b.todo(b.id, "the surfaces: the plan names none.")
	}
	b.line("surfaces := %s", quoted(surfaces))
	b.todo(b.id, "the object that each kind of control asks for, whose it is, and its marks.")
	b.line("control := %s.Control{", oracle)
	b.line("Kind: kinds[op.Intn(len(kinds))], Surface: surfaces[op.Intn(len(surfaces))], Operation: %q,", "get")
	b.line("Tenant: c.Name(), Object: %q, Marks: []string{c.Name() + %q},\n}", "o1", "-mark")
	b.answered("controls", "control.Call(c.Name())", "make the call: a denial is an answer too.")
}

// groups writes calls that are counted by groups.
func (b *body) groups() {
	for _, u := range b.test.units {
		if u.has(kindFair) {
			b.line("")
			b.matrix(u, loadFields...)
			break
		}
	}
	b.clients("served", "group", "3")
	b.todo(b.id, "the group's load, and the neighbour that takes more than its share.")
	b.line("group, kind := c.Name(), %q", "call")
	b.line("_ = op // draws what the call is about")
	b.answered("served", b.use(oraclePath)+".Call{Process: c.Name(), Type: kind, Key: group}", "make the call.")
}

// input is a call's input in Go.
func (b *body) input(c call) string {
	if rest, ok := strings.CutPrefix(c.input, "fmt."); ok {
		return b.use("fmt") + "." + rest
	}
	return c.input
}
