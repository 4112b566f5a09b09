package ends

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
)

// await prints the next signal, and says how long it took.
func await(c <-chan os.Signal) {
	start := time.Now()
	fmt.Println(<-c, time.Since(start))
}

func kill(sig syscall.Signal) {
	if err := syscall.Kill(os.Getpid(), sig); err != nil {
		panic(err)
	}
}

// never waits for ever, with a timer: the process is not deadlocked.
func never() {
	for range time.Tick(time.Hour) {
	}
}

// What programs do with signals; each is the program's first argument.
var signalling = map[string]func(){
	"own TERM":  func() { kill(syscall.SIGTERM); never() },
	"own HUP":   func() { kill(syscall.SIGHUP); never() },
	"own KILL":  func() { kill(syscall.SIGKILL); never() },
	"own QUIT":  func() { kill(syscall.SIGQUIT); never() },
	"own USR1":  func() { kill(syscall.SIGUSR1); fmt.Println("lives") },
	"own child": func() { kill(syscall.SIGCHLD); fmt.Println("lives") },
	"notify": func() {
		c := make(chan os.Signal, 10)
		signal.Notify(c, syscall.SIGTERM, syscall.SIGUSR1)
		kill(syscall.SIGUSR1)
		await(c)
		p, err := os.FindProcess(os.Getpid())
		if err != nil {
			panic(err)
		}
		if err := p.Signal(syscall.SIGTERM); err != nil {
			panic(err)
		}
		await(c)
	},
	"all": func() {
		c := make(chan os.Signal, 100)
		signal.Notify(c)
		for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGWINCH} {
			kill(sig)
			await(c)
		}
	},
	"stop": func() {
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		kill(syscall.SIGTERM)
		signal.Stop(c) // what came before is in the channel
		await(c)
		kill(syscall.SIGTERM)
		never()
	},
	"reset": func() {
		c := make(chan os.Signal, 1)
		signal.Notify(c, os.Interrupt)
		signal.Reset(os.Interrupt)
		kill(syscall.SIGINT)
		never()
	},
	"ignore": func() {
		signal.Ignore(syscall.SIGTERM)
		kill(syscall.SIGTERM)
		fmt.Println("ignored", signal.Ignored(syscall.SIGTERM), signal.Ignored(syscall.SIGINT))
	},
	"context": func() {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		go func() { time.Sleep(time.Second); kill(syscall.SIGTERM) }()
		<-ctx.Done()
		fmt.Println(context.Cause(ctx))
	},
	"output": func() {
		var fds [2]int
		if err := errors.Join(syscall.Pipe(fds[:]), syscall.Dup3(fds[1], 1, 0), syscall.Close(fds[0])); err != nil {
			panic(err)
		}
		fmt.Println("nobody reads this")
		never()
	},
	"ready": func() {
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM, syscall.SIGHUP)
		fmt.Println("ready")
		for sig := range c {
			fmt.Println("got", sig)
			time.Sleep(time.Second)
			if sig == syscall.SIGTERM {
				return
			}
		}
	},
	"stubborn": func() { signal.Ignore(syscall.SIGTERM); never() },
	"plain":    func() { never() },
}

var signaller = sim.NewProgram("signaller", func() { signalling[os.Args[1]]() })

func TestSignals(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.Node("n1").Start(signaller, w.Param("way"))
		w.SafetyFor(3 * time.Second)
	}, sim.Param("way", keys(signalling)...))
}

func keys[V any](m map[string]V) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// TestSignalsOfPrograms: what programs do with signals that they send themselves.
func TestSignalsOfPrograms(t *testing.T) {
	w, err := run.StartWorker(t.Context(), scenarios(t)["TestSignals"], run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for way, want := range map[string]struct {
		log     []string // the process starts again once the safety phase is over
		message string
		stack   string
	}{
		"own TERM":  {nil, "died of SIGTERM", ""},
		"own HUP":   {nil, "died of SIGHUP", ""},
		"own KILL":  {nil, "died of SIGKILL", ""},
		"own QUIT":  {nil, "died of SIGQUIT", "signal_test.go"},
		"own USR1":  {[]string{"lives"}, "", ""},
		"own child": {[]string{"lives"}, "", ""},
		"notify":    {[]string{"user defined signal 1 0s", "terminated 0s"}, "", ""},
		"all":       {[]string{"terminated 0s", "quit 0s", "window changed 0s"}, "", ""},
		"stop":      {[]string{"terminated 0s"}, "died of SIGTERM", ""},
		"reset":     {nil, "died of SIGINT", ""},
		"ignore":    {[]string{"ignored true false"}, "", ""},
		"context":   {[]string{"terminated signal received"}, "", ""},
		"output":    {nil, "died of SIGPIPE", ""},
	} {
		out, err := w.Run(t.Context(), run.Request{Seed: 1, Params: map[string]string{"way": way}})
		if err != nil {
			t.Fatal(err)
		}
		var log []string
		for _, l := range out.Log {
			log = append(log, l.Text)
		}
		var v run.Violation
		if out.Violation != nil {
			v = *out.Violation
		}
		if v.Message != want.message || !strings.Contains(v.Stack, want.stack) || len(log) < len(want.log) || !slices.Equal(log[:len(want.log)], want.log) {
			t.Errorf("%s: %s %q, stack %q, log %q; want %q, a stack with %q, %q", way, out.Verdict, v.Message, v.Stack, log, want.message, want.stack, want.log)
		}
	}
}

func TestDraining(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Start(signaller, w.Param("way"))
		w.Plan("at 1s drain n1 within 2s for 4s")
		w.SafetyFor(6 * time.Second)
	}, sim.Param("way", "ready", "plain", "stubborn"))
}

// TestDrains: a drain tells whether the handler ran, and whether the process had
// to be killed.
func TestDrains(t *testing.T) {
	w, err := run.StartWorker(t.Context(), scenarios(t)["TestDraining"], run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for way, want := range map[string]string{
		"ready":    "n1: its handler ran, ended by itself after 1s",
		"plain":    "n1: it has no handler, ended by itself after 0s",
		"stubborn": "n1: it has no handler, killed after 2s",
	} {
		out, err := w.Run(t.Context(), run.Request{Seed: 1, Params: map[string]string{"way": way}})
		if err != nil || out.Verdict != run.Pass || len(out.Faults) != 1 || !out.Faults[0].Landed || out.Faults[0].Evidence != want {
			t.Errorf("%s: %s %+v, %+v, %v; want a pass and %q", way, out.Verdict, out.Violation, out.Faults, err, want)
		}
	}
}

// TestNodeSignals: the test sends signals, and drains.
func TestNodeSignals(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Nodes("n", 2)
		n[0].Start(signaller, "ready")
		n[1].Start(signaller, "plain")
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(time.Second)
			if !n[0].Signal(syscall.SIGHUP) || !n[1].Signal(syscall.SIGUSR2) {
				t.Fatal("a process that runs was not found")
			}
			time.Sleep(2 * time.Second)
			if d := n[0].Drain(5 * time.Second); d != (sim.Drained{Running: true, Handled: true, Took: time.Second}) {
				t.Errorf("drained: %+v, want its handler to have run", d)
			}
			if d := n[0].Drain(time.Second); d.Running || n[0].Signal(syscall.SIGTERM) {
				t.Errorf("drained again: %+v, want no process", d)
			}
			if want := []string{"ready", "got hangup", "got terminated"}; !slices.Equal(w.Log("n1"), want) {
				t.Errorf("n1 wrote %q, want %q", w.Log("n1"), want)
			}
			if !n[1].Running() {
				t.Error("a process ended of SIGUSR2")
			}
		})
	})
}
