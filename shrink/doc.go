// Package shrink makes a failing run small: the shortest, with the fewest and
// simplest faults, clients, calls and nodes, whose links and disks take the least
// time, and whose schedule is first in, first out but where the failure needs
// another.
//
// A smaller run counts only if the same failure comes back: the same oracle, and
// a message of the same shape. Budgets are runs, and of candidates that are run at
// one time the first in order counts, so that a failure shrinks to the same bytes
// on every machine.
package shrink
