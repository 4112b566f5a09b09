package run

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Moment is a point of a run: just before anything of a virtual time happens, or
// the first scheduling decision after so many events. If both are set, it is
// whichever comes first; the zero value is no moment.
type Moment struct {
	Time   int64  `json:"time,omitempty"`   // virtual nanoseconds since the run's start
	Events uint64 `json:"events,omitempty"` // that enter the run's hash
}

// ParseMoment reads a virtual time, "12.5s", or a number of events, "4312".
func ParseMoment(text string) (Moment, error) {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && n > 0 {
		return Moment{Events: n}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return Moment{Time: int64(d)}, nil
	}
	return Moment{}, fmt.Errorf("%q: want a virtual time, as 12.5s, or a number of events, as 4312", text)
}

// String returns the moment as [ParseMoment] reads it.
func (m Moment) String() string {
	var parts []string
	if m.Time != 0 {
		parts = append(parts, time.Duration(m.Time).String())
	}
	if m.Events != 0 {
		parts = append(parts, strconv.FormatUint(m.Events, 10))
	}
	return strings.Join(parts, " or event ")
}
