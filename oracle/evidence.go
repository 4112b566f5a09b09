package oracle

import "slices"

// evidence is why one object's history is wrong.
type evidence struct {
	object object
	last   Op      // the call whose answer completes the shortest wrong prefix
	parts  []*part // that prefix: the parts that are neither open nor loose are the evidence
	// wants are the answers that would have been right; alsoRight are those that
	// would have been only because a call without an answer took effect.
	wants, alsoRight []string
	// shortest is set when the prefix is certainly the shortest wrong one.
	shortest bool
	// small is set when no single call of the evidence could be spared.
	small bool
	used  int // steps
}

// probeLimit bounds the steps of one try to spare calls: a try that takes more is
// given up, and costs evidence that is larger, never wrong.
const probeLimit = 20_000

// shorten finds small evidence in the object that was wrong first.
func (c *linearCheck) shorten(broken []object) *evidence {
	e := &evidence{shortest: true}
	end := c.firstWrong(e, broken)
	for i := range e.object.ops {
		if e.object.ops[i].End == end {
			e.last = e.object.ops[i]
		}
	}
	e.parts = prefix(e.object.ops, end)
	c.findWants(e)
	c.spare(e)
	return e
}

// firstWrong sets the object that was wrong first and returns the place where.
func (c *linearCheck) firstWrong(e *evidence, broken []object) (end int) {
	for i, o := range broken {
		if i > 0 {
			j := c.probe(e, prefix(o.ops, end), probeLimit)
			e.shortest = e.shortest && j != undecided
			if j != notLinearizable {
				continue // it was right for longer
			}
		}
		e.object = o
		end = c.shortestPrefix(e)
	}
	return end
}

// shortestPrefix returns the place of the first answer that no order explains.
// Every prefix of a linearizable history is linearizable, so the place can be
// found by halving.
func (c *linearCheck) shortestPrefix(e *evidence) int {
	var ends []int
	for i := range e.object.ops {
		if e.object.ops[i].Status == StatusOK {
			ends = append(ends, e.object.ops[i].End)
		}
	}
	slices.Sort(ends)
	lo, hi := 0, len(ends)-1 // ends[hi] is wrong, and what is before ends[lo] is not
	for lo < hi {
		mid := (lo + hi) / 2
		switch c.probe(e, prefix(e.object.ops, ends[mid]), c.limits.Evidence/4) {
		case notLinearizable:
			hi = mid
			continue
		case undecided:
			e.shortest = false
		}
		lo = mid + 1
	}
	return ends[lo]
}

// probe asks one question on the budget of the evidence.
func (c *linearCheck) probe(e *evidence, parts []*part, limit int) judgment {
	s := c.search(parts, min(limit, c.limits.Evidence-e.used))
	j := s.run()
	e.used += s.used
	return j
}

// findWants finds which answers to the last call would have been right: those
// that the model gives in some state where the call comes, tried one by one. What
// only an open call explains that nobody saw yet is kept apart.
func (c *linearCheck) findWants(e *evidence) {
	i := slices.IndexFunc(e.parts, func(p *part) bool { return p.op.ID == e.last.ID })
	p := e.parts[i]
	known := c.answersTo(e, p, withoutMoot(&c.model, e.parts))
	all := c.answersTo(e, p, e.parts)
	for _, answer := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(known, all)))) {
		p.op.Output = answer
		switch {
		case c.probe(e, e.parts, probeLimit) != linearizable:
		case slices.Contains(known, answer):
			e.wants = append(e.wants, answer)
		default:
			e.alsoRight = append(e.alsoRight, answer)
		}
	}
	p.op.Output = e.last.Output
}

// answersTo returns what the model answers to a call in the states where it comes.
func (c *linearCheck) answersTo(e *evidence, p *part, parts []*part) []string {
	p.probed = true
	s := &search{model: &c.model, parts: parts, budget: min(probeLimit, c.limits.Evidence-e.used)}
	s.run()
	e.used += s.used
	p.probed = false
	return s.answers
}

// spare makes calls loose for as long as the rest is still wrong: halves first,
// then ever smaller runs, then one by one until none can be spared.
func (c *linearCheck) spare(e *evidence) {
	for size := len(e.parts); ; size = max(1, size/2) {
		spared, certain := c.spareRuns(e, size)
		if size == 1 && !spared {
			e.small = certain
			return
		}
	}
}

// spareRuns tries to spare every run of so many calls, the oldest first. It is
// certain when every try was decided.
func (c *linearCheck) spareRuns(e *evidence, size int) (spared, certain bool) {
	var firm []*part
	for _, p := range e.parts {
		if !p.open && !p.loose && p.op.ID != e.last.ID {
			firm = append(firm, p)
		}
	}
	certain = true
	for run := range slices.Chunk(firm, size) {
		for _, p := range run {
			p.setLoose()
		}
		switch c.probe(e, e.parts, probeLimit) {
		case notLinearizable:
			spared = true
			continue
		case undecided:
			certain = false
		}
		for _, p := range run {
			p.setFirm()
		}
	}
	return spared, certain
}
