package sim

import (
	"fmt"
	"os"

	"github.com/orrery-sim/orrery/sim/internal/rt"
)

// Program is a program that nodes can run. Make one with [NewProgram] at package
// level: its name is how a process of another backend finds it.
type Program struct {
	name string
	main func()
}

var programs = map[string]*Program{}

// NewProgram registers main under a name. The program gets its arguments, its
// environment, its files and its network, and nothing else: what it captures of
// the test's memory would not reach a real process. It panics if the name is
// taken or empty.
func NewProgram(name string, main func()) *Program {
	if name == "" || main == nil || programs[name] != nil {
		panic(fmt.Sprintf("sim: program %q: want a name of its own and a function", name))
	}
	p := &Program{name, main}
	programs[name] = p
	return p
}

// Name returns the name that the program is registered by.
func (p *Program) Name() string { return p.name }

// exec is the life of a process's first goroutine: it sees its own arguments,
// environment and standard library, runs main, and exits.
func (p *Program) exec(args, env []string) {
	become(args, env)
	p.main()
	os.Exit(0)
}

// become makes the standard library's variables those of a new process.
func become(args, env []string) {
	os.Args = args
	os.Clearenv()
	for _, kv := range env {
		for i := 1; i < len(kv); i++ {
			if kv[i] == '=' {
				os.Setenv(kv[:i], kv[i+1:])
				break
			}
		}
	}
	rt.Fresh()
}
