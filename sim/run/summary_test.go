package run

import "testing"

func TestSignature(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"get(x) = 3, want 4", "get(x) = 31, want 5", true},
		{`key "a b" lost`, `key "c" lost`, true},
		{"key `a` lost", "key `bb` lost", true},
		{"get(x) = 3", "put(x) = 3", false},
		{`it's "unclosed`, `it's "unclosed`, true},
		{`it's "unclosed`, `it's "open`, false},
		{"n1 lost 2 of 3", "n1 lost 2 of x", false},
	} {
		a, b := Signature(Violation{Oracle: "o", Message: c.a}), Signature(Violation{Oracle: "o", Message: c.b})
		if (a == b) != c.same {
			t.Errorf("%q and %q: signatures %q and %q, want the same: %v", c.a, c.b, a, b, c.same)
		}
	}
}
