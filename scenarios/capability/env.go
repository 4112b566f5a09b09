package capability

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
)

// Env is the machine as probes and installations see it. Tests replace its functions.
type Env struct {
	// LookPath finds a program.
	LookPath func(name string) (string, error)
	// Run runs a command and returns what it printed, both streams together.
	Run func(ctx context.Context, argv ...string) (string, error)
	// Show runs a command and shows what it prints. It reads from no terminal, but for
	// what sudo does itself.
	Show func(ctx context.Context, to io.Writer, argv ...string) error
	// ReadFile reads a file of /proc or /sys.
	ReadFile func(name string) ([]byte, error)
	// Access opens a device and closes it. It says why it cannot be read and written.
	Access func(name string) error
	// Kernel asks the kernel for a feature; nil if it has it.
	Kernel func(f Feature) error
	// Go says what there is of the patched toolchain.
	Go func(ctx context.Context) (run.Copy, error)
	// Get returns what is at a URL.
	Get func(ctx context.Context, url string) (string, error)

	Prometheus string        // the URL of an endpoint, "" if none was given
	Root       bool          // whether this process has root's rights
	Timeout    time.Duration // of one probe; 0 is 10s
}

// Machine is the machine that this process runs on. dir is a folder of the system under
// test, which may choose a Go of its own.
func Machine(dir string) *Env {
	return &Env{
		LookPath: exec.LookPath,
		Run: func(ctx context.Context, argv ...string) (string, error) {
			c := exec.CommandContext(ctx, argv[0], argv[1:]...)
			c.Dir, c.WaitDelay = dir, time.Second
			out, err := c.CombinedOutput()
			return string(out), err
		},
		Show: func(ctx context.Context, to io.Writer, argv ...string) error {
			c := exec.CommandContext(ctx, argv[0], argv[1:]...)
			c.Dir, c.Stdout, c.Stderr, c.WaitDelay = dir, to, to, time.Second
			return c.Run()
		},
		ReadFile: os.ReadFile,
		Access:   access,
		Kernel:   Feature.Ask,
		Go:       func(ctx context.Context) (run.Copy, error) { return run.Inspect(ctx, dir) },
		Get:      get,
		Root:     os.Geteuid() == 0,
	}
}

func access(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// answerMost is how much of an answer is read.
const answerMost = 1 << 20

func get(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, answerMost))
	if answer.StatusCode != http.StatusOK {
		err = errors.Join(err, fmt.Errorf("%s: found status %s, want 200", url, answer.Status))
	}
	return string(text), err
}
