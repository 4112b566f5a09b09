// Package author writes skeletons of a plan's tests: for each scenario a test in
// its target file and nowhere else, with the faults, the oracle and the calls that
// the plan names where the engine has them, and a TODO where it has not. A skeleton
// compiles, and fails until it is completed.
//
// A file that was written by it begins with [Marker]. One that does not is never
// overwritten. Files are not of the kind that Go's tools call generated, and do not
// say so: they are there to be edited.
package author
