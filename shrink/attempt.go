package shrink

import (
	"sync"

	"github.com/orrery-sim/orrery/sim/run"
)

// attempt is what came of a request.
type attempt struct {
	fails bool
	out   run.Output // if it fails
}

// tryAll runs those of a batch of which it is not known what comes of them, and
// that the budget allows. It returns what kept each from being run.
func (s *search) tryAll(batch []candidate) (map[key]error, error) {
	todo := s.unknown(batch)
	if len(todo) == 0 {
		return nil, nil
	}
	groups, err := s.grouped(todo)
	if err != nil {
		return nil, err
	}
	errs := map[key]error{}
	tasks := make(chan []sharer)
	var all sync.WaitGroup
	for range s.o.Procs {
		all.Go(func() {
			for group := range tasks {
				if err := s.try(group); err != nil {
					s.mu.Lock()
					for _, h := range group {
						errs[h.key] = err
					}
					s.mu.Unlock()
				}
			}
		})
	}
	for _, group := range groups {
		tasks <- group
	}
	close(tasks)
	all.Wait()
	return errs, nil
}

// unknown returns those of a batch that have to be run.
func (s *search) unknown(batch []candidate) (todo []candidate) {
	left := s.limit - s.runs
	seen := map[key]bool{}
	for _, c := range batch {
		if seen[c.key] {
			continue
		}
		seen[c.key] = true
		if !s.charged[c.key] {
			if left == 0 {
				break
			}
			left--
		}
		if _, ok := s.known[c.key]; ok {
			continue
		}
		if s.o.Journal.passed(c.key) {
			s.known[c.key] = attempt{}
			continue
		}
		todo = append(todo, c)
	}
	return todo
}

// try runs one candidate, or several that share.
func (s *search) try(group []sharer) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if len(group) > 1 {
		defer s.costs(&s.shared, len(group))()
		return s.tryShared(group)
	}
	defer s.costs(&s.alone, 1)()
	out, err := s.made.Run(s.ctx, group[0].req)
	if err != nil {
		return err
	}
	return s.learn(group[0].key, out)
}

// learn keeps what came of a request.
func (s *search) learn(k key, out run.Output) error {
	a := attempt{out.Violation != nil && run.Signature(*out.Violation) == s.want, out}
	if !a.fails {
		a.out = run.Output{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[k] = a
	return s.o.Journal.add(k, a.fails)
}
