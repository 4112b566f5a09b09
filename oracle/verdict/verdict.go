package verdict

// Verdict is what a scenario, or an arm of one, came to.
type Verdict string

// The verdicts, from the worst to the best. The order is that of decision, so that of
// two that apply the earlier one counts: see [Verdict.Rank].
const (
	FailReproducible     Verdict = "FAIL-reproducible"             // an anomaly that comes back on the same seed and faults
	FailNondeterministic Verdict = "FAIL-nondeterministic"         // seen, and not reproduced
	NotRun               Verdict = "NOT-RUN"                       // never reached
	InconclusiveEnv      Verdict = "INCONCLUSIVE-env"              // a capability is missing
	InconclusiveFault    Verdict = "INCONCLUSIVE-fault-not-proven" // a scheduled fault's landing is not proven, or ambiguous
	PartialSurface       Verdict = "PARTIAL-surface"               // a declared checker did not run, an arm did not, or no tier was met
	InconclusiveTooWeak  Verdict = "INCONCLUSIVE-oracle-too-weak"  // the history lacks what the checker needs, or it answered unknown
	PartialModel         Verdict = "PARTIAL-model"                 // the checker saw a part of the calls
	PassSmoke            Verdict = "PASS-smoke"                    // a complete history and no anomaly
	PassHardening        Verdict = "PASS-hardening"                // so under faults that landed, on three seeds, every audit item answered
)

// Verdicts are all of them, from the worst to the best.
var Verdicts = []Verdict{
	FailReproducible, FailNondeterministic, NotRun, InconclusiveEnv, InconclusiveFault,
	PartialSurface, InconclusiveTooWeak, PartialModel, PassSmoke, PassHardening,
}

// Rank is the place of v among [Verdicts], from 0 for the worst. What is no verdict
// is worse than all.
func (v Verdict) Rank() int {
	for i, w := range Verdicts {
		if v == w {
			return i
		}
	}
	return -1
}

// Fail reports whether an anomaly was seen.
func (v Verdict) Fail() bool { return v == FailReproducible || v == FailNondeterministic }

// Pass reports whether v is a pass.
func (v Verdict) Pass() bool { return v == PassSmoke || v == PassHardening }

// Inconclusive reports whether v is one of those that conclude nothing.
func (v Verdict) Inconclusive() bool {
	return v == InconclusiveEnv || v == InconclusiveFault || v == InconclusiveTooWeak
}

// Partial reports whether a part of what was declared was checked.
func (v Verdict) Partial() bool { return v == PartialSurface || v == PartialModel }

// worse is the one of two that counts.
func worse(a, b Verdict) Verdict {
	if b.Rank() < a.Rank() {
		return b
	}
	return a
}
