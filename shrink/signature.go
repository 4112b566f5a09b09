package shrink

import (
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

// Signature is what two violations share if they are the same failure: the
// oracle, and the message with its numbers and quoted texts taken out.
func Signature(v run.Violation) string { return v.Oracle + ": " + shape(v.Message) }

// shape replaces each run of digits, and each quoted text, with one mark.
func shape(message string) string {
	var b strings.Builder
	for i := 0; i < len(message); i++ {
		c := message[i]
		switch {
		case c == '"' || c == '`':
			if end := strings.IndexByte(message[i+1:], c); end >= 0 {
				b.WriteByte('_')
				i += end + 1
				continue
			}
			b.WriteByte(c)
		case c >= '0' && c <= '9':
			for i+1 < len(message) && message[i+1] >= '0' && message[i+1] <= '9' {
				i++
			}
			b.WriteByte('#')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
