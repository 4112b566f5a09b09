// Package toolbox finds what the repository of a system under test already has for
// its tests: drivers, workload generators, scripts that bring a cluster up, tests and
// scenarios, build targets, compose files, definitions of CI, documents. It reads
// files and runs nothing.
//
// What a file is, is told by its name and its first lines, so that a tool may be
// listed as what it is not; it is shown with the line that calls it, and nothing
// calls it by itself but a driver, which declares that it is one (package driver).
package toolbox
