package oracle

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/anishathalye/porcupine"
)

// Picture writes porcupine's picture of one object's history, a page of HTML with
// nothing outside it: how far each attempt at an order came and where it stuck.
// An outcome's Key says which object is worth it; a model of Whole scope has one,
// of key "". Of a wrong history it draws the shortest prefix that is wrong. The
// page of one history is one, byte for byte.
func Picture(w io.Writer, h *History, m Model, key string) error {
	c := &linearCheck{h, m, Limits{}.withDefaults()}
	objects, err := objectsOf(h.Ops(), &m)
	if err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	i := slices.IndexFunc(objects, func(o object) bool { return o.key == key })
	if i < 0 || len(objects[i].ops) == 0 {
		return fmt.Errorf("picture: key %s has no calls, want one that has: take it from the outcome", show(key))
	}
	parts := prefix(objects[i].ops, 0)
	switch c.search(parts, c.limits.Search).run() {
	case undecided:
		return fmt.Errorf("picture: key %s was not decided within %d steps, want a history that is: cut it", show(key), c.limits.Search)
	case notLinearizable:
		parts = prefix(objects[i].ops, c.shortestPrefix(&evidence{object: objects[i]}))
	}
	return c.draw(w, parts)
}

func (c *linearCheck) draw(w io.Writer, parts []*part) error {
	s := c.search(parts, 2*c.limits.Search)
	model := c.describe(s)
	events := s.events()
	clients := clientsOf(s.parts)
	for i := range events {
		p := events[i].Value.(*part)
		events[i].ClientId = clients[p.was.Process]
		events[i].Metadata = p
	}
	_, info := porcupine.CheckEventsVerbose(model, events, 0)
	if s.over {
		return fmt.Errorf("picture: not drawn within %d steps, want a smaller history: cut it", s.budget)
	}
	// They come in the order of a map.
	for _, partials := range info.PartialLinearizations() {
		slices.SortFunc(partials, func(a, b []int) int {
			return cmp.Or(cmp.Compare(len(b), len(a)), slices.Compare(a, b))
		})
	}
	s.budget = 1 << 40 // drawing replays orders that were found
	return porcupine.Visualize(model, info, w)
}

// describe adds the words of a picture to the model.
func (c *linearCheck) describe(s *search) porcupine.Model {
	model := s.porcupine()
	model.DescribeOperation = func(input, _ any) string {
		p := input.(*part)
		return c.answered(&p.was)
	}
	model.DescribeState = func(state any) string { return show(state.(states)[0]) }
	model.DescribeOperationMetadata = func(metadata any) string {
		o := &metadata.(*part).was
		end := "..."
		if o.End > 0 {
			end = c.h.moment(o.Complete, 9)
		}
		return fmt.Sprintf("%s %s - %s %s", o.Process, c.h.moment(o.Invoke, 9), end, o.Node)
	}
	return model
}

// clientsOf numbers the processes in order of their first calls.
func clientsOf(parts []*part) map[string]int {
	clients := map[string]int{}
	for _, p := range parts {
		if _, ok := clients[p.was.Process]; !ok {
			clients[p.was.Process] = len(clients)
		}
	}
	return clients
}
