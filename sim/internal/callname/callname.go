// Package callname names Linux's system calls.
package callname

import "fmt"

//go:generate go run gen.go

// Of returns the name of a system call on this architecture, as in "openat", or
// its number for one without a name.
func Of(nr uintptr) string {
	if name, ok := names[nr]; ok {
		return name
	}
	return fmt.Sprintf("call %d", nr)
}
