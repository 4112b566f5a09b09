package outcome

// Ops counts calls of clients by how they went.
type Ops struct {
	Invoked int `json:"invoked"`
	OK      int `json:"ok"`
	Failed  int `json:"failed"`  // refused for certain
	Unknown int `json:"unknown"` // no answer: it may have happened
}

// Plus returns the sum of both.
func (n Ops) Plus(m Ops) Ops {
	return Ops{n.Invoked + m.Invoked, n.OK + m.OK, n.Failed + m.Failed, n.Unknown + m.Unknown}
}
