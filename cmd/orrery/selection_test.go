package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
)

func TestCheckParams(t *testing.T) {
	sc := run.Scenario{Name: "TestKV", Params: map[string][]string{"bug": {"none", "stale read"}, "nodes": {"3", "5"}}}
	for _, c := range []struct {
		params map[string]string
		want   []string // parts of the error; none: it is allowed
	}{
		{nil, nil},
		{map[string]string{"bug": "stale read", "nodes": "5"}, nil},
		{map[string]string{"x": "1"}, []string{"--set x: scenario TestKV has no such parameter: want one of bug, nodes"}},
		{map[string]string{"bug": ""}, []string{`--set bug='': scenario TestKV does not allow "": want one of "none", "stale read"`}},
		{map[string]string{"y": "", "nodes": "4"}, []string{"--set nodes=4: ", "--set y: "}},
	} {
		err := checkParams(sc, c.params)
		if (err == nil) != (c.want == nil) {
			t.Errorf("%v: error %v, want one: %v", c.params, err, c.want != nil)
			continue
		}
		var coded *exitError
		if err != nil && (!errors.As(err, &coded) || coded.code != exitUsage) {
			t.Errorf("%v: %v has no code %d", c.params, err, exitUsage)
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v: error %q, want %q in it", c.params, err, part)
			}
		}
	}
	if err := checkParams(run.Scenario{Name: "TestKV"}, map[string]string{"x": "1"}); err == nil || !strings.Contains(err.Error(), "has no parameters: leave it out") {
		t.Errorf("a scenario without parameters: error %v", err)
	}
}
