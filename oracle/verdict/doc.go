// Package verdict decides what a scenario of a test plan came to, from what was
// measured. It is data in, data out: it knows no world, no plan file, and reads and
// writes nothing.
//
//	d := verdict.Decide(evidence)              // of one arm, or of a scenario without arms
//	d = verdict.Combine("S5", arms)            // of a scenario from its arms
//	s := verdict.Session(decisions)            // of all scenarios
//	exit := verdict.ExitStatus(s, verdict.Sim) // of the command
//
// Nothing passes by omission: in [Evidence] the zero value of every field is the one
// that proves nothing. A landing that is not told has not been proven, errors that nobody
// counted may have been swallowed, a checker that is not in a cycle's list did not run.
//
// docs/verdicts.md has the tables: verdicts, order of decision, caps, audits.
package verdict
