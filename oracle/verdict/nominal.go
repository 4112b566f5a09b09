package verdict

import "fmt"

// A cycle that is said to be nominal again is not believed below the first share of the
// rate that it had, nor are all together below the second: one cycle has few calls.
const (
	nominalShareCycle = 0.5
	nominalShareAll   = 0.9
)

func (e *Evidence) askNominal() (Answer, string) {
	ended := e.ended()
	if len(ended) == 0 {
		return open(noCycle)
	}
	var before, after float64
	struck := 0
	var wrong []string
	for _, c := range ended {
		if len(c.landed()) == 0 {
			continue
		}
		struck++
		before += c.Recovery.Before
		after += c.Recovery.After
		if text := c.Recovery.wrong(); text != "" {
			wrong = append(wrong, c.name()+": "+text)
		}
	}
	if len(wrong) == 0 && after < before*nominalShareAll {
		wrong = append(wrong, fmt.Sprintf("all cycles together: %.1f calls a second before the faults, %.1f after", before, after))
	}
	if struck == 0 {
		return ok("no fault landed that could have moved it from nominal")
	}
	return okUnless(wrong, "%s with faults: %.1f calls a second before, %.1f after, on average",
		counted(struck, "cycle"), before/float64(struck), after/float64(struck))
}

// wrong says why a system is not nominal again; "" if it is.
func (r Recovery) wrong() string {
	rates := fmt.Sprintf("%.1f calls a second before the faults, %.1f after", r.Before, r.After)
	switch {
	case r.State == Degraded:
		return "degraded: " + rates
	case r.State != Nominal:
		return "not measured"
	case !(r.Before > 0): // also of what is no number
		return "said to be nominal, with no rate before the faults"
	case !(r.After >= r.Before*nominalShareCycle):
		return "said to be nominal: " + rates
	}
	return ""
}
