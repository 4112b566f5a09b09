package toolbox

import (
	"fmt"
	"strings"
)

// Markdown returns the toolbox as a section of a session's log: a table of the tools,
// and a list of what was left out.
func (b *Toolbox) Markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "## Toolbox discovered\n\n%s in %s.\n", counted(len(b.Tools), "tool"), counted(b.Files, "file"))
	if len(b.Tools) > 0 {
		out.WriteString("\n| kind | path | name | called by | note |\n|---|---|---|---|---|\n")
	}
	for _, t := range b.Tools {
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", t.Kind, code(t.Path), cell(t.Name), called(t), cell(t.Note))
	}
	if len(b.Omitted) > 0 {
		out.WriteString("\nLeft out:\n\n")
	}
	for _, o := range b.Omitted {
		files := ""
		if o.Files > 0 {
			files = counted(o.Files, "file") + " "
		}
		fmt.Fprintf(&out, "- %s: %s%s\n", code(o.Path), files, cell(o.Reason))
	}
	return out.String()
}

func called(t Tool) string {
	if len(t.Argv) == 0 {
		return "nothing: it is read"
	}
	return code(t.Call())
}

// cell is a text that stays within a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "\\|")
}

// code is a text as code, in more marks than it has of them in a row.
func code(s string) string {
	marks := "`"
	for strings.Contains(s, marks) {
		marks += "`"
	}
	if len(marks) > 1 {
		return marks + " " + cell(s) + " " + marks
	}
	return marks + cell(s) + marks
}
