package kernel

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// linuxProcess is what Linux takes for a process when it comes to files: a thread
// with descriptors, a working directory, a umask and a root directory of its own.
// It shares this process's memory, so that a call's arguments need no copying, and
// runs Go's scheduler, which needs a few descriptors.
type linuxProcess struct {
	calls   chan linuxCall
	answers chan answer
	tid     int
	first   int // descriptor that is free, and all after it
}

type linuxCall struct {
	nr   uintptr
	args []any
}

// startLinuxProcess starts one whose root directory is root, where proc is an empty
// directory.
func startLinuxProcess(root string) (*linuxProcess, error) {
	p := &linuxProcess{calls: make(chan linuxCall), answers: make(chan answer)}
	failed := make(chan error)
	go p.serve(root, failed)
	return p, <-failed
}

func (p *linuxProcess) serve(root string, failed chan error) {
	runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
	if p.tid = unix.Gettid(); p.tid == os.Getpid() {
		elsewhere := make(chan error) // the descriptors of this thread are all of Go's
		go p.serve(root, elsewhere)
		failed <- <-elsewhere
		runtime.UnlockOSThread()
		return
	}
	err := p.enter(root)
	failed <- err
	if err != nil {
		return
	}
	for c := range p.calls {
		r1, errno := realLinux{}.call(c.nr, c.args...)
		p.answers <- answer{r1, errno}
	}
}

// enter makes the calling thread a process of its own as far as files go.
func (p *linuxProcess) enter(root string) error {
	steps := []struct {
		what string
		do   func() error
	}{
		{"unshare", func() error { return unix.Unshare(unix.CLONE_FILES | unix.CLONE_FS | unix.CLONE_NEWNS) }},
		{"make mounts private", func() error { return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") }},
		{"bind /proc", func() error { return unix.Mount("/proc", filepath.Join(root, "proc"), "", unix.MS_BIND, "") }},
		{"tidy descriptors", p.tidyDescriptors},
		{"chroot", func() error { return unix.Chroot(root) }},
		{"chdir", func() error { return unix.Chdir("/") }},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
	}
	unix.Umask(0o022)
	return nil
}

// tidyDescriptors closes all but those that Go's scheduler may use from this thread,
// and fills the gaps between them.
func (p *linuxProcess) tidyDescriptors() error {
	const dir = "/proc/thread-self/fd"
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	p.first = 3
	for _, e := range list {
		fd, _ := strconv.Atoi(e.Name())
		to, _ := os.Readlink(filepath.Join(dir, e.Name()))
		if strings.HasPrefix(to, "anon_inode:") {
			p.first = max(p.first, fd+1)
		} else if fd > 2 {
			unix.Close(fd)
		}
	}
	for {
		fd, err := unix.Open("/dev/null", unix.O_RDONLY, 0)
		if err != nil || fd >= p.first {
			unix.Close(fd)
			return err
		}
	}
}

func (p *linuxProcess) call(nr uintptr, args ...any) (uintptr, syscall.Errno) {
	p.calls <- linuxCall{nr, args}
	a := <-p.answers
	return a.r1, a.errno
}

func (p *linuxProcess) exit() { close(p.calls) }

// ext4Dir returns an empty directory on ext4, which is what the disk is a model of:
// the test's own if that is one, else one that is made in a file.
func ext4Dir(t testing.TB) string {
	dir := t.TempDir()
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		t.Fatal(err)
	}
	if st.Type == unix.EXT4_SUPER_MAGIC {
		return dir
	}
	image, at := filepath.Join(dir, "image"), filepath.Join(dir, "mnt")
	if err := os.Mkdir(at, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"truncate -s 256M " + image, "mkfs.ext4 -q -b 4096 -I 256 " + image, "mount -o loop " + image + " " + at} {
		words := strings.Fields(line)
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Skipf("no ext4 to compare with: %s: %v\n%s", line, err, out)
		}
	}
	t.Cleanup(func() {
		if err := unix.Unmount(at, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return at
}
