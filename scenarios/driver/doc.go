// Package driver runs a driver: a program of the system under test's own that makes a
// workload, injects faults, and leaves a history and the evidence that the faults
// landed. docs/drivers.md is the contract, of which this is version 1.
//
// A driver is started with three variables, writes two files into its session's folder, and ends
// with one of three exit codes. Whatever it does otherwise is an error of the run, and
// never a pass.
package driver
