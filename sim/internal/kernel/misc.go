package kernel

import (
	"encoding/binary"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_GETRANDOM:         sysGetrandom,
		unix.SYS_UNAME:             sysUname,
		unix.SYS_SYSINFO:           sysSysinfo,
		unix.SYS_SETHOSTNAME:       fail(syscall.EPERM),
		unix.SYS_SETDOMAINNAME:     fail(syscall.EPERM),
		unix.SYS_PRLIMIT64:         sysPrlimit,
		unix.SYS_GETRLIMIT:         sysGetrlimit,
		unix.SYS_SETRLIMIT:         sysSetrlimit,
		unix.SYS_SCHED_YIELD:       constant(0),
		unix.SYS_SCHED_GETAFFINITY: sysSchedGetaffinity,
		unix.SYS_SCHED_SETAFFINITY: constant(0),
		unix.SYS_GETCPU:            sysGetcpu,
		unix.SYS_GETPRIORITY:       constant(20), // as Linux answers a nice value of 0
		unix.SYS_SETPRIORITY:       constant(0),
		unix.SYS_PRCTL:             constant(0),
		unix.SYS_MEMBARRIER:        constant(0),
	})
}

// fillRandom fills b with random bytes of the process.
func (p *Process) fillRandom(b []byte) {
	var word [8]byte
	for len(b) > 0 {
		binary.LittleEndian.PutUint64(word[:], p.random.Draw(0))
		b = b[copy(b, word[:]):]
	}
}

func sysGetrandom(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	if c.Args[2]&^(unix.GRND_NONBLOCK|unix.GRND_RANDOM|unix.GRND_INSECURE) != 0 {
		return 0, syscall.EINVAL
	}
	n := min(c.Args[1], maxIO)
	c.proc.fillRandom(bytesAt(c.Args[0], n))
	return n, 0
}

func sysUname(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	u := at[unix.Utsname](c.Args[0])
	*u = unix.Utsname{}
	copy(u.Sysname[:], "Linux")
	copy(u.Nodename[:], c.proc.Host.Name)
	copy(u.Release[:], kernelRelease)
	copy(u.Version[:], "#1 SMP")
	copy(u.Machine[:], machine)
	copy(u.Domainname[:], "(none)")
	return 0, 0
}

func sysSysinfo(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	*at[syscall.Sysinfo_t](c.Args[0]) = syscall.Sysinfo_t{
		Uptime:   c.proc.Host.Mono(k.now) / int64(time.Second),
		Totalram: memoryBytes, Freeram: memoryBytes / 2, Unit: 1,
		Procs: uint16(len(k.Processes(c.proc.Host))),
	}
	return 0, 0
}

// limit is a process's limit on a resource, or that of its group.
func (p *Process) limit(resource uintptr) [2]uint64 {
	if l, ok := p.limits[resource]; ok {
		return l
	}
	switch resource {
	case unix.RLIMIT_NOFILE:
		return [2]uint64{maxFiles, maxFiles}
	case unix.RLIMIT_STACK:
		return [2]uint64{8 << 20, unix.RLIM_INFINITY}
	case unix.RLIMIT_CORE:
		return [2]uint64{0, unix.RLIM_INFINITY}
	}
	return [2]uint64{unix.RLIM_INFINITY, unix.RLIM_INFINITY}
}

// files is the number that the process's descriptors are below.
func (p *Process) files() int { return int(p.limit(unix.RLIMIT_NOFILE)[0]) }

// room reports whether a process may have n more descriptors.
func (p *Process) room(n int) bool {
	most := p.files()
	if len(p.fds)+n <= most {
		return true
	}
	for fd := 0; fd < most && n > 0; fd++ {
		if p.fd(uintptr(fd)) == nil {
			n--
		}
	}
	return n == 0
}

// resources is how many resources have limits.
const resources = 16

func (p *Process) setLimit(resource uintptr, l [2]uint64) syscall.Errno {
	if l[0] > l[1] {
		return syscall.EINVAL
	}
	if resource == unix.RLIMIT_NOFILE && l[1] > maxFiles {
		return syscall.EPERM
	}
	if p.limits == nil {
		p.limits = map[uintptr][2]uint64{}
	}
	p.limits[resource] = l
	return 0
}

func (k *Kernel) limits(p *Process, resource, set, get uintptr) (uintptr, syscall.Errno) {
	if resource >= resources {
		return 0, syscall.EINVAL
	}
	old := p.limit(resource)
	if set != 0 {
		if errno := p.setLimit(resource, *at[[2]uint64](set)); errno != 0 {
			return 0, errno
		}
	}
	if get != 0 {
		*at[[2]uint64](get) = old
	}
	return 0, 0
}

func sysPrlimit(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	p := c.proc
	if pid := int(int32(c.Args[0])); pid != 0 && pid != p.PID {
		if p = k.byPID(c.proc.Host, pid); p == nil {
			return 0, syscall.ESRCH
		}
	}
	return k.limits(p, c.Args[1], c.Args[2], c.Args[3])
}

func sysGetrlimit(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	return k.limits(c.proc, c.Args[0], 0, c.Args[1])
}

func sysSetrlimit(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	return k.limits(c.proc, c.Args[0], c.Args[1], 0)
}

// sysSchedGetaffinity answers how many bytes of the mask it wrote, as Linux does.
func sysSchedGetaffinity(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	const size = 8
	if c.Args[1] < size || c.Args[1]%size != 0 {
		return 0, syscall.EINVAL
	}
	*at[uint64](c.Args[2]) = 1<<processors - 1
	return size, 0
}

func sysGetcpu(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	for _, p := range c.Args[:2] {
		if p != 0 {
			*at[uint32](p) = 0
		}
	}
	return 0, 0
}
