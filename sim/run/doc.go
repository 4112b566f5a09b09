// Package run makes runs of scenarios, from outside: it builds tests with the
// patched toolchain, drives the workers that run their worlds, sweeps seeds,
// repeats failures in fresh processes, and finds where two runs of one seed
// differ.
//
// Nothing here is inside a world. The wall clock is used for the watchdog and for
// rates, never for what a run does.
package run

// Engine is the version of the engine. A run's identity names it.
const Engine = "0.1.0"
