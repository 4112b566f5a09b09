package kernel

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func (k *Kernel) processText(p *Process, file string) func() string {
	comm := path.Base(p.exe())
	comm = comm[:min(len(comm), 15)]
	switch file {
	case "comm":
		return func() string { return comm + "\n" }
	case "cmdline":
		return func() string { return strings.Join(p.Args, "\x00") + "\x00" }
	case "environ":
		return func() string { return strings.Join(p.Env, "\x00") + "\x00" }
	case "cgroup":
		return func() string { return "0::/\n" }
	case "oom_score_adj":
		return func() string { return "0\n" }
	case "mounts":
		return func() string { return systemFiles["/proc/mounts"] }
	case "mountinfo":
		return func() string {
			return "1 0 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n2 1 0:5 / /proc rw,relatime - proc proc rw\n"
		}
	case "maps":
		return p.mapsText
	case "statm":
		return func() string { return "25000 10000 1000 1000 0 20000 0\n" }
	case "stat":
		return func() string {
			return fmt.Sprintf("%d (%s) S 1 %d %d 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 102400000 10000 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0\n",
				p.PID, comm, p.PID, p.PID, p.started/1e7)
		}
	case "io":
		return func() string {
			return "rchar: 0\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: 0\nwrite_bytes: 0\ncancelled_write_bytes: 0\n"
		}
	case "status":
		return func() string { return p.statusText(comm) }
	case "limits":
		return p.limitsText
	}
	return nil
}

func (p *Process) statusText(comm string) string {
	const all = "000001ffffffffff" // what root may do
	var b strings.Builder
	fmt.Fprintf(&b, "Name:\t%s\nUmask:\t%04o\nState:\tR (running)\nTgid:\t%d\nNgid:\t0\nPid:\t%d\nPPid:\t1\nTracerPid:\t0\n",
		comm, p.umask, p.PID, p.PID)
	fmt.Fprintf(&b, "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nFDSize:\t%d\nGroups:\t \n", max(len(p.fds), 64))
	fmt.Fprintf(&b, "VmPeak:\t  100000 kB\nVmSize:\t  100000 kB\nVmHWM:\t   40000 kB\nVmRSS:\t   40000 kB\nVmSwap:\t       0 kB\nThreads:\t%d\n", processors)
	fmt.Fprintf(&b, "CapInh:\t%016x\nCapPrm:\t%s\nCapEff:\t%s\nCapBnd:\t%s\nCapAmb:\t%016x\nNoNewPrivs:\t0\nSeccomp:\t0\n", 0, all, all, all, 0)
	fmt.Fprintf(&b, "Cpus_allowed:\t%x\nCpus_allowed_list:\t0-%d\n", 1<<processors-1, processors-1)
	return b.String()
}

// shownLimits is how /proc/self/limits shows each resource, by its number.
var shownLimits = [resources]struct{ name, unit string }{
	{"cpu time", "seconds"}, {"file size", "bytes"}, {"data size", "bytes"}, {"stack size", "bytes"},
	{"core file size", "bytes"}, {"resident set", "bytes"}, {"processes", "processes"}, {"open files", "files"},
	{"locked memory", "bytes"}, {"address space", "bytes"}, {"file locks", "locks"}, {"pending signals", "signals"},
	{"msgqueue size", "bytes"}, {"nice priority", ""}, {"realtime priority", ""}, {"realtime timeout", "us"},
}

func (p *Process) limitsText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-25s %-20s %-20s %-10s\n", "Limit", "Soft Limit", "Hard Limit", "Units")
	for r, shown := range shownLimits {
		l := p.limit(uintptr(r))
		fmt.Fprintf(&b, "%-25s %-20s %-20s %-10s\n", "Max "+shown.name, limitText(l[0]), limitText(l[1]), shown.unit)
	}
	return b.String()
}

func limitText(n uint64) string {
	if n == unix.RLIM_INFINITY {
		return "unlimited"
	}
	return strconv.FormatUint(n, 10)
}
