// Package stdsuite runs the standard library's own tests inside worlds: each
// top-level test of a package is the program of a node. make accept-std prints
// what passes; leftout.txt has the reason for each test that cannot.
package stdsuite
