package verdict

import (
	"fmt"
	"strings"
)

// namesMax is how many of a list are told; the others are counted.
const namesMax = 3

func listed(all []string) string {
	if len(all) > namesMax {
		return fmt.Sprintf("%s; and %d more", strings.Join(all[:namesMax], "; "), len(all)-namesMax)
	}
	return strings.Join(all, "; ")
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func orNone(text string) string {
	if text == "" {
		return "no reason given"
	}
	return text
}
