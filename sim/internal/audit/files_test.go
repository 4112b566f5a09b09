package audit

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/sim"
)

// TestFilesOfPrograms: what the standard library and programs do with files beyond
// reading and writing works in a world as it does outside of one.
func TestFilesOfPrograms(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		c, n := w.Clients("c", 1)[0], w.Nodes("n", 1)[0]
		n.Start(fileProgram)
		c.Run(func() {
			time.Sleep(10 * time.Second)
			if got := w.Log(n.Name()); len(got) != 1 || got[0] != "all done" {
				t.Errorf("%s wrote %q, want all done", n.Name(), got)
			}
		})
	})
}

var fileProgram = sim.NewProgram("files", func() {
	for _, f := range []func() error{copyTree, rooted, watched, spliced, attributed, unnamed} {
		if err := f(); err != nil {
			panic(err)
		}
	}
	fmt.Println("all done")
	time.Sleep(time.Hour) // a program that ends is started again when the world heals
})

func copyTree() error {
	files := fstest.MapFS{"a/b/c": {Data: []byte("deep"), Mode: 0o640}, "d": {Data: bytes.Repeat([]byte("x"), 100_000)}}
	if err := os.CopyFS("/srv/tree", files); err != nil {
		return err
	}
	if err := os.CopyFS("/srv/again", os.DirFS("/srv/tree")); err != nil {
		return err
	}
	return fstest.TestFS(os.DirFS("/srv/again"), "a/b/c", "d")
}

// rooted uses a directory that nothing leads out of.
func rooted() error {
	root, err := os.OpenRoot("/srv/tree")
	if err != nil {
		return err
	}
	defer root.Close()
	if err := os.Symlink("/etc/passwd", "/srv/tree/out"); err != nil {
		return err
	}
	if _, err := root.Open("out"); err == nil {
		return fmt.Errorf("a root was left by a symlink")
	}
	if _, err := root.Open("../again/d"); err == nil {
		return fmt.Errorf("a root was left by ..")
	}
	if err := root.WriteFile("a/new", []byte("new"), 0o600); err != nil {
		return err
	}
	if err := root.Rename("a/new", "a/b/new"); err != nil {
		return err
	}
	got, err := root.ReadFile("a/b/new")
	if err == nil && string(got) != "new" {
		err = fmt.Errorf("a file of a root reads %q, want new", got)
	}
	return err
}

// watched waits for an event of a directory as fsnotify does: by the runtime's poller.
func watched() error {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), "inotify")
	defer f.Close()
	if _, err := unix.InotifyAddWatch(fd, "/srv", unix.IN_ALL_EVENTS); err != nil {
		return err
	}
	go func() {
		time.Sleep(time.Second)
		os.Rename("/srv/again", "/srv/moved")
	}()
	b := make([]byte, 4096)
	n, err := f.Read(b)
	if err != nil {
		return err
	}
	from := (*unix.InotifyEvent)(unsafe.Pointer(&b[0]))
	to := (*unix.InotifyEvent)(unsafe.Pointer(&b[unix.SizeofInotifyEvent+from.Len]))
	if n != 64 || from.Mask != unix.IN_MOVED_FROM|unix.IN_ISDIR || to.Mask != unix.IN_MOVED_TO|unix.IN_ISDIR || from.Cookie != to.Cookie {
		return fmt.Errorf("%d bytes of events %+v and %+v, want a move", n, from, to)
	}
	return nil
}

// spliced has io.Copy use copy_file_range, and splice between pipes and files.
func spliced() error {
	src, err := os.Open("/srv/tree/d")
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.Create("/srv/copied")
	if err != nil {
		return err
	}
	defer dst.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	go func() {
		io.Copy(w, src)
		w.Close()
	}()
	if n, err := io.Copy(dst, r); n != 100_000 || err != nil {
		return fmt.Errorf("%d bytes went through a pipe: %v, want 100000", n, err)
	}
	got, err := os.ReadFile("/srv/copied")
	if err == nil && !bytes.Equal(got, bytes.Repeat([]byte("x"), 100_000)) {
		err = fmt.Errorf("%d bytes were copied, and are others", len(got))
	}
	return err
}

func attributed() error {
	if err := unix.Setxattr("/srv/copied", "user.mark", []byte("seen"), 0); err != nil {
		return err
	}
	b := make([]byte, 10)
	n, err := unix.Getxattr("/srv/copied", "user.mark", b)
	if err == nil && string(b[:n]) != "seen" {
		err = fmt.Errorf("an attribute reads %q, want seen", b[:n])
	}
	return err
}

// unnamed makes a file that gets its name when it is whole.
func unnamed() error {
	f, err := os.OpenFile("/srv", unix.O_TMPFILE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString("whole"); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	self := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
	if err := unix.Linkat(unix.AT_FDCWD, self, unix.AT_FDCWD, "/srv/whole", unix.AT_SYMLINK_FOLLOW); err != nil {
		return err
	}
	got, err := os.ReadFile(filepath.Join("/srv", "whole"))
	if err == nil && string(got) != "whole" {
		err = fmt.Errorf("a file that got a name reads %q, want whole", got)
	}
	return err
}
