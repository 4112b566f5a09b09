package capability

import (
	"context"
	"errors"
	"slices"
	"strings"
)

var backends = Catalogue{
	{
		Name: "sim", Aliases: []string{"simulation", "sim backend", "simulated cluster", "patched toolchain"}, For: "scenarios in a simulated world",
		Check: checkSim, Hint: "orrery doctor says what is missing",
	},
	{
		Name: "real", Aliases: []string{"real backend", "processes", "real cluster"}, For: "nodes as processes of this machine",
		Check: checkSignals, Hint: "run on Linux, where a process may start others",
	},
	{Name: "signals", Aliases: []string{"kill", "sigkill", "sigstop"}, For: "killing, pausing and resuming nodes", Check: checkSignals, Hint: "outside a sandbox that forbids them"},
}

// checkSim looks for what runs need: a Go whose copy can be patched, and a kernel that
// guards them. The copy need not be there yet.
func checkSim(ctx context.Context, env *Env) Found {
	f := Found{How: "orrery doctor"}
	c, err := env.Go(ctx)
	if err != nil {
		return f.but(err.Error())
	}
	f.Version = versionIn(c.GoVersion)
	if len(c.Misfits) > 0 {
		return f.but(c.GoVersion + " in " + c.GoRoot + " differs from the release: " + errors.Join(c.Misfits...).Error())
	}
	if err := env.Kernel(FeatureSeccomp); err != nil {
		return f.but("a process may not filter its own system calls: " + err.Error())
	}
	f.Present, f.How = true, "each edit fits "+c.GoVersion
	return f
}

func checkSignals(ctx context.Context, env *Env) Found {
	return Found{Present: true}.works(ctx, env, "sh", "-c", "sleep 9 & p=$!; kill -STOP $p && kill -CONT $p && kill -KILL $p")
}

var network = Catalogue{
	{
		Name: "network namespaces", Aliases: []string{"netns", "network namespace", "ip netns", "net namespaces"}, For: "nodes with networks of their own",
		Check: checkNamespaces, Ways: packages{apt: "util-linux", dnf: "util-linux"}.ways(), Hint: "run as root, or allow user namespaces",
	},
	{
		Name: "tc", Aliases: []string{"netem", "tc netem", "traffic control"}, For: "delay, loss and reordering of packets",
		Check: shaped("tc", []string{"tc", "-V"}, "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"),
		Ways:  packages{apt: "iproute2", dnf: "iproute-tc"}.ways(), Hint: "a kernel with CONFIG_NET_SCH_NETEM: modprobe sch_netem",
	},
	{
		Name: "nft", Aliases: []string{"nftables"}, For: "partitions and cut links",
		Check: shaped("nft", []string{"nft", "--version"}, "add", "table", "inet", "orrery"),
		Ways:  packages{apt: "nftables", dnf: "nftables"}.ways(), Hint: "a kernel with CONFIG_NF_TABLES",
	},
}

// namespaces are the ways to a network namespace: with root's rights, and without.
var namespaces = [][]string{{"unshare", "--net"}, {"unshare", "--user", "--map-root-user", "--net"}}

func checkNamespaces(ctx context.Context, env *Env) Found { return inNamespace(ctx, env, "true") }

// inNamespace runs a command in a network namespace of its own, which ends with it.
func inNamespace(ctx context.Context, env *Env, argv ...string) Found {
	var f Found
	if _, err := env.LookPath("unshare"); err != nil {
		return Found{How: line(append(slices.Clone(namespaces[0]), argv...)), Reason: "unshare is not in PATH"}
	}
	for _, ns := range namespaces {
		f = Found{Present: true}.works(ctx, env, append(slices.Clone(ns), argv...)...)
		if f.Present {
			break
		}
	}
	return f
}

// shaped checks a tool by what it can do to the network of a namespace of its own.
func shaped(tool string, version []string, args ...string) func(context.Context, *Env) Found {
	return func(ctx context.Context, env *Env) Found {
		v := answers(ctx, env, version...)
		if !v.Present {
			return v
		}
		f := inNamespace(ctx, env, append([]string{tool}, args...)...)
		f.Version, f.Installed = v.Version, true
		return f
	}
}

var files = Catalogue{
	{
		Name: "file-system faults", Aliases: []string{"disk faults", "fs faults", "filesystem faults"}, For: "errors and lost writes of disks",
		Check: anyOf(checkFlakey, checkFUSE, checkLoop), Ways: packages{apt: "fuse3", dnf: "fuse3"}.ways(),
	},
	{
		Name: "dm-flakey", Aliases: []string{"device mapper", "dmsetup"}, For: "disks that lose writes and fail",
		Check: checkFlakey, Ways: packages{apt: "dmsetup", dnf: "device-mapper"}.ways(), Hint: "a kernel with CONFIG_DM_FLAKEY, as root",
	},
	{
		Name: "fuse", Aliases: []string{"fusermount", "libfuse"}, For: "file systems that fail as they are told",
		Check: checkFUSE, Ways: packages{apt: "fuse3", dnf: "fuse3"}.ways(), Hint: "in a container: --device /dev/fuse",
	},
	{
		Name: "loop devices", Aliases: []string{"loop", "losetup", "loop device"}, For: "small file systems that run full",
		Check: checkLoop, Ways: packages{apt: "mount", dnf: "util-linux"}.ways(), Hint: "as root",
	},
}

func checkFlakey(ctx context.Context, env *Env) Found {
	argv := []string{"dmsetup", "targets"}
	f := Found{How: line(argv)}
	if _, err := env.LookPath("dmsetup"); err != nil {
		return f.but("dmsetup is not in PATH")
	}
	f.Installed = true
	out, err := env.Run(ctx, argv...)
	if err != nil {
		return f.but(failure(out, err))
	}
	for text := range strings.Lines(out) {
		if words := strings.Fields(text); len(words) > 0 && words[0] == "flakey" {
			f.Present, f.Version = true, versionIn(text)
			return f
		}
	}
	return f.but("the kernel has no target flakey: modprobe dm-flakey")
}

func checkFUSE(_ context.Context, env *Env) Found {
	f := Found{How: "/dev/fuse"}
	if err := env.Access("/dev/fuse"); err != nil {
		return f.but(err.Error())
	}
	for _, name := range []string{"fusermount3", "fusermount"} {
		if _, err := env.LookPath(name); err == nil {
			f.Present, f.How = true, "/dev/fuse, "+name
			return f
		}
	}
	if env.Root { // who needs no helper to mount
		f.Present = true
		return f
	}
	return f.but("fusermount3 is not in PATH")
}

func checkLoop(ctx context.Context, env *Env) Found {
	if err := env.Access("/dev/loop-control"); err != nil {
		return Found{How: "/dev/loop-control", Reason: err.Error()}
	}
	return answers(ctx, env, "losetup", "--version").works(ctx, env, "losetup", "--find")
}

var kernel = Catalogue{
	{Name: "kernel", Aliases: []string{"linux", "linux kernel", "kernel version"}, For: "features of a version of Linux", Check: checkKernel},
	{
		Name: "seccomp", Aliases: []string{"seccomp filter", "seccomp bpf"}, For: "filters of system calls", Check: featured(FeatureSeccomp),
		Hint: "a kernel with CONFIG_SECCOMP_FILTER, outside a sandbox that forbids it",
	},
	{
		Name: "io_uring", Aliases: []string{"iouring"}, For: "systems that use it", Check: featured(FeatureIOUring),
		Hint: "Linux 5.1, sysctl kernel.io_uring_disabled=0, outside a sandbox that forbids it",
	},
	{Name: "cgroup v2", Aliases: []string{"cgroups", "cgroup", "cgroups v2", "cgroup2"}, For: "limits of memory, CPU and I/O", Check: checkCgroup, Hint: "boot with systemd.unified_cgroup_hierarchy=1"},
	{
		Name: "user namespaces", Aliases: []string{"userns", "user namespace"}, For: "namespaces without root's rights",
		Check: func(ctx context.Context, env *Env) Found {
			return Found{Present: true}.works(ctx, env, "unshare", "--user", "--map-root-user", "true")
		},
		Ways: packages{apt: "util-linux", dnf: "util-linux"}.ways(), Hint: "sysctl user.max_user_namespaces=10000",
	},
	{
		Name: "root", Aliases: []string{"sudo", "root rights", "privileged", "cap_net_admin"}, For: "faults that take root's rights",
		Check: func(_ context.Context, env *Env) Found {
			if env.Root {
				return Found{Present: true, How: "the effective user id"}
			}
			return Found{How: "the effective user id", Reason: "it is not 0"}
		}, Hint: "run as root",
	},
}

func checkKernel(_ context.Context, env *Env) Found {
	const name = "/proc/sys/kernel/osrelease"
	text, err := env.ReadFile(name)
	if err != nil {
		return Found{How: name, Reason: err.Error()}
	}
	return Found{Present: true, Version: versionIn(string(text)), How: name}
}

func featured(what Feature) func(context.Context, *Env) Found {
	return func(_ context.Context, env *Env) Found {
		f := Found{How: "a system call of " + string(what)}
		if err := env.Kernel(what); err != nil {
			return f.but(err.Error())
		}
		f.Present = true
		return f
	}
}

func checkCgroup(_ context.Context, env *Env) Found {
	const name = "/sys/fs/cgroup/cgroup.controllers"
	text, err := env.ReadFile(name)
	if err != nil {
		return Found{How: name, Reason: err.Error()}
	}
	return Found{Present: true, How: name + ": " + strings.TrimSpace(string(text))}
}
