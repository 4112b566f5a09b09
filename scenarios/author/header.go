package author

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Marker is the first line of every file that was written here. Who takes it out
// makes the file their own.
const Marker = "// Skeleton by orrery plan author: complete it. A file without this line is never overwritten."

// header is what a file says about how it was made.
type header struct {
	plan  string   // path of the plan, from the repository's top
	hash  string   // of the plan
	tests []string // "S1 TestS1", and so on
	body  string   // hash of what follows the header, as it was written
}

// fields of a header, in the order of its lines.
const (
	fieldPlan     = "plan"
	fieldHash     = "hash"
	fieldScenario = "scenario"
	fieldBody     = "body"
)

// text is the header with the empty line that ends it.
func (h header) text() string {
	var b strings.Builder
	b.WriteString(Marker + "\n//\n")
	line := func(name, value string) {
		b.WriteString("//\t" + name + strings.Repeat(" ", len(fieldScenario)-len(name)+1) + value + "\n")
	}
	line(fieldPlan, h.plan)
	line(fieldHash, h.hash)
	for _, t := range h.tests {
		line(fieldScenario, t)
	}
	line(fieldBody, h.body)
	b.WriteString("\n")
	return b.String()
}

// marked reports whether a file begins with the marker.
func marked(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(first, "\r") == Marker
}

// sameBody reports whether two files differ in their headers at most: an unchanged test
// stays as it is when the rest of its plan changes.
func sameBody(there, text string) bool {
	_, a, ok := strings.Cut(there, "\n\n")
	_, b, _ := strings.Cut(text, "\n\n")
	return ok && marked(there) && a == b
}

// edited reports whether a file with the marker is no longer what was written.
func edited(text string) bool {
	head, body, ok := strings.Cut(text, "\n\n")
	if !ok {
		return true
	}
	for line := range strings.Lines(head) {
		name, value, _ := strings.Cut(strings.TrimPrefix(line, "//\t"), " ")
		if name == fieldBody {
			return strings.TrimSpace(value) != hashOf(body)
		}
	}
	return true
}

// hashOf is long enough to tell edits, which nobody forges.
func hashOf(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:8])
}
