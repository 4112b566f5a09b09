// Package futures holds a scenario that runs part in, and tests that a run goes
// on from a branch as it would have gone on without.
package futures
