package capability

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/orrery-sim/orrery/sim/run"
)

// fake is a machine that a test describes. What it does not describe is not there.
type fake struct {
	programs []string          // in PATH
	says     map[string]string // a command line to what it prints; a command without one fails
	has      map[string]string // files
	devices  []string
	features []Feature
	copy     run.Copy
	goErr    error
	pages    map[string]string // by URL
	ran      []string          // every command
	shown    []string          // those of installations
	install  func(f *fake, argv []string) error
}

var errExit = errors.New("exit status 1")

func (f *fake) env() *Env {
	return &Env{
		LookPath: func(name string) (string, error) {
			if slices.Contains(f.programs, name) {
				return "/usr/bin/" + name, nil
			}
			return "", errors.New("not found")
		},
		Run: func(ctx context.Context, argv ...string) (string, error) {
			f.ran = append(f.ran, line(argv))
			if out, ok := f.says[line(argv)]; ok {
				return out, nil
			}
			return "no: " + argv[0] + "\nmore\n", errExit
		},
		Show: func(_ context.Context, to io.Writer, argv ...string) error {
			f.shown = append(f.shown, line(argv))
			fmt.Fprintln(to, "output of", argv[0])
			if f.install == nil {
				return errExit
			}
			return f.install(f, argv)
		},
		ReadFile: func(name string) ([]byte, error) {
			if text, ok := f.has[name]; ok {
				return []byte(text), nil
			}
			return nil, syscall.ENOENT
		},
		Access: func(name string) error {
			if slices.Contains(f.devices, name) {
				return nil
			}
			return syscall.EACCES
		},
		Kernel: func(what Feature) error {
			if slices.Contains(f.features, what) {
				return nil
			}
			return syscall.ENOSYS
		},
		Go: func(context.Context) (run.Copy, error) { return f.copy, f.goErr },
		Get: func(_ context.Context, url string) (string, error) {
			if text, ok := f.pages[url]; ok {
				return text, nil
			}
			return "", errors.New("connection refused")
		},
	}
}

// needs reads needs, a line each: "go >= 1.26 | S1, S2".
func needs(text string) (out []Need) {
	for line := range strings.Lines(text) {
		what, by, _ := strings.Cut(strings.TrimSpace(line), "|")
		if what == "" {
			continue
		}
		n, err := ParseNeed(what)
		if err != nil {
			panic(err)
		}
		n.UsedBy = ParseList(by)
		out = append(out, n)
	}
	return out
}
