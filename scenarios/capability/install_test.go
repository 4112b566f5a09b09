package capability

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

// A conversation on a terminal.
func TestAsk(t *testing.T) {
	list := needs("go >= 1.26 | S1, S2\nrack of servers\ntc")
	for _, c := range []struct {
		in         string
		have, skip string
		err        string
	}{
		{"\n\n", "", "", ""},
		{"", "", "", ""},
		{"golang, rack of servers\nnetem\n", "golang rack of servers", "netem", ""},
		{"nothing\ngo\n\n", "go", "", ""},
		{"a\nb\nc\n", "", "", `found "c", want names of what the plan needs, as they are listed`},
		{"go\ngo\n", "", "", "is said to be there, and to be skipped"},
	} {
		var out bytes.Buffer
		a, err := Known().Ask(Conversation(strings.NewReader(c.in), &out), list)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v, want %q", c.in, err, c.err)
		}
		if err == nil && (strings.Join(a.Have, " ") != c.have || strings.Join(a.Skip, " ") != c.skip) {
			t.Errorf("%q: %+v", c.in, a)
		}
		for _, want := range []string{"  go >= 1.26 (S1, S2): building systems and tests in Go\n", "  rack of servers\n"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("asked\n%s\nwant %q in it", out.String(), want)
			}
		}
	}
}

// Where there is no terminal nothing is asked, and nothing is read.
func TestAskNobody(t *testing.T) {
	in, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer w.Close()
	term := TerminalOf(in, w)
	if term.Asks() {
		t.Error("a pipe is a terminal")
	}
	a, err := Known().Ask(term, needs("go"))
	if err != nil || len(a.Have)+len(a.Skip) > 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestParsePolicy(t *testing.T) {
	somebody, nobody := Conversation(nil, nil), &Terminal{person: absent}
	for _, c := range []struct {
		text string
		on   *Terminal
		want Policy
		err  string
	}{
		{"", somebody, InstallAsk, ""}, {"", nobody, InstallNo, ""}, {"ask", somebody, InstallAsk, ""}, {"ask", nobody, InstallNo, ""},
		{"yes", somebody, InstallYes, ""}, {"yes", nobody, InstallYes, ""}, {"no", somebody, InstallNo, ""},
		{"always", somebody, InstallNo, `install: found "always", want ask, yes or no`},
	} {
		got, err := ParsePolicy(c.text, c.on)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%q: %q, %v, want %q, %q", c.text, got, err, c.want, c.err)
		}
	}
}

// gains makes a program that is installed be there.
func gains(program, command, says string) func(*fake, []string) error {
	return func(f *fake, _ []string) error {
		f.programs = append(f.programs, program)
		f.says[command] = says
		return nil
	}
}

func TestInstall(t *testing.T) {
	strace := gains("strace", "strace --version", "strace -- version 6.1")
	const sudo, plain = "sudo apt-get install -y strace", "apt-get install -y strace"
	for _, c := range []struct {
		name     string
		programs string
		root     bool
		policy   Policy
		input    string // "-" if there is no terminal
		install  func(*fake, []string) error
		ran      string
		status   Status
		note     string
	}{
		{"no", "apt-get sudo", true, InstallNo, "y\n", strace, "", Missing, "not installed: by --install no"},
		{"yes, as root", "apt-get sudo", true, InstallYes, "-", strace, plain, Present, "installed by " + plain},
		{"ask, as root, yes", "apt-get", true, InstallAsk, "y\n", strace, plain, Present, "installed by " + plain},
		{"ask, as root, no", "apt-get", true, InstallAsk, "n\n", strace, "", Missing, "not installed: the user said no"},
		{"ask, no answer", "apt-get", true, InstallAsk, "", strace, "", Missing, "not installed: the user said no"},
		{"ask, nobody", "apt-get", true, InstallAsk, "-", strace, "", Missing, "not installed: by --install no"},
		{"yes, sudo, nobody", "apt-get sudo", false, InstallYes, "-", strace, "", Missing, "not installed: it takes sudo, and nobody is there to ask"},
		{"yes, sudo, no", "apt-get sudo", false, InstallYes, "no\n", strace, "", Missing, "not installed: the user said no"},
		{"yes, sudo, yes", "apt-get sudo", false, InstallYes, "yes\n", strace, sudo, Present, "installed by " + sudo},
		{"no sudo", "apt-get", false, InstallYes, "y\n", strace, "", Missing, "not installed: it takes root's rights: " + plain},
		{"no manager", "sudo", true, InstallYes, "y\n", strace, "", Missing, "not installed: no package manager is there that has it"},
		{"the second manager", "dnf", true, InstallYes, "-", strace, "dnf install -y strace", Present, "installed by dnf install -y strace"},
		{"fails", "apt-get", true, InstallYes, "-", nil, plain, Missing, plain + " failed: exit status 1"},
		{"installs nothing", "apt-get", true, InstallYes, "-", func(*fake, []string) error { return nil }, plain, Missing, "installed by " + plain},
		{"installs an old one", "apt-get", true, InstallYes, "-", gains("strace", "strace --version", "strace 4.2"), plain, Old, "installed by " + plain},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{programs: strings.Fields(c.programs), says: map[string]string{}, install: c.install}
			env := f.env()
			env.Root = c.root
			var out bytes.Buffer
			term := Conversation(strings.NewReader(c.input), &out)
			if c.input == "-" {
				term.person = absent
			}
			table, err := Known().Examine(context.Background(), env, needs("strace >= 5\nstrace >= 5"), Answers{})
			if err != nil {
				t.Fatal(err)
			}
			if err := table.Install(context.Background(), env, term, c.policy); err != nil {
				t.Fatal(err)
			}
			for _, r := range table.Rows {
				if r.Status != c.status || strings.Join(r.Notes, "; ") != c.note {
					t.Errorf("%s, notes %q, want %s, %q", r.Status, r.Notes, c.status, c.note)
				}
			}
			if ran := strings.Join(f.shown, "; "); ran != c.ran {
				t.Errorf("ran %q, want %q", ran, c.ran)
			}
			if asked := strings.Contains(out.String(), "[y/N]"); asked && c.input == "-" {
				t.Errorf("asked nobody: %s", out.String())
			}
			// Whoever says yes to sudo, or to anything, has seen the whole command.
			shown := strings.Index(out.String(), c.ran)
			if c.ran != "" && (shown < 0 || shown > strings.Index(out.String(), "output of")) {
				t.Errorf("%q was not shown before it ran:\n%s", c.ran, out.String())
			}
		})
	}
}

// What the user answered for, what is there, and what no installation helps is left alone.
func TestInstallLeavesAlone(t *testing.T) {
	f := laptop()
	f.install = func(*fake, []string) error { return nil }
	env := f.env()
	env.Root = true
	table, err := Known().Examine(context.Background(), env, needs("python3\nnft\npodman\ntc\nrack\nprometheus"), Answers{Have: []string{"nft", "rack"}, Skip: []string{"podman"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Install(context.Background(), env, Conversation(strings.NewReader(""), &bytes.Buffer{}), InstallYes); err != nil {
		t.Fatal(err)
	}
	if len(f.shown) > 0 {
		t.Errorf("ran %q, want nothing", f.shown)
	}
	for i, want := range []string{"", "the user has it; the probe disagrees: missing", "the user skips it; the probe agrees: missing", "not installed: it is installed, and does not work", "the user has it; no probe knows it", "not installed: no command is known that does"} {
		if got := strings.Join(table.Rows[i].Notes, "; "); got != want {
			t.Errorf("%s: %q, want %q", table.Rows[i].Need, got, want)
		}
	}
}

func TestInstallStops(t *testing.T) {
	cause := errors.New("stop")
	ctx, cancel := context.WithCancelCause(context.Background())
	f := &fake{programs: []string{"apt-get"}, says: map[string]string{}}
	env := f.env()
	env.Root = true
	table, err := Known().Examine(ctx, env, needs("strace\nnft"), Answers{})
	if err != nil {
		t.Fatal(err)
	}
	f.install = func(*fake, []string) error { cancel(cause); return cause }
	if err := table.Install(ctx, env, Conversation(strings.NewReader(""), &bytes.Buffer{}), InstallYes); !errors.Is(err, cause) {
		t.Errorf("%v, want the cause", err)
	}
	if len(f.shown) != 1 {
		t.Errorf("ran %q, want one command", f.shown)
	}
}
