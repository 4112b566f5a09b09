package run

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Memory returns how much memory the worker's own process holds, in bytes; a run is a
// copy of it and has its own. It is 0 while there is no process.
func (w *Worker) Memory() (uint64, error) {
	if w.proc == nil {
		return 0, nil
	}
	name := fmt.Sprintf("/proc/%d/statm", w.proc.cmd.Process.Pid)
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text)) // pages: size, resident, ...
	if len(fields) < 2 {
		return 0, fmt.Errorf("%s: found %q, want at least two numbers", name, text)
	}
	pages, err := strconv.ParseUint(fields[1], 10, 64)
	return pages * uint64(os.Getpagesize()), err
}
