// Package callname names Linux's system calls.
package callname

import "fmt"

//go:generate go run gen.go

// refusals are what a world refuses that is none of Linux's calls; the patched
// standard library has the same numbers.
var refusals = map[uintptr]string{510: "execution trace", 511: "CPU profile", 512: "heap dump", 513: "crash output"}

// Of returns the name of a system call on this architecture, as in "openat", or
// its number for one without a name.
func Of(nr uintptr) string {
	if name, ok := names[nr]; ok {
		return name
	}
	if name, ok := refusals[nr]; ok {
		return name
	}
	return fmt.Sprintf("call %d", nr)
}
