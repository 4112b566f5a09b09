package driver

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// pollEvery is how often a group is asked whether it is gone.
const pollEvery = 10 * time.Millisecond

// endGroup asks a process group to end, and kills it after the grace. A stopped
// process goes on first, or it would not see the request. It reports whether there
// was one that ran.
func endGroup(group int, grace time.Duration) bool {
	if !runs(group) {
		return false
	}
	syscall.Kill(-group, syscall.SIGTERM)
	syscall.Kill(-group, syscall.SIGCONT)
	for until := time.Now().Add(grace); time.Now().Before(until); time.Sleep(pollEvery) {
		if !runs(group) {
			return true
		}
	}
	syscall.Kill(-group, syscall.SIGKILL)
	return true
}

// runs reports whether a process group has a process that has not ended. Those that
// have ended stay members until somebody asks for their ends, which the first process
// of a container often never does.
func runs(group int) bool {
	if syscall.Kill(-group, 0) != nil {
		return false
	}
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(files) == 0 {
		return true // no way to tell
	}
	for _, name := range files {
		if stat, err := os.ReadFile(name); err == nil && inGroup(stat, group) {
			return true
		}
	}
	return false
}

// inGroup reports whether a stat file of /proc is of a process of the group that runs.
// After the name, which is in parentheses, come the state, the parent and the group.
func inGroup(stat []byte, group int) bool {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 3 || string(fields[0]) == "Z" || string(fields[0]) == "X" {
		return false
	}
	n, err := strconv.Atoi(string(fields[2]))
	return err == nil && n == group
}
