package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// Load reads a plan and checks it. The plan is nil if the text is none at all.
// All problems are returned, in the order of lines.
func Load(file string, data []byte) (*Plan, Problems) {
	p, problems := Read(file, data)
	if p == nil {
		return nil, problems
	}
	return p, inOrder(append(problems, p.Check()...))
}

// Read reads a plan from Markdown or, if the file's name ends in .yaml or .yml,
// from YAML. The problems are those of what is written; what is missing is
// [Plan.Check]'s. The plan is nil if the text is none at all.
func Read(file string, data []byte) (*Plan, Problems) {
	read := readMarkdown
	switch strings.ToLower(filepath.Ext(file)) {
	case ".yaml", ".yml":
		read = readYAML
	case ".md", ".markdown":
	default:
		return nil, Problems{{file, 0, Error, "the file", "a name that ends in " + quote(filepath.Ext(file)), ".md, .yaml or .yml", "rename it, or extract scenarios from free text"}}
	}
	tree, problems := read(file, normal(data))
	if tree == nil {
		return nil, inOrder(problems)
	}
	p, more := decode(file, tree)
	p.source.hash = HashBytes(data)
	return p, inOrder(append(problems, more...))
}

// normal takes off a byte order mark, carriage returns, and what is no UTF-8.
func normal(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	return bytes.ToValidUTF8(data, []byte("\uFFFD"))
}

func inOrder(ps Problems) Problems {
	slices.SortStableFunc(ps, func(a, b Problem) int { return a.Line - b.Line })
	return ps
}

// Hash returns the hash of the file that the plan was read from, "" if it was read
// from none.
func (p *Plan) Hash() string { return p.source.hash }

// HashBytes returns the hash of a file: SHA-256, in hex.
func HashBytes(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// File returns the name of the file that the plan was read from.
func (p *Plan) File() string { return p.source.file }

// Slug returns the plan's name as it is written in paths: lower-case letters,
// digits and hyphens, at most 60. It is never empty.
func (p *Plan) Slug() string {
	words := strings.FieldsFunc(strings.ToLower(p.Name), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	slug := strings.Join(words, "-")
	slug = strings.Trim(slug[:min(len(slug), 60)], "-")
	if slug == "" {
		return "plan"
	}
	return slug
}
