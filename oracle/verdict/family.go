package verdict

import (
	"slices"
	"strings"
)

// family is what kind of failure a kind of fault points to.
type family struct {
	taxonomy Taxonomy
	kinds    []string
}

// families are in the order in which they count, where faults of several are needed: a
// version or a configuration that changes explains more than the crash that comes with it, and
// a crash, which loses state, more than messages that are late.
var families = []family{
	{KindUpgrade, []string{"upgrade", "downgrade", "rolling-upgrade", "version"}},
	{KindConfig, []string{"config", "reconfigure", "misconfigure", "join", "leave", "scale"}},
	{KindCrashRecovery, []string{"crash", "kill", "term", "drain", "restart", "reboot", "power", "lie-sync", "torn-write", "lose-unsynced"}},
	{KindPartition, []string{"partition", "cut", "isolate", "lose", "drop", "delay", "duplicate", "reorder", "corrupt"}},
	{KindTiming, []string{"skew", "jump", "drift", "pause", "stop", "cont", "slow-disk", "slow"}},
}

// family is the kind of failure that a fault points to.
func (f Fault) family() Taxonomy {
	for _, fam := range families {
		if slices.Contains(fam.kinds, strings.ToLower(f.Kind)) {
			return fam.taxonomy
		}
	}
	if f.Clock {
		return KindTiming
	}
	return KindFaultHandling
}
