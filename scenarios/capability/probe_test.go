package capability

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
)

const (
	netem     = "tc qdisc add dev lo root netem delay 1ms"
	signals   = "sh -c 'sleep 9 & p=$!; kill -STOP $p && kill -CONT $p && kill -KILL $p'"
	docker    = "docker version --format '{{.Server.Version}}'"
	podman    = "podman info --format '{{.Version.Version}}'"
	asUser    = "unshare --user --map-root-user --net "
	asRoot    = "unshare --net "
	buildinfo = "http://p:9090/api/v1/status/buildinfo"
)

// Each probe on machines where it finds something, and on the nearest ones where it
// does not.
func TestProbes(t *testing.T) {
	seccomp := []Feature{FeatureSeccomp}
	whole := run.Copy{GoVersion: "go1.26.8", GoRoot: "/go"}
	misfit := whole
	misfit.Misfits = []error{errors.New("edit 1: found no place")}
	for _, c := range []struct {
		probe string
		on    fake
		root  bool
		want  Found
	}{
		{"docker", fake{}, false, Found{How: docker, Reason: "docker is not in PATH"}},
		{"docker", fake{programs: []string{"docker"}}, false, Found{How: docker, Reason: "no: docker (exit status 1)", Installed: true}},
		{"docker", fake{programs: []string{"docker"}, says: map[string]string{docker: "24.0.7\n"}}, false, Found{Present: true, Version: "24.0.7", How: docker, Installed: true}},
		{"container runtime", fake{programs: []string{"docker", "podman"}, says: map[string]string{podman: "5.2"}}, false, Found{Present: true, Version: "5.2", How: podman, Installed: true}},
		{"container runtime", fake{programs: []string{"docker"}}, false, Found{How: docker + "; " + podman, Reason: "no: docker (exit status 1); podman is not in PATH"}},
		{"go", fake{programs: []string{"go"}, says: map[string]string{"go version": "go version go1.26.8 linux/amd64"}}, false, Found{Present: true, Version: "1.26.8", How: "go version", Installed: true}},
		{"java", fake{programs: []string{"java"}, says: map[string]string{"java -version": "openjdk version \"21\" 2023-09-19\n"}}, false, Found{Present: true, Version: "21", How: "java -version", Installed: true}},
		{"make", fake{programs: []string{"make"}, says: map[string]string{"make --version": "a make of its own\n"}}, false, Found{Present: true, How: "make --version", Installed: true}},
		{"sim", fake{copy: whole, features: seccomp}, false, Found{Present: true, Version: "1.26.8", How: "each edit fits go1.26.8"}},
		{"sim", fake{copy: whole}, false, Found{Version: "1.26.8", How: "orrery doctor", Reason: "a process may not filter its own system calls: function not implemented"}},
		{"sim", fake{copy: misfit, features: seccomp}, false, Found{Version: "1.26.8", How: "orrery doctor", Reason: "go1.26.8 in /go differs from the release: edit 1: found no place"}},
		{"sim", fake{goErr: errors.New("go1.20 is not known"), features: seccomp}, false, Found{How: "orrery doctor", Reason: "go1.20 is not known"}},
		{"real", fake{says: map[string]string{signals: ""}}, false, Found{Present: true, How: signals}},
		{"signals", fake{}, false, Found{How: signals, Reason: "no: sh (exit status 1)"}},
		{"network namespaces", fake{}, true, Found{How: asRoot + "true", Reason: "unshare is not in PATH"}},
		{"network namespaces", fake{programs: []string{"unshare"}, says: map[string]string{asRoot + "true": ""}}, true, Found{Present: true, How: asRoot + "true"}},
		{"network namespaces", fake{programs: []string{"unshare"}, says: map[string]string{asUser + "true": ""}}, false, Found{Present: true, How: asUser + "true"}},
		{"network namespaces", fake{programs: []string{"unshare"}}, false, Found{How: asUser + "true", Reason: "no: unshare (exit status 1)"}},
		{"tc", fake{programs: []string{"unshare"}}, true, Found{How: "tc -V", Reason: "tc is not in PATH"}},
		{
			"tc", fake{programs: []string{"tc", "unshare"}, says: map[string]string{"tc -V": "tc utility, iproute2-6.1.0, libbpf 1.3.0"}}, true,
			Found{Version: "6.1.0", How: asUser + netem, Reason: "no: unshare (exit status 1)", Installed: true},
		},
		{
			"tc", fake{programs: []string{"tc", "unshare"}, says: map[string]string{"tc -V": "tc utility, iproute2-6.1.0", asRoot + netem: ""}}, true,
			Found{Present: true, Version: "6.1.0", How: asRoot + netem, Installed: true},
		},
		{
			"nft", fake{programs: []string{"nft", "unshare"}, says: map[string]string{"nft --version": "nftables v1.0.6", asUser + "nft add table inet orrery": ""}}, false,
			Found{Present: true, Version: "1.0.6", How: asUser + "nft add table inet orrery", Installed: true},
		},
		{"dm-flakey", fake{programs: []string{"dmsetup"}, says: map[string]string{"dmsetup targets": "linear  v1.4.0\nflakey  v1.5.0\n"}}, true, Found{Present: true, Version: "1.5.0", How: "dmsetup targets", Installed: true}},
		{"dm-flakey", fake{programs: []string{"dmsetup"}, says: map[string]string{"dmsetup targets": "linear  v1.4.0\n"}}, true, Found{How: "dmsetup targets", Reason: "the kernel has no target flakey: modprobe dm-flakey", Installed: true}},
		{"dm-flakey", fake{}, true, Found{How: "dmsetup targets", Reason: "dmsetup is not in PATH"}},
		{"fuse", fake{programs: []string{"fusermount"}}, true, Found{How: "/dev/fuse", Reason: "permission denied"}},
		{"fuse", fake{devices: []string{"/dev/fuse"}}, false, Found{How: "/dev/fuse", Reason: "fusermount3 is not in PATH"}},
		{"fuse", fake{devices: []string{"/dev/fuse"}}, true, Found{Present: true, How: "/dev/fuse"}},
		{"fuse", fake{devices: []string{"/dev/fuse"}, programs: []string{"fusermount"}}, false, Found{Present: true, How: "/dev/fuse, fusermount"}},
		{"loop devices", fake{programs: []string{"losetup"}}, true, Found{How: "/dev/loop-control", Reason: "permission denied"}},
		{
			"loop devices", fake{devices: []string{"/dev/loop-control"}, programs: []string{"losetup"}, says: map[string]string{"losetup --version": "losetup from util-linux 2.38.1", "losetup --find": "/dev/loop0"}}, true,
			Found{Present: true, Version: "2.38.1", How: "losetup --find", Installed: true},
		},
		{"file-system faults", fake{devices: []string{"/dev/fuse"}}, true, Found{Present: true, How: "/dev/fuse"}},
		{"kernel", fake{has: map[string]string{"/proc/sys/kernel/osrelease": "6.18.44-generic\n"}}, false, Found{Present: true, Version: "6.18.44", How: "/proc/sys/kernel/osrelease"}},
		{"kernel", fake{}, false, Found{How: "/proc/sys/kernel/osrelease", Reason: "no such file or directory"}},
		{"seccomp", fake{features: seccomp}, false, Found{Present: true, How: "a system call of seccomp"}},
		{"io_uring", fake{features: seccomp}, false, Found{How: "a system call of io_uring", Reason: "function not implemented"}},
		{"cgroup v2", fake{has: map[string]string{"/sys/fs/cgroup/cgroup.controllers": "cpu io\n"}}, false, Found{Present: true, How: "/sys/fs/cgroup/cgroup.controllers: cpu io"}},
		{"cgroup v2", fake{}, false, Found{How: "/sys/fs/cgroup/cgroup.controllers", Reason: "no such file or directory"}},
		{"user namespaces", fake{says: map[string]string{"unshare --user --map-root-user true": ""}}, false, Found{Present: true, How: "unshare --user --map-root-user true"}},
		{"root", fake{}, true, Found{Present: true, How: "the effective user id"}},
		{"root", fake{}, false, Found{How: "the effective user id", Reason: "it is not 0"}},
		{"perf", fake{programs: []string{"perf"}, says: map[string]string{"perf --version": "perf version 6.1.9"}}, false, Found{Version: "6.1.9", How: "perf stat -e task-clock true", Reason: "no: perf (exit status 1)", Installed: true}},
		{"bpftrace", fake{programs: []string{"bpftrace"}, says: map[string]string{"bpftrace --version": "bpftrace v0.17.0", "bpftrace -e 'BEGIN { exit(); }'": ""}}, true, Found{Present: true, Version: "0.17.0", How: "bpftrace -e 'BEGIN { exit(); }'", Installed: true}},
		{"prometheus", fake{pages: map[string]string{buildinfo: `{"status":"success","data":{"version":"2.53.0"}}`}}, false, Found{Present: true, Version: "2.53.0", How: "GET " + buildinfo}},
		{"prometheus", fake{}, false, Found{How: "GET " + buildinfo, Reason: "connection refused"}},
	} {
		p, err := Known().Find(c.probe)
		if err != nil {
			t.Fatal(err)
		}
		env := c.on.env()
		env.Root, env.Prometheus = c.root, "http://p:9090"
		if got := p.check(context.Background(), env); got != c.want {
			t.Errorf("%s:\n%+v, want\n%+v", c.probe, got, c.want)
		}
	}
}

func TestNoPrometheus(t *testing.T) {
	want := Found{How: "none asked", Reason: "no endpoint was given"}
	if got := checkPrometheus(context.Background(), (&fake{}).env()); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Every probe says what is missing on a machine that has nothing, how it knows, and
// what one can do about it. No two probes share a name.
func TestKnown(t *testing.T) {
	owner := map[string]string{}
	for _, p := range Known() {
		f := p.check(context.Background(), (&fake{goErr: errors.New("no go")}).env())
		if f.Present || f.How == "" || f.Reason == "" {
			t.Errorf("%s: %+v on a machine with nothing", p.Name, f)
		}
		if p.For == "" || len(p.Ways) == 0 && p.Hint == "" && p.Name != "kernel" {
			t.Errorf("%s: it does not say what it is for, or how to get it", p.Name)
		}
		for _, n := range p.names() {
			if other := owner[normal(n)]; other != "" {
				t.Errorf("%q is a name of %s and of %s", n, other, p.Name)
			}
			owner[normal(n)] = p.Name
		}
		for _, w := range p.Ways {
			if w.Command[0] != w.Manager || strings.Contains(w.String(), "sudo") {
				t.Errorf("%s: %s is no command of %s", p.Name, w, w.Manager)
			}
		}
	}
}

// A probe that does not answer is missing, in the time that it has.
func TestProbeHangs(t *testing.T) {
	env := (&fake{programs: []string{"go"}}).env()
	env.Timeout = 20 * time.Millisecond
	env.Run = func(ctx context.Context, _ ...string) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}
	p, err := Known().Find("go")
	if err != nil {
		t.Fatal(err)
	}
	if f := p.check(context.Background(), env); f.Present || f.Reason != "no answer within 20ms" {
		t.Errorf("%+v", f)
	}
}

// This machine has the Go that runs this test.
func TestMachine(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	table, err := Known().Examine(context.Background(), Machine("."), needs("go >= 1.20\ngo >= 99\nkernel >= 3"), Answers{})
	if err != nil {
		t.Fatal(err)
	}
	r := table.Rows[0]
	if r.Status != Present || !strings.HasPrefix(r.Found.Version, "1.") || r.Found.How != "go version" {
		t.Errorf("go: %+v, want it present (this is %s)", r.Found, runtime.Version())
	}
	if s := table.Rows[1].Status; s != Old {
		t.Errorf("go >= 99: %s, want %s", s, Old)
	}
	if runtime.GOOS == "linux" && table.Rows[2].Status != Present {
		t.Errorf("kernel: %+v", table.Rows[2].Found)
	}
}

// Asking the kernel does nothing, and knows its questions.
func TestFeatureAsk(t *testing.T) {
	if err := Feature("none").Ask(); err == nil {
		t.Error("a feature that is not known: no error")
	}
	for _, f := range []Feature{FeatureSeccomp, FeatureIOUring} {
		a, b := f.Ask(), f.Ask()
		if a != b {
			t.Errorf("%s: %v, then %v", f, a, b)
		}
	}
}
