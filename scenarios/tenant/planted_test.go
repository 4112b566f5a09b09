package tenant

import (
	"github.com/orrery-sim/orrery/sim"
)

// bug is a mistake that a scenario's parameter "bug" plants.
type bug struct {
	name   string
	kind   string // what it is in real systems
	needs  string // what it takes to show
	arm    string // parameter and value of the scenario that finds it, if any: "surface=api"
	oracle string // what finds it
	says   string // how its message begins
}

const (
	noFault     = "no fault"
	sameTime    = "concurrent tenants"
	noisyTenant = "a noisy tenant"
	crashOrKill = "crash or kill"
)

var boundaryBugs = []bug{
	{bugCacheKey, "a cache's key lacks the tenant", sameTime, "surface=api", "boundary", "leak"},
	{bugListPrefix, "a list takes all keys that begin with the tenant's name", noFault, "surface=api", "boundary", "leak"},
	{bugForbidden, "forbidden, where what does not exist is not found", noFault, "surface=api", "boundary", "observable:"},
	{bugLateCheck, "the work is done before the right to it is checked", noFault, "surface=api", "boundary", "observable by time"},
	{bugSearchFallback, "the slow way, taken after a restart, lacks the filter by tenant", crashOrKill, "surface=search", "boundary", "observable:"},
	{bugSearchTotal, "a total counts what is then filtered", noFault, "surface=search", "boundary", "observable:"},
	{bugExportName, "tenant and name, joined, are another's", sameTime, "surface=export", "boundary", "leak"},
	{bugJobContext, "a job that is resumed runs on behalf of whoever asks next", crashOrKill, "surface=export", "boundary", "leak"},
	{bugMetricsNames, "metrics show who else is there", sameTime, "surface=metrics", "boundary", "leak"},
}

var fairnessBugs = []bug{
	{bugLimiterGlobal, "one limit for all tenants", noisyTenant, "load=noisy", "fairness", "starved"},
	{bugFIFO, "one queue for all tenants, first in first out", noisyTenant, "load=noisy", "fairness", "noisy neighbour"},
	{bugFirstLane, "turns begin at the first tenant each time", noisyTenant, "load=noisy", "fairness", "starved"},
}

var documentBugs = []bug{
	{bugPutUnsynced, "a write is acknowledged before it is synced", "crash", "", "linearizability", ""},
	{bugVersionReset, "versions are used again after a deletion", noFault, "", "linearizability", ""},
}

// bugParam declares the parameter that plants one of the bugs.
func bugParam(bugs []bug) sim.Option {
	values := []string{"none"}
	for _, b := range bugs {
		values = append(values, b.name)
	}
	return sim.Param("bug", values...)
}
