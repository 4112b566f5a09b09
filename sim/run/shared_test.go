package run

import "testing"

func TestSymbolsUnderTest(t *testing.T) {
	modules := []string{"example.com/kv", "gopkg.in/yaml.v3", "github.com/orrery-sim/orrery"}
	for symbol, want := range map[string]string{
		"example.com/kv.cache":                        "example.com/kv cache",
		"example.com/kv/store._hidden":                "example.com/kv/store _hidden",
		"gopkg.in/yaml%2ev3.tags":                     "gopkg.in/yaml.v3 tags",
		"example.com/kv..stmp_1":                      "",
		"example.com/kv.init.0.func1":                 "",
		"example.com/kvx.cache":                       "",
		"net/http.DefaultClient":                      "",
		"runtime.allgs":                               "",
		"type:*example.com/kv.T":                      "",
		"github.com/orrery-sim/orrery/sim.programs":   "",
		"github.com/orrery-sim/orrery/scenarios/kv.x": "github.com/orrery-sim/orrery/scenarios/kv x",
	} {
		got := ""
		if pkg, name, ok := splitSymbol(symbol); ok && isUnderTest(pkg, "example.com/kv", modules) {
			got = pkg + " " + name
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", symbol, got, want)
		}
	}
}
