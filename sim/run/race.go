package run

import (
	"fmt"
	"regexp"
	"strings"
)

// raceAccess is one of the two accesses in a report of Go's race detector.
var raceAccess = regexp.MustCompile(`(?m)^(?:Previous )?([Rr]ead|[Ww]rite|atomic [a-z]+) at 0x[0-9a-f]+ by .*:\n  (\S+)\(\)`)

// racePrevious stands between the two accesses in the message of a race.
const racePrevious = ", previous "

// describeRace puts the detector's report, which the run has printed, into the
// violation. Its message names the two places and no address, so that the same
// race has the same message.
func describeRace(v *Violation, printed string) {
	const frame = "==================\n"
	if _, after, ok := strings.Cut(printed, frame); ok {
		v.Stack, _, _ = strings.Cut(after, frame)
	}
	if m := raceAccess.FindAllStringSubmatch(v.Stack, 2); len(m) == 2 {
		v.Message = fmt.Sprintf("data race: %s by %s%s%s by %s", strings.ToLower(m[0][1]), m[0][2], racePrevious, strings.ToLower(m[1][1]), m[1][2])
	}
}
