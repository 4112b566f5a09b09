package trace

import "slices"

// annotate passes on what the goroutine that runs said by package runtime/trace.
func (t *goTracer) annotate(e Event) {
	stack := t.stack(e.Stack)
	switch e.Kind {
	case Task:
		if t.tasks[e.B] { // readers refuse a task that begins twice
			return
		}
		t.tasks[e.B] = true
		t.emit(goUserTaskBegin, e.B, e.C, t.w.string(e.Text), stack)
	case TaskEnd:
		delete(t.tasks, e.B)
		t.emit(goUserTaskEnd, e.B, stack)
	case Region:
		t.openRegion(tracedRegion{e.B, t.w.string(e.Text)}, stack)
	case RegionEnd:
		t.endRegion(tracedRegion{e.B, t.w.string(e.Text)}, stack)
	case UserLog:
		if e.C == 0 {
			t.category = e.Text
			return
		}
		t.emit(goUserLog, e.B, t.w.string(t.category), t.w.string(e.Text), stack)
	}
}

func (t *goTracer) openRegion(r tracedRegion, stack uint64) {
	t.cur.regions = append(t.cur.regions, r)
	t.emit(goUserRegionBegin, r.task, r.name, stack)
}

// endRegion ends a region of the goroutine that runs, and those within it that
// were not ended: readers refuse regions that overlap, or that end elsewhere than
// in the goroutine that began them. The goroutine's own stays.
func (t *goTracer) endRegion(r tracedRegion, stack uint64) {
	if i := slices.Index(t.cur.regions, r); i > 0 {
		for len(t.cur.regions) > i {
			t.closeRegion(stack)
		}
	}
}

// closeRegion ends the innermost region.
func (t *goTracer) closeRegion(stack uint64) {
	last := len(t.cur.regions) - 1
	r := t.cur.regions[last]
	t.cur.regions = t.cur.regions[:last]
	t.emit(goUserRegionEnd, r.task, r.name, stack)
}

// message is a log message of what an event says, by the goroutine that runs or
// else the world's own.
func (t *goTracer) message(category string, e Event) {
	text := e.Text
	if e.Kind != Log {
		text = t.names.Say(e)
	}
	if t.cur != nil {
		t.emit(goUserLog, t.cur.task, t.w.string(category), t.w.string(text), t.stack(e.Stack))
		return
	}
	t.run(Event{A: worldPath})
	t.message(category, e)
	t.stop(goBlock, "forever", nil)
}

// worldPath stands for the path of the goroutine that says what the world does:
// no key of a path is 0.
const worldPath = 0
