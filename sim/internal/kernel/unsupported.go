package kernel

import "sort"

// UnsupportedCall is a system call that programs made and that there is not.
type UnsupportedCall struct {
	Nr    uintptr
	Count int
}

type unsupportedCalls struct{ byNr map[uintptr]int }

func (u *unsupportedCalls) count(nr uintptr) {
	if u.byNr == nil {
		u.byNr = map[uintptr]int{}
	}
	u.byNr[nr]++
}

// Unsupported returns what was answered with ENOSYS, by number.
func (k *Kernel) Unsupported() []UnsupportedCall {
	var out []UnsupportedCall
	for nr, n := range k.unsupported.byNr {
		out = append(out, UnsupportedCall{nr, n})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Nr < out[j].Nr })
	return out
}
