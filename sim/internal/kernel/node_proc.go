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
	case "/proc/stat":
		return textFile(name, func() string { return k.statText(p.Host) })
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
		return directory(name, "cgroup", "cmdline", "comm", "cwd", "environ", "exe", "fd", "io", "limits", "maps",
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

// describe returns what a descriptor's link in /proc shows.
func (p *Process) describe(fd int) string {
	if f := inodeOf(p.fds[fd].desc.obj); f != nil {
		return f.path()
	}
	switch o := p.fds[fd].desc.obj.(type) {
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
