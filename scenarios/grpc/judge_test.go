package grpc

import (
	"errors"
	"testing"

	"github.com/orrery-sim/orrery/sim/outcome"
)

func TestJudgeDo(t *testing.T) {
	lost := errors.New("lost")
	for name, c := range map[string]struct {
		call call
		done []entry
		want outcome.Verdict
	}{
		"acknowledged":               {call{answer: "x b1 4"}, []entry{{"b1", "4"}}, outcome.OK},
		"not acknowledged":           {call{err: lost}, []entry{{"b1", "4"}}, outcome.OK},
		"not executed":               {call{err: lost}, nil, outcome.OK},
		"acknowledged, not executed": {call{answer: "x b1 4"}, nil, outcome.Violation},
		"another answer":             {call{answer: "x b1 5"}, []entry{{"b1", "4"}}, outcome.Violation},
		"another backend":            {call{answer: "x b2 4"}, []entry{{"b1", "4"}}, outcome.Violation},
		"twice":                      {call{err: lost}, []entry{{"b1", "4"}, {"b2", "1"}}, outcome.Violation},
	} {
		c.call.id, c.call.method = "x", methodDo
		if got := judgeDo(&c.call, c.done); got.Verdict != c.want {
			t.Errorf("%s: %s %s, want %s", name, got.Verdict, got.Message, c.want)
		}
	}
}

func TestJudgeStream(t *testing.T) {
	lost := errors.New("lost")
	two := []string{"echoed x 0", "echoed x 1", "collected x 0", "collected x 1"}
	for name, c := range map[string]struct {
		call  call
		lines []string
		want  outcome.Verdict
	}{
		"echo":                   {call{method: methodEcho, want: 2, got: []int{0, 1}}, two, outcome.OK},
		"echo cut short":         {call{method: methodEcho, want: 2, got: []int{0}, err: lost}, two, outcome.OK},
		"echo without an answer": {call{method: methodEcho, want: 2, got: []int{0}}, two, outcome.Violation},
		"echo out of order":      {call{method: methodEcho, want: 2, got: []int{1, 0}, err: lost}, two, outcome.Violation},
		"echo of another call":   {call{method: methodEcho, want: 2, got: []int{0, -1}, err: lost}, two, outcome.Violation},
		"echo with a gap":        {call{method: methodEcho, want: 3, err: lost}, []string{"echoed x 0", "echoed x 2"}, outcome.Violation},
		"collect":                {call{method: methodCollect, want: 2, answer: "collected 2"}, two, outcome.OK},
		"collect, wrong answer":  {call{method: methodCollect, want: 2, answer: "collected 3"}, two, outcome.Violation},
		"collect, one not taken": {call{method: methodCollect, want: 3, answer: "collected 3"}, two, outcome.Violation},
		"collect, not answered":  {call{method: methodCollect, want: 3, err: lost}, two, outcome.OK},
		"list":                   {call{method: methodList, want: 2, got: []int{0, 1}}, nil, outcome.OK},
		"list with one too few":  {call{method: methodList, want: 3, got: []int{0, 1}}, nil, outcome.Violation},
		"list with one twice":    {call{method: methodList, want: 3, got: []int{0, 1, 1}, err: lost}, nil, outcome.Violation},
		"a line without its end": {call{method: methodEcho, want: 3, got: []int{0}, err: lost}, []string{"echoed x 0", "echoed x"}, outcome.OK},
	} {
		c.call.id = "x"
		j := journal{}
		j.read("b1", c.lines)
		if got := judgeStream(&c.call, j); got.Verdict != c.want {
			t.Errorf("%s: %s %s, want %s", name, got.Verdict, got.Message, c.want)
		}
	}
}
