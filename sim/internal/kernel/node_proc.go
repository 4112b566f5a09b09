package kernel

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"syscall"
)

// processors is how many a host has.
const processors = 4

// memoryBytes is how much memory a host has.
const memoryBytes = 16 << 30

// kernelRelease is what uname says.
const kernelRelease = "6.1.0-orrery"

// systemFiles are the same on every host, by path.
var systemFiles = map[string]string{
	"/proc/sys/net/core/somaxconn":                       "4096\n",
	"/proc/sys/net/ipv4/ip_local_port_range":             "32768\t60999\n",
	"/proc/sys/net/ipv4/tcp_keepalive_time":              "7200\n",
	"/proc/sys/kernel/osrelease":                         kernelRelease + "\n",
	"/proc/sys/kernel/ostype":                            "Linux\n",
	"/proc/sys/kernel/pid_max":                           "4194304\n",
	"/proc/sys/fs/file-max":                              "9223372036854775807\n",
	"/proc/sys/fs/nr_open":                               "1048576\n",
	"/proc/sys/vm/overcommit_memory":                     "0\n",
	"/proc/sys/vm/max_map_count":                         "1048576\n",
	"/proc/filesystems":                                  "nodev\tproc\n\text4\n",
	"/proc/loadavg":                                      "0.00 0.00 0.00 1/1 1\n",
	"/proc/version":                                      "Linux version " + kernelRelease + "\n",
	"/proc/mounts":                                       "/dev/sda1 / ext4 rw,relatime 0 0\nproc /proc proc rw 0 0\n",
	"/sys/devices/system/cpu/online":                     fmt.Sprintf("0-%d\n", processors-1),
	"/sys/devices/system/cpu/possible":                   fmt.Sprintf("0-%d\n", processors-1),
	"/sys/kernel/mm/transparent_hugepage/hpage_pmd_size": "2097152\n",
	"/sys/kernel/mm/transparent_hugepage/enabled":        "always madvise [never]\n",
	"/proc/cpuinfo":                                      cpuinfo(),
	"/proc/meminfo": fmt.Sprintf("MemTotal:       %d kB\nMemFree:        %d kB\nMemAvailable:   %d kB\nSwapTotal:             0 kB\nSwapFree:              0 kB\n",
		memoryBytes>>10, memoryBytes>>11, memoryBytes>>11),
}

func cpuinfo() string {
	var b strings.Builder
	for i := range processors {
		fmt.Fprintf(&b, "processor\t: %d\nmodel name\t: Orrery\ncpu MHz\t\t: 2000.000\ncpu cores\t: %d\n\n", i, processors)
	}
	return b.String()
}

func (k *Kernel) findProc(p *Process, name string) *node {
	if text, ok := systemFiles[name]; ok {
		return textFile(name, func() string { return text })
	}
	switch name {
	case "/proc/self":
		return symlink(name, strconv.Itoa(p.PID))
	case "/proc/thread-self":
		return symlink(name, fmt.Sprintf("%d/task/%d", p.PID, p.PID))
	case "/proc/sys/kernel/hostname":
		return textFile(name, func() string { return p.Host.Name + "\n" })
	case "/proc/sys/kernel/random/boot_id":
		return textFile(name, func() string { return bootID(p.Host) })
	case "/proc/sys/kernel/random/uuid":
		return textFile(name, func() string {
			var b [16]byte
			p.fillRandom(b[:])
			b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
			return fmt.Sprintf("%x-%x-%x-%x-%x\n", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
		})
	case "/proc/uptime":
		return textFile(name, func() string {
			s := p.Host.Mono(k.now) / 1e7
			return fmt.Sprintf("%d.%02d 0.00\n", s/100, s%100)
		})
	}
	rest, ok := strings.CutPrefix(name, "/proc/")
	if !ok {
		return nil
	}
	who, rest, _ := strings.Cut(rest, "/")
	if who == "thread-self" {
		who = "self"
	}
	of := p
	if who != "self" {
		pid, err := strconv.Atoi(who)
		if err != nil {
			return nil
		}
		if of = k.byPID(p.Host, pid); of == nil {
			return nil
		}
	}
	return k.findProcess(of, name, rest)
}

// bootID is a number of the host's boot, in the form of a UUID.
func bootID(h *Host) string {
	n := pathIno(h.Name + "/" + strconv.Itoa(h.boots))
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x\n", uint32(n>>32), uint16(n>>16), n&0xfff, n>>4&0xfff, n&0xffffffffffff)
}

// exe is the path that a process was started from.
func (p *Process) exe() string {
	if len(p.Args) == 0 {
		return "/bin/program"
	}
	if strings.HasPrefix(p.Args[0], "/") {
		return p.Args[0]
	}
	return "/bin/" + path.Base(p.Args[0])
}

// findProcess returns the node of a process's directory in /proc.
func (k *Kernel) findProcess(p *Process, name, rest string) *node {
	if fd, ok := strings.CutPrefix(rest, "fd/"); ok {
		n, err := strconv.Atoi(fd)
		if err != nil || n < 0 || p.fd(uintptr(n)) == nil {
			return nil
		}
		l := symlink(name, p.describe(n))
		l.magic, l.desc = true, p.fd(uintptr(n))
		l.mode = syscall.S_IFLNK | 0o100
		if reads(l.desc.flags) {
			l.mode |= 0o400
		}
		if writes(l.desc.flags) {
			l.mode |= 0o200
		}
		return l
	}
	switch rest {
	case "":
		return directory(name, "cgroup", "cmdline", "comm", "cwd", "environ", "exe", "fd", "limits", "maps",
			"mountinfo", "mounts", "oom_score_adj", "root", "stat", "statm", "status")
	case "fd":
		d := directory(name)
		d.names = p.descriptors
		return d
	case "exe":
		return symlink(name, p.exe())
	case "cwd":
		dir, _ := p.Host.Disk.Path(p.cwd)
		return symlink(name, dir)
	case "root":
		return symlink(name, "/")
	}
	if text := k.processText(p, rest); text != nil {
		return textFile(name, text)
	}
	return nil
}

// descriptors returns the numbers of those that are open.
func (p *Process) descriptors() (names []string) {
	for fd := range p.fds {
		if p.fds[fd].desc != nil {
			names = append(names, strconv.Itoa(fd))
		}
	}
	return names
}

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
	case "status":
		return func() string {
			return fmt.Sprintf("Name:\t%s\nUmask:\t%04o\nState:\tR (running)\nTgid:\t%d\nPid:\t%d\nPPid:\t1\nUid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nVmSize:\t  100000 kB\nVmRSS:\t   40000 kB\nThreads:\t%d\n",
				comm, p.umask, p.PID, p.PID, processors)
		}
	case "limits":
		return func() string {
			return fmt.Sprintf("Limit                     Soft Limit           Hard Limit           Units     \nMax open files            %-20d %-20d files     \n", maxFiles, maxFiles)
		}
	}
	return nil
}

// describe returns what a descriptor's link in /proc shows.
func (p *Process) describe(fd int) string {
	switch o := p.fds[fd].desc.obj.(type) {
	case *file:
		return o.path()
	case *nodeDir:
		return o.path
	case *nodeFile:
		return o.path
	case *charDevice:
		return o.path
	case *stdio:
		return fmt.Sprintf("pipe:[%d]", o.fd+1)
	case interface{ link() string }:
		return o.link()
	}
	return fmt.Sprintf("anon_inode:[%d]", fd)
}
