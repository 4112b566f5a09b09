package capability

import "context"

var containers = Catalogue{
	{
		Name: "container runtime", Aliases: []string{"containers", "docker or podman", "container engine", "oci runtime"},
		For: "starting a cluster in containers", Check: anyOf(checkDocker, checkPodman), Ways: packages{apt: "podman", dnf: "podman", brew: "podman"}.ways(),
	},
	{
		Name: "docker", Aliases: []string{"docker engine", "dockerd"},
		For: "starting a cluster in containers", Check: checkDocker,
		Ways: packages{apt: "docker.io", dnf: "moby-engine", brew: "colima docker"}.ways(), Hint: "start the daemon: systemctl start docker",
	},
	{Name: "podman", For: "starting a cluster in containers", Check: checkPodman, Ways: packages{apt: "podman", dnf: "podman", brew: "podman"}.ways()},
	tool("docker compose", "bringing a compose file up", []string{"docker", "compose", "version", "--short"},
		packages{apt: "docker-compose-v2", dnf: "docker-compose", brew: "docker-compose"}, "compose"),
	tool("kubectl", "a cluster on Kubernetes", []string{"kubectl", "version", "--client"}, packages{brew: "kubectl"}, "kubernetes"),
	tool("kind", "a cluster on Kubernetes in containers", []string{"kind", "version"}, packages{brew: "kind", goInstall: "sigs.k8s.io/kind@latest"}),
	tool("k6", "load over HTTP and gRPC", []string{"k6", "version"}, packages{brew: "k6", goInstall: "go.k6.io/k6@latest"}),
}

// checkDocker asks the daemon: a client without one starts nothing.
func checkDocker(ctx context.Context, env *Env) Found {
	return answers(ctx, env, "docker", "version", "--format", "{{.Server.Version}}")
}

func checkPodman(ctx context.Context, env *Env) Found {
	return answers(ctx, env, "podman", "info", "--format", "{{.Version.Version}}")
}

var toolchains = Catalogue{
	tool("go", "building systems and tests in Go", []string{"go", "version"}, packages{apt: "golang-go", dnf: "golang", brew: "go"}, "golang", "go toolchain"),
	tool("python3", "drivers and scripts in Python", []string{"python3", "--version"}, packages{apt: "python3", dnf: "python3", brew: "python"}, "python"),
	tool("gcc", "building C, and Go with cgo", []string{"gcc", "--version"}, packages{apt: "gcc", dnf: "gcc", brew: "gcc"}, "c compiler", "cc"),
	tool("clang", "building C and BPF", []string{"clang", "--version"}, packages{apt: "clang", dnf: "clang", brew: "llvm"}),
	tool("java", "systems on the JVM", []string{"java", "-version"}, packages{apt: "default-jre-headless", dnf: "java-latest-openjdk-headless", brew: "openjdk"}, "jvm", "jre", "jdk"),
	tool("node", "drivers and scripts in JavaScript", []string{"node", "--version"}, packages{apt: "nodejs", dnf: "nodejs", brew: "node"}, "nodejs", "node.js"),
	tool("cargo", "building systems in Rust", []string{"cargo", "--version"}, packages{apt: "cargo", dnf: "cargo", brew: "rust"}, "rust"),
	tool("make", "targets of Makefiles", []string{"make", "--version"}, packages{apt: "make", dnf: "make", brew: "make"}, "gnu make"),
	tool("git", "fetching revisions", []string{"git", "--version"}, packages{apt: "git", dnf: "git", brew: "git"}),
}

var observation = Catalogue{
	{
		Name: "perf", Aliases: []string{"linux perf", "perf events"}, For: "profiles of a running system", Ways: packages{apt: "linux-perf", dnf: "perf"}.ways(),
		Hint: "sysctl kernel.perf_event_paranoid=1",
		Check: func(ctx context.Context, env *Env) Found {
			return answers(ctx, env, "perf", "--version").works(ctx, env, "perf", "stat", "-e", "task-clock", "true")
		},
	},
	{
		Name: "bpftrace", Aliases: []string{"bpf", "ebpf"}, For: "traces of the kernel", Ways: packages{apt: "bpftrace", dnf: "bpftrace"}.ways(), Hint: "run as root",
		Check: func(ctx context.Context, env *Env) Found {
			return answers(ctx, env, "bpftrace", "--version").works(ctx, env, "bpftrace", "-e", "BEGIN { exit(); }")
		},
	},
	tool("tcpdump", "packets on the wire", []string{"tcpdump", "--version"}, packages{apt: "tcpdump", dnf: "tcpdump", brew: "tcpdump"}, "packet capture"),
	tool("strace", "system calls of a process", []string{"strace", "--version"}, packages{apt: "strace", dnf: "strace"}),
	{
		Name: "prometheus", Aliases: []string{"prometheus endpoint", "metrics endpoint"}, For: "metrics of the system", Hint: "give the URL of an endpoint",
		Check: checkPrometheus,
	},
}

func checkPrometheus(ctx context.Context, env *Env) Found {
	if env.Prometheus == "" {
		return Found{How: "none asked", Reason: "no endpoint was given"}
	}
	url := env.Prometheus + "/api/v1/status/buildinfo"
	f := Found{How: "GET " + url}
	text, err := env.Get(ctx, url)
	if err != nil {
		return f.but(err.Error())
	}
	f.Present, f.Version = true, versionIn(text)
	return f
}
