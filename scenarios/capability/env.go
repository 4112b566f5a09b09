package capability

import "context"

// Env is the machine as probes see it. Tests replace its functions.
type Env struct {
	LookPath func(name string) (string, error)
	// Run runs a command and returns what it printed, both streams together.
	Run func(ctx context.Context, argv ...string) (string, error)
}
