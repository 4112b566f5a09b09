package oracle

import (
	"strconv"
	"strings"
)

// Queue is a first-in first-out queue for every key:
//
//	enqueue v  adds v at the end; every answer is right ("push")
//	dequeue    takes the first and answers it, "" if there is none ("pop")
//	len        answers how many there are
func Queue() Model {
	return Model{
		Name:  "queue",
		Types: []string{"enqueue", "dequeue", "push", "pop", "len"},
		Apply: applyQueue,
		Moot:  func(op *Op, _ []*Op) bool { return op.Type == "len" },
	}
}

// The state is a run of items, see item.
func applyQueue(state string, op *Op) (string, Answer) {
	switch op.Type {
	case "enqueue", "push":
		return state + item(op.Input), Any
	case "len":
		return state, Exactly(strconv.Itoa(len(items(state))))
	}
	if state == "" {
		return state, Exactly("")
	}
	first, rest := cutItem(state)
	return rest, Exactly(first)
}

// item writes a value so that a run of them can be taken apart: its length, a
// colon and itself.
func item(v string) string { return strconv.Itoa(len(v)) + ":" + v }

// cutItem takes the first item off a run that is not empty.
func cutItem(run string) (v, rest string) {
	size, after, _ := strings.Cut(run, ":")
	n, _ := strconv.Atoi(size)
	return after[:n], after[n:]
}

// items takes a run of them apart.
func items(run string) []string {
	var vs []string
	for run != "" {
		v, rest := cutItem(run)
		vs, run = append(vs, v), rest
	}
	return vs
}
