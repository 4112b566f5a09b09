package plan

// Mode is how much of a system a plan is about.
type Mode string

// Category is the kind of a claim.
type Category string

// Basis says whether a claim was found written down.
type Basis string

// Covered says how well a hypothesis is covered.
type Covered string

// Gap says what coverage lacks.
type Gap string

// ModelKind is what a system looks like to a checker.
type ModelKind string

// The modes of a plan.
const (
	ChangeScoped Mode = "change-scoped"
	ProjectWide  Mode = "project-wide"
)

// The categories of claims.
const (
	Safety      Category = "safety"
	Liveness    Category = "liveness"
	Durability  Category = "durability"
	Performance Category = "performance-slo"
	Operational Category = "operational"
	Idempotency Category = "idempotency"
	Isolation   Category = "isolation"
	Ordering    Category = "ordering"
	Membership  Category = "membership"
	Boundary    Category = "boundary"
	Fairness    Category = "fairness"
)

// Where a claim comes from.
const (
	Stated   Basis = "stated"
	Inferred Basis = "inferred"
)

// How well a hypothesis is covered.
const (
	CoveredFully Covered = "covered"
	CoveredPart  Covered = "partial"
	CoveredNot   Covered = "not"
)

// What coverage lacks.
const (
	GapNone    Gap = "none"
	GapShallow Gap = "shallow"
	GapOracle  Gap = "oracle-too-weak"
	GapFault   Gap = "no-fault-variant"
	GapScale   Gap = "no-scale-variant"
)

// What a system looks like to a checker.
const (
	Register        ModelKind = "register"
	Map             ModelKind = "map"
	Queue           ModelKind = "queue"
	Log             ModelKind = "log"
	Lock            ModelKind = "lock"
	Lease           ModelKind = "lease"
	Session         ModelKind = "session"
	MembershipTable ModelKind = "membership-table"
	Counter         ModelKind = "counter"
	Ledger          ModelKind = "ledger"
)

func (Mode) words() []string { return words(ChangeScoped, ProjectWide) }

func (Category) words() []string {
	return words(Safety, Liveness, Durability, Performance, Operational, Idempotency,
		Isolation, Ordering, Membership, Boundary, Fairness)
}

func (Basis) words() []string { return words(Stated, Inferred) }

func (Covered) words() []string { return words(CoveredFully, CoveredPart, CoveredNot) }

func (Gap) words() []string {
	return words(GapNone, GapShallow, GapOracle, GapFault, GapScale)
}

func (ModelKind) words() []string {
	return words(Register, Map, Queue, Log, Lock, Lease, Session, MembershipTable, Counter, Ledger)
}

func words[T ~string](all ...T) []string {
	var out []string
	for _, w := range all {
		out = append(out, string(w))
	}
	return out
}

// NeedsModel says whether scenarios about such claims must say what their checker
// knows.
func (c Category) NeedsModel() bool {
	switch c {
	case Safety, Durability, Idempotency, Isolation, Ordering, Membership:
		return true
	}
	return false
}

// NeedsMatrix says whether scenarios about such claims must have a matrix.
func (c Category) NeedsMatrix() bool { return c == Boundary || c == Fairness }
