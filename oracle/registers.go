package oracle

import (
	"slices"
	"strings"
)

// Registers is many registers that transactions read and write at once, each
// transaction a call "txn" as Jepsen and Elle write it: its input is a vector of
// [:r key nil] and [:w key value] (or :read and :write), and its answer the same
// with the values that were read.
//
// Initial gives keys and values in turn; a register that it leaves out has no
// value. All keys are one object, so the search is slower than one by keys.
func Registers(initial ...string) Model {
	if len(initial)%2 != 0 {
		initial = append(slices.Clone(initial), "") // the last key has no value
	}
	return Model{
		Name:  "registers",
		Scope: Whole,
		Init:  join(sortedRegisters(initial)),
		Types: []string{"txn"},
		Apply: applyTxn,
		Moot:  func(op *Op, _ []*Op) bool { return !strings.Contains(op.Input, "[:w") },
	}
}

// The state is a run of items, see item: keys and values in turn.
func applyTxn(state string, op *Op) (string, Answer) {
	regs := items(state)
	v, ok := parseOne(op.Input)
	if !ok || v.kind != ednVector {
		return state, Exactly("")
	}
	out := edn{kind: ednVector}
	for _, part := range v.kids {
		if part.kind != ednVector || len(part.kids) != 3 {
			return state, Exactly("")
		}
		f, key, value := part.kids[0], part.kids[1], part.kids[2]
		i := indexOfKey(regs, key.value())
		switch f.text {
		case ":r", ":read":
			value = edn{kind: ednNil, text: "nil"}
			if i >= 0 {
				value = ednOf(regs[i+1])
			}
		case ":w", ":write":
			if i < 0 {
				i = len(regs)
				regs = append(regs, key.value(), "")
			}
			regs[i+1] = value.value()
		default:
			return state, Exactly("")
		}
		out.kids = append(out.kids, edn{kind: ednVector, kids: []edn{f, key, value}})
	}
	return join(sortedRegisters(regs)), Exactly(out.String())
}

func indexOfKey(regs []string, key string) int {
	for i := 0; i < len(regs); i += 2 {
		if regs[i] == key {
			return i
		}
	}
	return -1
}

// sortedRegisters makes equal registers one state.
func sortedRegisters(regs []string) []string {
	pairs := slices.Collect(slices.Chunk(regs, 2))
	slices.SortFunc(pairs, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return slices.Concat(pairs...)
}
