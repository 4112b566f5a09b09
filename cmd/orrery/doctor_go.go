package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

// patient is the machine, and the Go in use on it.
type patient struct {
	ctx    context.Context
	copy   run.Copy
	err    error             // why there is no Go that could be copied
	env    map[string]string // of the go command
	envErr error
}

func (a *app) patient(ctx context.Context) *patient {
	p := &patient{ctx: ctx}
	p.copy, p.err = run.Inspect(ctx, ".")
	p.env, p.envErr = goEnv(ctx, "GOFLAGS", "GOEXPERIMENT", "GOOS", "GOARCH", "CGO_ENABLED", "GOTOOLCHAIN")
	return p
}

func goEnv(ctx context.Context, names ...string) (map[string]string, error) {
	c := exec.CommandContext(ctx, "go", append([]string{"env", "-json"}, names...)...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	env := map[string]string{}
	return env, json.Unmarshal(out, &env)
}

func platform(*patient) finding {
	here := runtime.GOOS + "/" + runtime.GOARCH
	if here == "linux/amd64" || here == "linux/arm64" {
		return ok("%s", here)
	}
	return fail("run in a container: docker run --rm -v \"$PWD\":/src -w /src golang:1.26 go tool orrery doctor", "%s: want linux/amd64 or linux/arm64", here)
}

func goVersion(p *patient) finding {
	if p.err != nil {
		return fail("install a release that is named, or choose one by GOTOOLCHAIN or the toolchain line of go.mod", "%v", p.err)
	}
	return ok("%s in %s", p.copy.GoVersion, p.copy.GoRoot)
}

func edits(p *patient) finding {
	if p.err != nil {
		return fail("see go", "there is no Go to look at")
	}
	if len(p.copy.Misfits) > 0 {
		return fail("use an unchanged release of Go, or an orrery that knows this one", "%s in %s differs from the release: %v", p.copy.GoVersion, p.copy.GoRoot, errors.Join(p.copy.Misfits...))
	}
	return ok("each fits %s", p.copy.GoVersion)
}

func patchedCopy(p *patient) finding {
	switch {
	case p.err != nil:
		return fail("see go", "there is no Go to copy")
	case p.copy.Damage != nil:
		return warn("nothing: the next command makes it again", "damaged: %v", p.copy.Damage)
	case !p.copy.Made:
		return warn("orrery goroot: makes it now, in seconds; the first build with it takes a minute or more", "not made yet: %s", p.copy.Dir)
	}
	return ok("%s", p.copy.Dir)
}

// flagsAgainst are flags of GOFLAGS that builds of scenarios do not get along with.
var flagsAgainst = []string{"-overlay", "-toolexec", "-linkshared", "-buildmode", "-compiler", "-msan", "-asan"}

func goSettings(p *patient) finding {
	if p.envErr != nil {
		return fail("see go", "%v", p.envErr)
	}
	if goos := p.env["GOOS"] + "/" + p.env["GOARCH"]; goos != runtime.GOOS+"/"+runtime.GOARCH {
		return fail("unset GOOS and GOARCH, and 'go env -u' them: a scenario runs where it is built", "go builds for %s, this is %s/%s", goos, runtime.GOOS, runtime.GOARCH)
	}
	flags := strings.Fields(p.env["GOFLAGS"])
	for _, f := range flags {
		name, _, _ := strings.Cut(strings.Replace(f, "--", "-", 1), "=")
		if slices.Contains(flagsAgainst, name) {
			return fail("take it out of GOFLAGS", "GOFLAGS has %s, with which scenarios are not built", f)
		}
	}
	if x := p.env["GOEXPERIMENT"]; x != "" {
		return warn("unset GOEXPERIMENT: runs are the same wherever it is the same, and the edits are tested without", "GOEXPERIMENT=%s", x)
	}
	if len(flags) > 0 {
		return ok("GOFLAGS=%s", strings.Join(flags, " "))
	}
	return ok("no GOFLAGS, no GOEXPERIMENT")
}

func cgo(p *patient) finding {
	if p.envErr == nil && p.env["CGO_ENABLED"] == "1" {
		return ok("on here, off in scenarios: build with CGO_ENABLED=0 to see whether a system can")
	}
	return ok("off, as in scenarios")
}

func cache(p *patient) finding {
	if p.err != nil {
		return fail("see go", "its place depends on the Go in use")
	}
	base := filepath.Dir(filepath.Dir(p.copy.Dir))
	if err := writable(base); err != nil {
		return fail("set ORRERY_CACHE to a folder on a local disk that can be written", "%v", err)
	}
	return ok("%s", base)
}
