// Command orrery tests Go programs in a deterministic simulation: it finds the
// scenarios in packages, sweeps seeds over them, replays a failing one, and
// gives out the patched Go toolchain that all of it is built with.
package main

import "os"

func main() { os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr, os.Environ())) }
