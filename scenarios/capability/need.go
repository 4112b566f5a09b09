package capability

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
)

// Need is one thing that a plan needs.
type Need struct {
	Item   string   // as the plan names it: "go", "tc", "network namespaces"
	Floor  string   // the least version, "1.26"; "" is any
	UsedBy []string // scenarios; none means all
	Hint   string   // how the plan says to install it
}

// String returns the need as ParseNeed reads it.
func (n Need) String() string {
	if n.Floor == "" {
		return n.Item
	}
	return n.Item + " >= " + n.Floor
}

var (
	floorAfter = regexp.MustCompile(`^(.*?)\s*(?:>=|≥)\s*(.*)$`)
	floorPlus  = regexp.MustCompile(`^(.*?)\s+v?(\d+(?:\.\d+)*)(?:\+|\s+or\s+(?:later|newer|above))$`)
	bound      = regexp.MustCompile(`[<>=~^!≤]`)
)

// ParseNeed reads "go >= 1.26", "docker 24+", "java 17 or later", or a bare name.
func ParseNeed(text string) (Need, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "`", ""))
	n := Need{Item: text}
	if m := floorAfter.FindStringSubmatch(text); m != nil {
		n.Item, n.Floor = m[1], m[2]
	} else if m := floorPlus.FindStringSubmatch(text); m != nil {
		n.Item, n.Floor = m[1], m[2]
	}
	if n.Item == "" || bound.MatchString(n.Item) {
		return Need{}, fmt.Errorf("need %q: want a name, or a name >= the least version, as \"go >= 1.26\"", text)
	}
	return n, n.validate()
}

// validate checks the floor.
func (n Need) validate() error {
	if n.Floor == "" {
		return nil
	}
	if _, err := versionOf(n.Floor); err != nil {
		return fmt.Errorf("need %q: found the floor %q, want numbers with dots, as 1.26", n.Item, n.Floor)
	}
	return nil
}

var wholeVersion = regexp.MustCompile(`^(?:v|go)?\d+(?:\.\d+)*$`)

// versionOf reads a version of numbers with dots, after "v" or "go" or nothing.
func versionOf(text string) (*version.Version, error) {
	if !wholeVersion.MatchString(text) {
		return nil, fmt.Errorf("found %q, want numbers with dots", text)
	}
	return version.NewVersion(strings.TrimPrefix(text, "go"))
}

// reaches reports whether a version that was found is the floor or above it. One that
// is not known does not reach any.
func reaches(found, floor string) bool {
	if floor == "" {
		return true
	}
	f, err := versionOf(found)
	least, wrong := versionOf(floor)
	return err == nil && wrong == nil && f.GreaterThanOrEqual(least)
}

// usedBy reports whether a scenario, or an arm of it, needs it.
func (n Need) usedBy(scenario string) bool {
	whole, _, _ := strings.Cut(scenario, "/")
	return len(n.UsedBy) == 0 || slices.Contains(n.UsedBy, scenario) || slices.Contains(n.UsedBy, whole)
}
