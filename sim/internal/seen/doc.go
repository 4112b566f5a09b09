// Package seen holds a scenario that has some of everything that a run shows of
// itself, and tests of what is seen of it: its state at a moment, and its
// execution trace.
package seen
