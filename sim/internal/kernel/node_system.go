package kernel

import (
	"fmt"
	"strings"
)

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
	"/proc/sys/fs/inotify/max_user_instances":            fmt.Sprintln(inotifyInstances),
	"/proc/sys/fs/inotify/max_user_watches":              fmt.Sprintln(inotifyWatches),
	"/proc/sys/fs/inotify/max_queued_events":             fmt.Sprintln(inotifyQueued),
	"/proc/sys/fs/pipe-max-size":                         "1048576\n",
	"/proc/sys/kernel/threads-max":                       "126000\n",
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

// statText is what /proc/stat shows: nothing runs in no time here.
func (k *Kernel) statText(h *Host) string {
	var b strings.Builder
	b.WriteString("cpu  0 0 0 0 0 0 0 0 0 0\n")
	for i := range processors {
		fmt.Fprintf(&b, "cpu%d 0 0 0 0 0 0 0 0 0 0\n", i)
	}
	boot := (h.Wall(k.now) - h.Mono(k.now)) / 1e9
	fmt.Fprintf(&b, "intr 0\nctxt 0\nbtime %d\nprocesses %d\nprocs_running 1\nprocs_blocked 0\n", boot, h.started)
	return b.String()
}
