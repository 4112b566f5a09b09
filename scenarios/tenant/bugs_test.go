package tenant

import "github.com/orrery-sim/orrery/sim"

// bug is a mistake that a scenario's parameter "bug" plants.
type bug struct {
	name   string
	kind   string // what it is in real systems
	needs  string // what it takes to show
	arm    string // parameter and value of the scenario that finds it, if any: "surface=api"
	oracle string // what finds it
	says   string // how its message begins
}

// What bugs need that show without any fault.
const (
	anything = "nothing"
	sameTime = "concurrent tenants"
	noise    = "a noisy tenant"
)

func (b bug) faultless() bool { return b.needs == anything || b.needs == sameTime || b.needs == noise }

const crashOrKill = "crash or kill"

var boundaryBugs = []bug{
	{bugCacheKey, "a cache's key lacks the tenant", sameTime, "surface=api", "boundary", "leak"},
	{bugListPrefix, "a list takes all keys that begin with the tenant's name", anything, "surface=api", "boundary", "leak"},
	{bugForbidden, "forbidden, where what does not exist is not found", anything, "surface=api", "boundary", "observable:"},
	{bugLateCheck, "the work is done before the right to it is checked", anything, "surface=api", "boundary", "observable by time"},
	{bugSearchFallback, "the slow way, taken after a restart, lacks the filter by tenant", crashOrKill, "surface=search", "boundary", "observable:"},
	{bugSearchTotal, "a total counts what is then filtered", anything, "surface=search", "boundary", "observable:"},
	{bugExportName, "tenant and name, joined, are another's", anything, "surface=export", "boundary", "leak"},
	{bugJobContext, "a job that is resumed runs on behalf of whoever asks next", crashOrKill, "surface=export", "boundary", "leak"},
	{bugMetricsNames, "metrics show who else is there", sameTime, "surface=metrics", "boundary", "leak"},
}

var fairnessBugs = []bug{
	{bugLimiterGlobal, "one limit for all tenants", noise, "load=noisy", "fairness", "starved"},
	{bugFIFO, "one queue for all tenants, first in first out", noise, "load=noisy", "fairness", "noisy neighbour"},
	{bugFirstLane, "turns begin at the first tenant each time", noise, "load=noisy", "fairness", "starved"},
}

var documentBugs = []bug{
	{bugPutUnsynced, "a write is acknowledged before it is synced", "crash", "", "linearizability", ""},
	{bugVersionReset, "versions are used again after a deletion", anything, "", "linearizability", ""},
}

// bugParam declares the parameter that plants one of the bugs.
func bugParam(bugs []bug) sim.Option {
	values := []string{"none"}
	for _, b := range bugs {
		values = append(values, b.name)
	}
	return sim.Param("bug", values...)
}
