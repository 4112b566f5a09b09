// Package shrink makes a failing run small: from a plan of faults to the few
// lines of it that the failure needs.
//
// A smaller run counts only if the same failure comes back: the same oracle, and
// a message of the same shape. Budgets are runs, so that the same failure shrinks
// to the same bytes on every machine.
package shrink
