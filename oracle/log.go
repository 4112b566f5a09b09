package oracle

import "strconv"

// Log is a list that only grows, for every key:
//
//	append v  adds v at the end; every answer is right
//	offer v   adds v at the end and answers its index, from 0
//	at i      answers the value of an index, "" if there is none
//	read      answers all values, as Values writes them
//	len       answers how many there are
func Log() Model {
	return Model{
		Name:  "log",
		Types: []string{"append", "offer", "at", "read", "len"},
		Apply: applyLog,
		Moot:  func(op *Op, _ []*Op) bool { return op.Type != "append" && op.Type != "offer" },
	}
}

// The state is a run of items, see item.
func applyLog(state string, op *Op) (string, Answer) {
	switch op.Type {
	case "append":
		return state + item(op.Input), Any
	case "offer":
		return state + item(op.Input), Exactly(strconv.Itoa(len(items(state))))
	case "at":
		vs := items(state)
		if i, err := strconv.Atoi(op.Input); err == nil && i >= 0 && i < len(vs) {
			return state, Exactly(vs[i])
		}
		return state, Exactly("")
	case "len":
		return state, Exactly(strconv.Itoa(len(items(state))))
	}
	return state, Exactly(Values(items(state)...))
}
