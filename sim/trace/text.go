package trace

import (
	"fmt"
	"strings"
	"time"
)

// Text returns the event as one line, without its stack.
func (n *Names) Text(e Event) string {
	if e.Kind == Choice {
		return n.Say(e)
	}
	return fmt.Sprintf("%-12s %s", Seconds(e.At), n.Say(e))
}

// Seconds returns a time as seconds with as many places as tell nanoseconds
// apart, "1.204000000s", so that lines of a trace align.
func Seconds(at int64) string {
	sign := ""
	if at < 0 {
		sign, at = "-", -at
	}
	return fmt.Sprintf("%s%d.%09ds", sign, at/int64(time.Second), at%int64(time.Second))
}

// Say returns what the event tells, without its time.
func (n *Names) Say(e Event) string {
	switch e.Kind {
	case Run:
		return fmt.Sprintf("run %s, wake %d", n.Goroutine(e.A), e.B)
	case Go:
		return fmt.Sprintf("go %s, from %s", n.Goroutine(e.A), n.Goroutine(e.B))
	case Block:
		return fmt.Sprintf("block %s: %s", n.Goroutine(e.A), e.Text)
	case Wake:
		return fmt.Sprintf("wake %s%s", n.Goroutine(e.A), n.by(e.B))
	case End:
		return fmt.Sprintf("end %s%s", n.Goroutine(e.A), [...]string{"", ", killed"}[min(e.B, 1)])
	case Switch:
		return fmt.Sprintf("switch to %s%s", n.Goroutine(e.A), n.by(e.B))
	case Task, TaskEnd, Region, RegionEnd, UserLog:
		return fmt.Sprintf("%s %s, task %d: %s", e.Kind, n.Goroutine(e.A), e.B, e.Text)
	case Choice:
		return fmt.Sprintf("choice %s %d: %d of %s", n.Stream(e.A), e.B, e.Value, bound(e.C))
	case Sent, Delivered, Dropped:
		return fmt.Sprintf("%s %s > %s, connection %d, packet %#x, cause %d", e.Kind, n.Host(uint32(e.A>>32)), n.Host(uint32(e.A)), e.B, e.C, e.Process)
	case Disk:
		return fmt.Sprintf("disk %s: operation %d, inode %d, offset %d, length %d", n.Host(e.Process), e.A>>56, e.A&(1<<56-1), e.B, e.C)
	case Injected, Healed:
		return joined(e.Kind.String(), n.Host(e.Process), e.Text, counts(e))
	case Call:
		return fmt.Sprintf("call %d: %s", e.A, e.Text)
	case Started:
		return fmt.Sprintf("started %s, start %d", n.Process(e.Process), e.A)
	case Ended:
		return fmt.Sprintf("ended %s: %d goroutines, status %d", n.Process(e.Process), e.A, e.B)
	default:
		return joined(e.Kind.String(), n.Process(e.Process), e.Text, counts(e))
	}
}

// by names who woke a goroutine.
func (n *Names) by(path uint64) string {
	if path == 0 {
		return ""
	}
	return ", by " + n.Goroutine(path)
}

// joined is what an event says of whom. A text that is the name is said once.
func joined(kind, who, text, counts string) string {
	if text == who {
		text = ""
	}
	line := kind + " " + who + counts
	if text != "" {
		line += ": " + strings.ReplaceAll(text, "\n", "\\n")
	}
	return line
}

// counts shows A, B and C, if any is not 0.
func counts(e Event) string {
	if e.A|e.B|e.C == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d, %d, %d)", e.A, e.B, e.C)
}

// bound shows a choice's bound, of which 0 stands for 2^64.
func bound(b uint64) string {
	if b == 0 {
		return "2^64"
	}
	return fmt.Sprint(b)
}
