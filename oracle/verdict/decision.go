package verdict

// Decision is a verdict and what it stands on.
type Decision struct {
	Name        string      `json:"name"` // of the scenario or arm
	Verdict     Verdict     `json:"verdict"`
	Reasons     []Reason    `json:"reasons"`  // the one that decided first, then caps and notes
	Asked       Tier        `json:"asked"`    // the tier that was to be met
	TierMet     Tier        `json:"tier_met"` // by what was measured; "" is none. A cap does not change it.
	TierMissing []Missing   `json:"tier_missing"`
	Measured    Measured    `json:"measured"`
	Repeated    Repetition  `json:"repeated,omitempty"` // of the anomaly that decided
	Green       []AuditItem `json:"green"`              // how a green result could be broken
	Weak        []AuditItem `json:"weak"`               // what is not enough alone
}

// Reason is one step to a verdict.
type Reason struct {
	Kind ReasonKind `json:"kind"`
	Rule Rule       `json:"rule"`
	// At is the verdict that the rule gave, or the most that it allows; of a note "".
	At   Verdict `json:"at,omitempty"`
	Text string  `json:"text"`
}

// ReasonKind says what a reason does.
type ReasonKind string

// The kinds of reasons.
const (
	Decides ReasonKind = "decides"
	Caps    ReasonKind = "caps" // the verdict is At at most
	Notes   ReasonKind = "notes"
)

// Rule is what a reason goes by.
type Rule string

// The rules, in the order in which they are asked. Of a PASS, the last five are
// caps, and all that apply are told.
const (
	RuleFail       Rule = "an anomaly was seen"
	RuleCapability Rule = "a capability is missing"
	RuleNotRun     Rule = "never reached"
	RuleFault      Rule = "a fault is not proven"
	RuleChecker    Rule = "a checker did not run"
	RuleHistory    Rule = "the history is too weak"
	RulePartial    Rule = "the checker saw a part"
	RuleNoFault    Rule = "no fault was active"
	RulePass       Rule = "a complete history and no anomaly"
	RuleTier       Rule = "the tier that was met"
	RuleSeeds      Rule = "three seeds agree"
	RuleAudit      Rule = "an audit item is open"
	RuleArm        Rule = "an arm"
	RuleSubstitute Rule = "a substitute was used"
)

// Title is the verdict as it is shown: with the tier's name where the release tier was met.
func (d Decision) Title() string {
	if d.Verdict == PassHardening && d.TierMet == Release {
		return string(d.Verdict) + " (release)"
	}
	return string(d.Verdict)
}

// Open are the audit items that are not answered.
func (d Decision) Open() []AuditItem {
	return append(openItems(d.Green), openItems(d.Weak)...)
}

func openItems(items []AuditItem) (out []AuditItem) {
	for _, it := range items {
		if it.Answer == ItemOpen {
			out = append(out, it)
		}
	}
	return out
}
