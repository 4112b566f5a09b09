package run

import (
	"bytes"
	"fmt"
	"os"
	"time"
)

// Unwatched, as the step that a run is at, says that it works without steps for a
// while: a check may.
const Unwatched = ^uint64(0)

// watch tells a run that hangs from one that goes on, however slowly: by the steps
// of its schedule. One that computes on a busy machine is given more time.
type watch struct {
	p     *process
	pid   int // of the run
	limit time.Duration

	step uint64 // the last that was seen
	at   time.Time
	cpu  time.Duration // that the run had used then
}

// How many times its limit a run may stand at one step: without having used half
// of it as processor time, or while it is unwatched.
const (
	watchIdle      = 6
	watchUnwatched = 60
)

// pause is how long to wait between two looks.
func (w *watch) pause() time.Duration { return min(max(w.limit/10, 10*time.Millisecond), time.Second) }

// hung looks at the run.
func (w *watch) hung() bool {
	if step := w.p.step(); step != w.step || w.at.IsZero() {
		w.step, w.at, w.cpu = step, time.Now(), cpuTime(w.pid)
		return false
	}
	stood := time.Since(w.at)
	switch {
	case w.step == Unwatched:
		return stood >= watchUnwatched*w.limit
	case stood >= watchIdle*w.limit:
		return true
	}
	return stood >= w.limit && cpuTime(w.pid)-w.cpu >= w.limit/2
}

// cpuTime is the processor time that a process has used, 0 if it is gone.
func cpuTime(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The name, the second field, may hold spaces; times are fields 14 and 15.
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	var ticks int64
	for _, f := range fields[11:13] {
		var n int64
		fmt.Sscan(string(f), &n)
		ticks += n
	}
	const tick = time.Second / 100 // USER_HZ, as Linux shows it on every processor
	return time.Duration(ticks) * tick
}
