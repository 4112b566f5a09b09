// Package capability says whether a machine has what a test plan needs: container
// runtimes, toolchains, backends, means to inject faults, features of the kernel,
// tools to observe with. Each is probed by a quick check that changes nothing, and
// comes with how to install it.
//
// A plan's needs are matched to probes by name (ParseNeed, Catalogue.Match), examined
// beside what the user answered (Catalogue.Examine), and shown as a table. What a user
// says and what a probe finds are both kept: neither overwrites the other.
package capability
