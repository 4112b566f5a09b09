package toolbox

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

func isMakefile(f *file) bool {
	return f.base() == "Makefile" || f.base() == "makefile" || f.base() == "GNUmakefile"
}

var (
	makeRule   = regexp.MustCompile(`^([A-Za-z0-9_][^:=#\t]*?)\s*::?(?:[^:=]|$)`)
	makeAssign = regexp.MustCompile(`^[^:]*:{1,3}=`)
	makeHelp   = regexp.MustCompile(`##\s*(.+)$`)
)

// makeTools lists targets that are named for people: no files of other folders, no
// patterns, no names that are made.
func makeTools(f *file) []Tool {
	var out []Tool
	seen := map[string]bool{}
	for line := range strings.Lines(f.text()) {
		line = strings.TrimRight(line, "\r\n")
		m := makeRule.FindStringSubmatch(line)
		if m == nil || makeAssign.MatchString(line) {
			continue
		}
		note := ""
		if h := makeHelp.FindStringSubmatch(line); h != nil {
			note = h[1]
		}
		for _, name := range strings.Fields(m[1]) {
			if seen[name] || strings.ContainsAny(name, "/%$()") {
				continue
			}
			seen[name] = true
			out = append(out, Tool{Kind: KindTarget, Path: f.path, Name: name, Argv: append(within("make", "-C", f), name), Note: note})
		}
	}
	return out
}

// within is a command that is told by a flag to work in the file's folder.
func within(command, flag string, f *file) []string {
	if f.dir() == "." {
		return []string{command}
	}
	return []string{command, flag, f.dir()}
}

func isTaskfile(f *file) bool {
	return slices.Contains([]string{"Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml"}, f.base())
}

func taskTools(f *file) []Tool {
	doc, err := parseYAML(f)
	if err != nil {
		return nil
	}
	tasks := fields(doc["tasks"])
	var out []Tool
	for _, name := range slices.Sorted(maps.Keys(tasks)) {
		note, _ := fields(tasks[name])["desc"].(string)
		out = append(out, Tool{Kind: KindTarget, Path: f.path, Name: name, Argv: append(within("task", "-d", f), name), Note: note})
	}
	return out
}

func isJustfile(f *file) bool {
	return strings.EqualFold(f.base(), "justfile") || f.base() == ".justfile"
}

var justRecipe = regexp.MustCompile(`^@?([A-Za-z][A-Za-z0-9_-]*)(?:\s[^:=#]*(?:=[^:#]*)?)?:(?:[^=]|$)`)

func justTools(f *file) []Tool {
	var out []Tool
	for line := range strings.Lines(f.text()) {
		if m := justRecipe.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			out = append(out, Tool{Kind: KindTarget, Path: f.path, Name: m[1], Argv: []string{"just", "-f", f.path, m[1]}})
		}
	}
	return out
}

func isPackageJSON(f *file) bool { return f.base() == "package.json" }

func npmTools(f *file) []Tool {
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if err := json.Unmarshal([]byte(f.text()), &p); err != nil {
		f.search.omit(f.path, "no JSON of a package: "+err.Error())
		return nil
	}
	var out []Tool
	for _, name := range slices.Sorted(maps.Keys(p.Scripts)) {
		argv := append(within("npm", "--prefix", f), "run", name)
		out = append(out, Tool{Kind: KindScript, Path: f.path, Name: name, Argv: argv, Note: p.Scripts[name]})
	}
	return out
}

func isProcfile(f *file) bool {
	return f.base() == "Procfile" || strings.HasPrefix(f.base(), "Procfile.")
}

var procLine = regexp.MustCompile(`^([A-Za-z0-9_-]+):\s*(\S.*)$`)

func processTools(f *file) []Tool {
	var out []Tool
	for line := range strings.Lines(f.text()) {
		if m := procLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			out = append(out, Tool{Kind: KindProcess, Path: f.path, Name: m[1], Argv: []string{"sh", "-c", m[2]}})
		}
	}
	return out
}

// parseYAML reads the first document of a file. One that is none is left out, with
// where it is wrong.
func parseYAML(f *file) (map[string]any, error) {
	var doc map[string]any
	err := yaml.Unmarshal([]byte(f.text()), &doc)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		f.search.omit(f.path, "no YAML: "+first)
	}
	return doc, err
}

// fields returns a value's fields, none if it has no such.
func fields(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// names returns the fields of a value in order, as a list for people.
func names(v any) string {
	return strings.Join(slices.Sorted(maps.Keys(fields(v))), ", ")
}
