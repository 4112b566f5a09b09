package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
)

// What the doctor says of machines that are not like this one.
func TestDoctorFinds(t *testing.T) {
	noGo := &patient{err: errors.New("go version go1.20 is not known")}
	env := func(kv ...string) *patient {
		p := &patient{env: map[string]string{"GOOS": "linux", "GOARCH": "amd64"}}
		for i := 0; i < len(kv); i += 2 {
			p.env[kv[i]] = kv[i+1]
		}
		return p
	}
	whole := run.Copy{Dir: t.TempDir() + "/goroot/go1.26.8-x", GoVersion: "go1.26.8", Made: true}
	misfit, damaged, missing, nowhere := whole, whole, whole, whole
	misfit.Misfits = []error{errors.New("edit \"status of a goroutine\": found no place")}
	damaged.Damage, damaged.Made = errors.New("runtime/proc.go: got sha256 1, want 2"), false
	missing.Made = false
	nowhere.Dir = "/proc/nowhere/goroot/x"
	for _, c := range []struct {
		of     func(*patient) finding
		p      *patient
		status status
		found  string
	}{
		{goVersion, noGo, statusFail, "go1.20 is not known"},
		{edits, noGo, statusFail, "no Go"},
		{patchedCopy, noGo, statusFail, "no Go"},
		{cache, noGo, statusFail, ""},
		{diskSpace, noGo, statusFail, ""},
		{edits, &patient{copy: misfit}, statusFail, "status of a goroutine"},
		{patchedCopy, &patient{copy: damaged}, statusWarn, "proc.go: got sha256 1"},
		{patchedCopy, &patient{copy: missing}, statusWarn, "not made yet"},
		{patchedCopy, &patient{copy: whole}, statusOK, "go1.26.8-x"},
		{cache, &patient{copy: whole}, statusOK, ""},
		{cache, &patient{copy: nowhere}, statusFail, "/proc/nowhere"},
		{goSettings, env("GOOS", "windows"), statusFail, "builds for windows/amd64"},
		{goSettings, env("GOARCH", "riscv64"), statusFail, "riscv64"},
		{goSettings, env("GOFLAGS", "-mod=mod --toolexec=x"), statusFail, "--toolexec=x"},
		{goSettings, env("GOFLAGS", "-mod=vendor -tags=a,b"), statusOK, "-mod=vendor"},
		{goSettings, env("GOEXPERIMENT", "jsonv2"), statusWarn, "jsonv2"},
		{goSettings, &patient{envErr: errors.New("no go")}, statusFail, "no go"},
		{cgo, env("CGO_ENABLED", "1"), statusOK, "off in scenarios"},
	} {
		if c.p.env["GOARCH"] == "amd64" && c.p.env["GOOS"] == "linux" {
			c.p.env["GOARCH"] = strings.TrimPrefix(platform(nil).Found, "linux/")
		}
		f := c.of(c.p)
		if f.Status != c.status || !strings.Contains(f.Found, c.found) {
			t.Errorf("%s: %q, want %s: %q", f.Status, f.Found, c.status, c.found)
		}
		if (f.Status == statusOK) != (f.Remedy == "") {
			t.Errorf("%s: %q has the remedy %q", f.Status, f.Found, f.Remedy)
		}
	}
}
