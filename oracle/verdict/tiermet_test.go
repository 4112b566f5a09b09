package verdict

import (
	"testing"
	"time"
)

func budget(b Budget) func(*Evidence) {
	return func(e *Evidence) {
		for i := range e.Budgets {
			if e.Budgets[i].Tier == b.Tier {
				e.Budgets[i] = b
				return
			}
		}
		e.Budgets = append(e.Budgets, b)
	}
}

func TestTiers(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name    string
		change  func(*Evidence)
		met     Tier
		tier    Tier // that is missing, if any
		missing string
	}{
		{"hardening", nil, Hardening, Release, "the plan gives no budget for it"},
		{"release", budget(Budget{Release, 2, 20 * s, 8, 4}), Release, "", ""},
		{"release lacks seeds", budget(Budget{Release, 2, 20 * s, 8, 5}), Hardening, Release, "4 of 5 seeds"},
		{"release below hardening", budget(Budget{Release, 2, 20 * s, 1, 4}), Hardening, Release, "its budget is below that of hardening"},
		{"release without hardening", func(e *Evidence) {
			e.Budgets = e.Budgets[:1]
			budget(Budget{Release, 1, 10 * s, 1, 1})(e)
		}, Smoke, Release, "hardening below it was not met"},
		{"hardening lacks configurations", budget(Budget{Hardening, 3, 20 * s, 8, 4}), Smoke, Hardening, "2 of 3 configurations"},
		{"hardening lacks faults and seeds", budget(Budget{Hardening, 2, 20 * s, 9, 5}), Smoke, Hardening, "8 of 9 faults landed; 4 of 5 seeds"},
		{"hardening as smoke", budget(Budget{Hardening, 2, 10 * s, 2, 2}), Smoke, Hardening, "its budget is not above that of smoke on every count"},
		{"cycles too short", budget(Budget{Hardening, 2, 21 * s, 8, 4}), Smoke, Hardening, "no cycle of 21s that counts: the longest took 20s"},
		{"short cycles do not add up", one(func(c *Cycle) { c.Duration = 19 * s }), Hardening, "", ""},
		{"short ones count for nothing", all(budget(Budget{Hardening, 2, 20 * s, 4, 4}), one(func(c *Cycle) { c.Duration = 19 * s })), Smoke, Hardening, "3 of 4 seeds"},
		{"an empty budget", budget(Budget{Tier: Smoke}), "", Smoke, "its budget is empty"},
		{"no smoke budget", func(e *Evidence) { e.Budgets = e.Budgets[1:] }, "", Hardening, "smoke below it was not met"},
		{"asked for is not met", func(e *Evidence) { e.Asked = Release }, Hardening, Release, "the plan gives no budget"},
		{"one seed again and again", each(func(c *Cycle) { c.Seed = 1 }), Smoke, Hardening, "1 of 3 seeds"},
		{"the same runs again", func(e *Evidence) { e.Cycles = []Cycle{cycle(1), cycle(2), cycle(1), cycle(2)}; e.Budgets[1].Faults = 5 }, Smoke, Hardening, "4 of 5 faults landed; 2 of 3 seeds"},
		{"configurations that are not told", each(func(c *Cycle) { c.Configuration = "" }), "", Smoke, "0 of 1 configurations"},
		{"what the checker did not see", each(seesPart), "", Smoke, "no cycle of 10s that counts: the longest took 0s"},
		{"what has no result", each(func(c *Cycle) { c.Lost = "died" }), "", Hardening, "no cycle of 20s"},
	} {
		d := decided(c.change)
		if d.TierMet != c.met {
			t.Errorf("%s: met %q, want %q; missing %v", c.name, d.TierMet, c.met, d.TierMissing)
		}
		found := ""
		for _, m := range d.TierMissing {
			if m.Tier == c.tier {
				found = m.Why
			}
		}
		if len(found) < len(c.missing) || found[:len(c.missing)] != c.missing {
			t.Errorf("%s: %s lacks %q, want %q", c.name, c.tier, found, c.missing)
		}
	}
}

func TestTitle(t *testing.T) {
	d := decided(budget(Budget{Release, 2, 20 * time.Second, 8, 4}))
	if d.Title() != "PASS-hardening (release)" {
		t.Errorf("the release tier shows as %q", d.Title())
	}
	if d := decided(nil); d.Title() != "PASS-hardening" {
		t.Errorf("the hardening tier shows as %q", d.Title())
	}
}

func TestAskedDefault(t *testing.T) {
	if d := decided(func(e *Evidence) { e.Asked = "" }); d.Asked != Hardening {
		t.Errorf("asked is %q, want the highest that has a budget", d.Asked)
	}
}
