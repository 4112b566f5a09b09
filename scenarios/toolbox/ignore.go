package toolbox

import (
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// ignored is what the .gitignore files so far say: those of the folders that were
// entered, of which the later bind more. Those beside the repository, as a user's own,
// are not read.
type ignored struct {
	patterns []gitignore.Pattern
}

// add reads the .gitignore of a folder.
func (g *ignored) add(dir string, text []byte) {
	var domain []string
	if dir != "." {
		domain = strings.Split(dir, "/")
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		g.patterns = append(g.patterns, gitignore.ParsePattern(line, domain))
	}
}

func (g *ignored) match(name string, d fs.DirEntry) bool {
	return gitignore.NewMatcher(g.patterns).Match(strings.Split(name, "/"), d.IsDir())
}

func (g *ignored) matchDir(name string) bool {
	return gitignore.NewMatcher(g.patterns).Match(strings.Split(name, "/"), true)
}
