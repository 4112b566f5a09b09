package oracle

import "strconv"

// Counter is a whole number for every key, 0 at first:
//
//	add n   adds n, which may be negative; every answer is right
//	incr n  adds n and answers the sum; no input is 1
//	get     answers the number ("read")
//
// An input that is no number adds 0.
func Counter() Model {
	return Model{
		Name:  "counter",
		Init:  "0",
		Types: []string{"add", "incr", "get", "read"},
		Apply: applyCounter,
		Moot:  func(op *Op, _ []*Op) bool { return op.Type == "get" || op.Type == "read" },
	}
}

func applyCounter(state string, op *Op) (string, Answer) {
	if op.Type == "get" || op.Type == "read" {
		return state, Exactly(state)
	}
	sum, by := number(state), number(op.Input)
	if op.Type == "incr" && op.Input == "" {
		by = 1
	}
	next := strconv.FormatInt(sum+by, 10)
	if op.Type == "incr" {
		return next, Exactly(next)
	}
	return next, Any
}

func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
