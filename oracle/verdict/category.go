package verdict

// Category is what kind of promise a claim is.
type Category string

// The categories of claims.
const (
	Safety         Category = "safety"
	Liveness       Category = "liveness"
	Durability     Category = "durability"
	PerformanceSLO Category = "performance-SLO"
	Operational    Category = "operational"
	Idempotency    Category = "idempotency"
	Isolation      Category = "isolation"
	Ordering       Category = "ordering"
	Membership     Category = "membership"
	Boundary       Category = "boundary"
	Fairness       Category = "fairness"
)

// Categories are all of them.
var Categories = []Category{
	Safety, Liveness, Durability, PerformanceSLO, Operational, Idempotency, Isolation, Ordering, Membership, Boundary, Fairness,
}

// Grave reports whether a broken claim of this category loses or corrupts something:
// safety, durability, isolation, ordering, idempotency, membership.
func (c Category) Grave() bool {
	switch c {
	case Safety, Durability, Isolation, Ordering, Idempotency, Membership:
		return true
	}
	return false
}
