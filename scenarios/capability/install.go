package capability

import (
	"context"
	"fmt"
	"slices"
)

// Policy says whether something may be installed.
type Policy string

// The policies of --install.
const (
	InstallAsk Policy = "ask" // each command is shown, and run after a yes
	InstallYes Policy = "yes" // commands without sudo are run, those with it asked for
	InstallNo  Policy = "no"
)

// ParsePolicy reads a policy. "" is ask on a terminal, and no elsewhere.
func ParsePolicy(text string, t *Terminal) (Policy, error) {
	switch p := Policy(text); p {
	case InstallAsk, InstallYes, InstallNo:
		return p.on(t), nil
	case "":
		return InstallAsk.on(t), nil
	}
	return InstallNo, fmt.Errorf("install: found %q, want %s, %s or %s", text, InstallAsk, InstallYes, InstallNo)
}

// on is the policy where nobody may be there to ask.
func (p Policy) on(t *Terminal) Policy {
	if p == InstallAsk && !t.Asks() {
		return InstallNo
	}
	return p
}

// Install installs what is missing or too old, as far as the policy and the user allow, and
// probes again. Each command is shown before it runs, and its output while it does.
// Sudo is used only after a yes to a line that shows the whole command, and so never
// without a terminal. What the user answered for, has or skips, is left alone.
//
// A command that fails is told in the row's notes; the error is ctx's cause, or that of
// a terminal that cannot be read.
func (t *Table) Install(ctx context.Context, env *Env, term *Terminal, policy Policy) error {
	policy = policy.on(term)
	ran := map[string]Row{} // by the probe's name
	for i := range t.Rows {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		r := &t.Rows[i]
		if r.Status != Missing && r.Status != Old || r.Probe.Check == nil {
			continue
		}
		if done, ok := ran[r.Probe.Name]; ok {
			r.again(done.Found, done.Notes)
			continue
		}
		if err := r.install1(ctx, env, term, policy); err != nil {
			return err
		}
		ran[r.Probe.Name] = *r
	}
	return context.Cause(ctx)
}

// install1 installs for one row.
func (r *Row) install1(ctx context.Context, env *Env, term *Terminal, policy Policy) error {
	command, why := r.command(env)
	if command == nil {
		r.Notes = append(r.Notes, "not installed: "+why)
		return nil
	}
	consent, err := term.consent(r.Probe.Name, command, policy)
	if err != nil {
		return err
	}
	if consent != "" {
		r.Notes = append(r.Notes, "not installed: "+consent)
		return nil
	}
	fmt.Fprintf(term.out, "Installing %s: %s\n", r.Probe.Name, line(command))
	if err := env.Show(ctx, term.out, command...); err != nil {
		r.again(r.Probe.check(ctx, env), []string{fmt.Sprintf("%s failed: %v", line(command), err)})
		return nil
	}
	r.again(r.Probe.check(ctx, env), []string{"installed by " + line(command)})
	return nil
}

// again judges by what was found after an installation.
func (r *Row) again(found Found, notes []string) {
	r.Found = found
	r.Status = r.probed()
	r.Notes = slices.Concat(r.Notes, notes)
}

// command is how this machine installs it; nil and why if it cannot.
func (r *Row) command(env *Env) (argv []string, why string) {
	ways := r.ways()
	switch {
	case len(ways) > 0:
		why = "no package manager is there that has it"
	case r.Found.Installed:
		why = "it is installed, and does not work"
	default:
		why = "no command is known that does"
	}
	for _, w := range ways {
		if _, err := env.LookPath(w.Manager); err != nil {
			continue
		}
		if !w.Root || env.Root {
			return w.Command, ""
		}
		if _, err := env.LookPath("sudo"); err == nil {
			return append([]string{"sudo"}, w.Command...), ""
		}
		why = "it takes root's rights: " + w.String()
	}
	return nil, why
}

// consent is "" if a command may run, else why not.
func (t *Terminal) consent(name string, command []string, policy Policy) (string, error) {
	sudo := command[0] == "sudo"
	switch {
	case policy == InstallNo:
		return "by --install no", nil
	case policy == InstallYes && !sudo:
		return "", nil
	case !t.Asks():
		return "it takes sudo, and nobody is there to ask", nil
	}
	text, err := t.line(fmt.Sprintf("Install %s by this command?\n  %s\n[y/N] ", name, line(command)))
	if err != nil {
		return "", err
	}
	if text == "y" || text == "Y" || text == "yes" {
		return "", nil
	}
	return "the user said no", nil
}
