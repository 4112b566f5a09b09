package toolbox

import (
	"path"
	"slices"
	"strings"
)

func isDocument(f *file) bool {
	return slices.Contains([]string{".md", ".markdown", ".rst", ".adoc"}, f.ext())
}

// documentTool is a document with its title: the first line that is one in its form.
func documentTool(f *file) Tool {
	t := Tool{Kind: KindDocument, Path: f.path}
	before := ""
	for line := range strings.Lines(f.text()) {
		line = strings.TrimSpace(line)
		for _, mark := range []string{"# ", "= "} {
			if title, ok := strings.CutPrefix(line, mark); ok {
				t.Name = strings.TrimSpace(title)
				return t
			}
		}
		// What is underlined is a title.
		if before != "" && len(line) >= 3 && strings.Trim(line, "=") == "" {
			t.Name = before
			return t
		}
		before = line
	}
	return t
}

// documentsMost is how many documents of a folder are listed one by one.
const documentsMost = 20

// documentTools lists the documents; those of a folder with many as one.
func (s *search) documentTools() {
	inFolder := map[string]int{}
	for _, d := range s.documents {
		inFolder[path.Dir(d.Path)]++
	}
	for _, d := range s.documents {
		dir := path.Dir(d.Path)
		if n := inFolder[dir]; n > documentsMost {
			d = Tool{Kind: KindDocument, Path: dir, Name: counted(n, "document")}
		}
		s.add(d) // the same folder twice is one in the end
	}
}
