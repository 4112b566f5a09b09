package toolbox

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/orrery-sim/orrery/scenarios/driver"
)

// interpreters call scripts that are not executable themselves.
var interpreters = map[string]string{
	".sh": "sh", ".bash": "bash", ".py": "python3", ".rb": "ruby", ".pl": "perl", ".js": "node", ".mjs": "node", ".ts": "npx tsx",
}

// isScript knows what can be started: executables, and sources of interpreters.
func isScript(f *file) bool {
	return f.executable() || interpreters[f.ext()] != ""
}

// scriptCall is how a script is started: by itself if it can be, else by the interpreter that its
// first line names, else by that of its kind.
func scriptCall(f *file) []string {
	if f.executable() {
		return []string{"./" + f.path}
	}
	first, _, _ := strings.Cut(f.text(), "\n")
	if line, ok := strings.CutPrefix(first, "#!"); ok {
		if words := strings.Fields(line); len(words) > 0 {
			if path.Base(words[0]) == "env" && len(words) > 1 && !strings.HasPrefix(words[1], "-") {
				words = words[1:]
			}
			return append(words, f.path)
		}
	}
	return append(strings.Fields(interpreters[f.ext()]), f.path)
}

// declaration is how a driver says that it is one. The marks before it start comments.
var declaration = regexp.MustCompile(`^\s*(?:#|//|--|;|%|/?\*)+\s*orrery-driver:\s*(\S+)`)

// declarationLines is within how many lines it has to be.
const declarationLines = 20

// declared returns the version of the contract that a file declares, "" if it does not.
func declared(f *file) string {
	n := 0
	for line := range strings.Lines(f.text()) {
		if n++; n > declarationLines {
			break
		}
		if m := declaration.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return ""
}

func isDriver(f *file) bool {
	return isScript(f) && declared(f) != ""
}

func driverTools(f *file) []Tool {
	return f.search.driver(f, Tool{Kind: KindDriver, Path: f.path, Argv: scriptCall(f)})
}

// driver returns a driver of this version of the contract, and leaves out others.
func (s *search) driver(f *file, t Tool) []Tool {
	if v := declared(f); v != fmt.Sprint(driver.Version) {
		s.omit(f.path, fmt.Sprintf("a driver of the contract's version %s: want %d", v, driver.Version))
		return nil
	}
	t.Note = fmt.Sprintf("contract %d", driver.Version)
	return []Tool{t}
}

// words parts a name where its letters change: "bring-up_devCluster2.sh" is bring, up,
// dev, cluster, sh.
func words(name string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
		start := 0
		for i, r := range part {
			if i > 0 && unicode.IsUpper(r) && unicode.IsLower(rune(part[i-1])) {
				out = append(out, strings.ToLower(part[start:i]))
				start = i
			}
		}
		out = append(out, strings.ToLower(part[start:]))
	}
	return out
}

// Words of names that tell what something is for; of two words, both have to be there,
// one after the other.
var (
	workloadWords = []string{
		"workload", "workloads", "loadgen", "loadgenerator", "loadtest", "load gen", "load generator", "load test", "traffic",
		"stress", "soak", "bench", "benchmark", "ycsb", "tpcc", "tpch", "sysbench", "vegeta", "wrk", "hammer",
	}
	clusterWords = []string{
		"cluster", "devcluster", "minicluster", "bringup", "bring up", "spinup", "spin up", "start", "launch", "deploy", "up",
	}
	stopWords = []string{"stop", "down", "teardown", "tear", "kill", "destroy", "delete", "clean", "cleanup"}
)

// told reports whether a name has one of some words.
func told(name string, by []string) bool {
	has := " " + strings.Join(words(name), " ") + " "
	return slices.ContainsFunc(by, func(w string) bool { return strings.Contains(has, " "+w+" ") })
}

// bringsUp are commands in a script that bring a cluster up.
var bringsUp = regexp.MustCompile(`(?m)^[^#\n]*\b(?:docker[ -]compose\b[^\n]*\bup\b|kind create cluster|k3d cluster create|minikube start|vagrant up|helm (?:install|upgrade)|kubectl (?:apply|create))\b`)

// scriptTools tells what a script is for by its name, and for clusters by its commands.
func scriptTools(f *file) []Tool {
	t := Tool{Path: f.path, Argv: scriptCall(f)}
	stem := strings.TrimSuffix(f.base(), f.ext())
	switch {
	case told(stem, workloadWords):
		t.Kind = KindWorkload
	case told(stem, stopWords):
		return nil
	case told(stem, clusterWords):
		t.Kind = KindCluster
	case bringsUp.MatchString(f.text()):
		t.Kind, t.Note = KindCluster, "by its commands"
	default:
		return nil
	}
	return []Tool{t}
}

// isWorkload knows the files of load generators.
func isWorkload(f *file) bool { return workloadCall(f) != nil }

func workloadTools(f *file) []Tool {
	return []Tool{{Kind: KindWorkload, Path: f.path, Argv: workloadCall(f)}}
}

var importsK6 = regexp.MustCompile(`(?m)^\s*import\b.*['"]k6(?:/[^'"]*)?['"]`)

func workloadCall(f *file) []string {
	switch {
	case f.base() == "locustfile.py":
		return []string{"locust", "-f", f.path}
	case f.ext() == ".jmx":
		return []string{"jmeter", "-n", "-t", f.path}
	case (f.ext() == ".js" || f.ext() == ".ts") && importsK6.MatchString(f.text()):
		return []string{"k6", "run", f.path}
	}
	return nil
}
