// Package cgo calls C.
package cgo

// int one(void) { return 1; }
import "C"

// One is C's.
func One() int { return int(C.one()) }
