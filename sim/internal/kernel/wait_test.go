package kernel

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

// A copy that a slow disk delays has both its files, though they were unlinked and
// closed meanwhile.
func TestCopyOfClosedFiles(t *testing.T) {
	second := disk.Range{Least: time.Second, Most: time.Second}
	copies := map[string]func(m *machineUnderTest, from, to uintptr) (answer, Caller, bool){
		"copy_file_range": func(m *machineUnderTest, from, to uintptr) (answer, Caller, bool) {
			return m.begin(m.p, unix.SYS_COPY_FILE_RANGE, from, 0, to, 0, 5, 0)
		},
		"sendfile": func(m *machineUnderTest, from, to uintptr) (answer, Caller, bool) {
			return m.begin(m.p, unix.SYS_SENDFILE, to, from, 0, 5)
		},
	}
	for name, begin := range copies {
		m := newMachine(t, 1, HostConfig{Disk: disk.Config{Read: second}})
		from, to := m.open("/from", unix.O_CREAT|unix.O_RDWR), m.open("/to", unix.O_CREAT|unix.O_RDWR)
		m.must(unix.SYS_WRITE, from, []byte("hello"), 5)
		m.must(unix.SYS_LSEEK, from, 0, unix.SEEK_SET)
		_, caller, done := begin(m, from, to)
		if done {
			t.Fatalf("%s does not wait for the disk", name)
		}
		for fd, path := range map[uintptr]string{from: "/from", to: "/to"} {
			m.must(unix.SYS_UNLINKAT, atCwd, path, 0)
			m.must(unix.SYS_CLOSE, fd)
		}
		m.must(unix.SYS_SYNC) // or the disk keeps them for a crash
		m.pass(2 * time.Second)
		if n, ok := m.answered(caller); !ok || n != 5 {
			t.Errorf("%s: %d, answered: %v; want 5 bytes", name, n, ok)
		}
		if n := len(m.p.held); n != 0 {
			t.Errorf("%s leaves %d descriptions held", name, n)
		}
	}
}
