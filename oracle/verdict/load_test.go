package verdict

import "testing"

// Spans that only touch have no moment in common.
func TestDuring(t *testing.T) {
	window := Span{10, 5}
	for _, c := range []struct {
		span Span
		want bool
	}{
		{Span{0, 10}, false}, {Span{0, 11}, true}, {Span{12, 1}, true}, {Span{14, 9}, true}, {Span{15, 9}, false},
		{Span{9, 0}, false}, {Span{10, 0}, true}, {Span{14, 0}, true}, {Span{15, 0}, false},
	} {
		if got := c.span.during(window); got != c.want {
			t.Errorf("%v during %v: found %v", c.span, window, got)
		}
	}
}
