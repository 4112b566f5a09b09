package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/orrery-sim/orrery/scenarios/capability"
	"golang.org/x/sys/unix"
)

// writable makes and removes a file in a folder, which is made if it is missing.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// What a patched copy takes, and what a first build and a few binaries do beside it.
const (
	spaceLeast  = 400 << 20
	spaceEnough = 2 << 30
)

func diskSpace(p *patient) finding {
	if p.err != nil {
		return fail("see go", "the place of the cache depends on the Go in use")
	}
	dir := p.copy.Dir
	var st unix.Statfs_t
	for err := unix.Statfs(dir, &st); err != nil; err = unix.Statfs(dir, &st) {
		if up := filepath.Dir(dir); up != dir {
			dir = up
			continue
		}
		return warn("look at the file system of the cache", "unknown: %s: %v", dir, err)
	}
	free := st.Bavail * uint64(st.Bsize)
	text := humanize.IBytes(free) + " free for the cache"
	const remedy = "free some, or set ORRERY_CACHE to a folder on another disk"
	switch {
	case free < spaceLeast && !p.copy.Made:
		return fail(remedy, "%s: a patched copy and its build take %s", text, humanize.IBytes(spaceLeast))
	case free < spaceEnough:
		return warn(remedy, "%s: binaries of scenarios take some 20 MiB each", text)
	}
	return ok("%s", text)
}

// memoryLeast is what a worker and a run of a middling system take.
const memoryLeast = 512 << 20

func memoryFree(*patient) finding {
	kb, err := meminfo("MemAvailable")
	if err != nil {
		return warn("", "unknown: %v", err)
	}
	if free := kb << 10; free < memoryLeast {
		return warn("end other programs, or give --procs 1: each worker needs some", "%s available", humanize.IBytes(free))
	}
	return ok("%s available", humanize.IBytes(kb<<10))
}

func meminfo(name string) (kb uint64, err error) {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(b)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name+":" {
			return strconv.ParseUint(fields[1], 10, 64)
		}
	}
	return 0, errors.New("/proc/meminfo has no " + name)
}

func overcommit(*patient) finding {
	b, err := os.ReadFile("/proc/sys/vm/overcommit_memory")
	if err == nil && strings.TrimSpace(string(b)) == "2" {
		return warn("sysctl vm.overcommit_memory=0", "strict: a recorded run reserves 2 GiB that it hardly uses, and each copy of a worker counts in full")
	}
	return ok("memory may be reserved and not used")
}

// filesLeast is how many open files a sweep with many workers takes.
const filesLeast = 256

func limits(*patient) finding {
	for _, l := range []struct {
		resource int
		least    uint64
		name     string
		remedy   string
	}{
		{unix.RLIMIT_NOFILE, filesLeast, "open files", "ulimit -n 1024"},
		{unix.RLIMIT_AS, 8 << 30, "bytes of address space", "ulimit -v unlimited"},
		{unix.RLIMIT_NPROC, 64, "processes", "ulimit -u 1024"},
	} {
		var r unix.Rlimit
		if err := unix.Getrlimit(l.resource, &r); err == nil && r.Cur < l.least {
			return warn(l.remedy, "%d %s at most: want %d", r.Cur, l.name, l.least)
		}
	}
	return ok("enough open files, processes and address space")
}

// forkSlow is how long a fork of this command may take.
const forkSlow = 10 * time.Millisecond

func forks(*patient) finding {
	var took []time.Duration
	for range 10 {
		start := time.Now()
		if err := forkOnce(); err != nil {
			return fail("let this process start others: see ulimit -u, and the limits of its container", "fork: %v", err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	middle := took[len(took)/2].Round(10 * time.Microsecond)
	if middle > forkSlow {
		return warn("none is needed; a sweep is faster on a machine without emulation", "a copy of a process takes %v, to its end", middle)
	}
	return ok("a copy of a process takes %v, to its end", middle)
}

// forkOnce copies this process. The copy ends at once: other threads are missing
// in it, so that it must call nothing of Go's.
func forkOnce() error {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if errno != 0 {
		return errno
	}
	if pid == 0 {
		for {
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
	}
	for {
		_, err := unix.Wait4(int(pid), nil, 0, nil)
		if err != unix.EINTR {
			return err
		}
	}
}

// pageSlow is how long copying a page may take. Half a microsecond is common on
// real machines, some tens where page faults are emulated.
const pageSlow = 5 * time.Microsecond

// pageCopies measures what a run costs most beside its own work: a copy of a
// worker copies each page that it writes to.
func pageCopies(*patient) finding {
	const pages = 2000
	size := pages * os.Getpagesize()
	fd, err := unix.MemfdCreate("doctor", unix.MFD_CLOEXEC)
	if err != nil {
		return warn("", "unknown: %v", err)
	}
	defer unix.Close(fd)
	if _, err := unix.Pwrite(fd, make([]byte, size), 0); err != nil {
		return warn("", "unknown: %v", err)
	}
	b, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE)
	if err != nil {
		return warn("", "unknown: %v", err)
	}
	defer unix.Munmap(b)
	start := time.Now()
	for i := 0; i < size; i += os.Getpagesize() {
		b[i] = 1
	}
	each := (time.Since(start) / pages).Round(10 * time.Nanosecond)
	if each > pageSlow {
		return warn("none is needed; a sweep is faster on a machine whose page faults are not emulated", "%v a page", each)
	}
	return ok("%v a page", each)
}

func seccomp(*patient) finding {
	if err := capability.FeatureSeccomp.Ask(); err != nil {
		return fail("use a kernel with CONFIG_SECCOMP_FILTER, outside a sandbox that forbids it: runs are guarded against calls that go past the world", "a process may not filter its own system calls: %v", err)
	}
	return ok("a process may filter its own system calls")
}

func addressLayout(*patient) finding {
	b, err := os.ReadFile("/proc/sys/kernel/randomize_va_space")
	if err != nil || strings.TrimSpace(string(b)) == "0" {
		return ok("not random")
	}
	return ok("random; workers place their memory themselves")
}
