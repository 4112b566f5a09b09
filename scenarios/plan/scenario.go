package plan

import "slices"

// Scenario is one thing that is run, and judged.
type Scenario struct {
	ID         string       `plan:"id" id:"scenario" want:"an id, as S1"`
	Name       string       `plan:"name" want:"a name shaped like the claim, as acknowledged-writes-survive-crashes"`
	Falsifies  string       `plan:"falsifies" want:"what is false if the scenario fails"`
	Hypotheses List[string] `plan:"closes" sep:"," ref:"hypothesis" want:"the hypotheses that it closes, by id"`
	Technique  string       `plan:"technique" ref:"technique" want:"one of the plan's techniques"`
	Claims     []string     `plan:"claims" sep:"," ref:"claim" want:"the claims that it is about, by id"`
	Workload   string       `plan:"workload" want:"who calls what, how often, on which data"`
	Faults     List[Named]  `plan:"faults" sep:",;" want:"families of faults, as crash, partition (the leader alone)"`
	Oracles    List[Named]  `plan:"oracle" sep:";" want:"what decides, as linearizability (of each key)"`
	Observed   string       `plan:"observability" want:"what is recorded, and where a fault shows"`
	Exit       string       `plan:"exit-criteria" want:"when the scenario is over, and what must be true then"`
	Target     Target       `plan:"target" want:"a test file and its function, as kv/kv_test.go#TestKV"`
	Driver     string       `plan:"driver,optional" want:"a script that runs the scenario"`
	Parameters List[Param]  `plan:"parameters" sep:" " want:"parameters of the test, as bug=none nodes=3"`
	Configs    List[Config] `plan:"configurations" sep:";" want:"named sets of parameters, as three: nodes=3; five: nodes=5"`
	Skeleton   string       `plan:"skeleton-language" want:"the language of a skeleton test, as go"`
	Budget     Budget       `plan:"budget" want:"what the scenario takes, in three tiers"`
	Model      *Model       `plan:"model,optional" want:"what the checker knows of the system"`
	Matrix     *Matrix      `plan:"matrix,optional" want:"who may see what, over which surfaces"`
	Arms       []Arm        `plan:"arms,optional" want:"the parts that are judged on their own"`
}

// Binding is what a scenario or an arm is run by: a Go test, or a driver. With
// neither, Target has no function and Driver is "": it is bound to nothing yet.
type Binding struct {
	Target     Target
	Driver     string // "" if there is none
	Parameters []Param
	Configs    []Config // empty stands for one configuration without a name
}

// Bound says whether there is something to run.
func (b Binding) Bound() bool { return b.Driver != "" || b.Target.Func != "" }

// Binding returns what the scenario is run by.
func (s Scenario) Binding() Binding {
	return Binding{s.Target, Written(s.Driver), s.Parameters.Items, s.Configs.Items}
}

// ArmBinding returns what an arm of the scenario is run by: its own test or
// driver, or else the scenario's, and the scenario's parameters with its own put
// over them.
func (s Scenario) ArmBinding(a Arm) Binding {
	b := s.Binding()
	if own := Written(a.Driver); own != "" || a.Target.Func != "" {
		b.Target, b.Driver = a.Target, own
	}
	b.Parameters = Override(b.Parameters, a.Parameters.Items)
	return b
}

// Override returns parameters with others put over them: those of the same name
// are replaced in place, the rest follows.
func Override(params, over []Param) []Param {
	out := slices.Clone(params)
	for _, p := range over {
		i := slices.IndexFunc(out, func(q Param) bool { return q.Name == p.Name })
		if i < 0 {
			out = append(out, p)
			continue
		}
		out[i] = p
	}
	return out
}

// Model is what a checker of safety, durability, idempotency, isolation, ordering
// or membership has to know.
type Model struct {
	Kind      ModelKind `plan:"kind" want:"register, map, queue, log, lock, lease, session, membership-table, counter or ledger"`
	History   string    `plan:"history" want:"what is recorded of each call"`
	Checker   string    `plan:"checker" want:"what judges the history, or none and why"`
	Nemesis   string    `plan:"nemesis" want:"what injects faults, and the evidence that one landed"`
	Ambiguous string    `plan:"ambiguous-outcomes" want:"how calls without an answer are counted"`
	Reduction string    `plan:"reduction-plan" want:"how a failure is made small"`
}

// Matrix is what a scenario about a boundary or about fairness goes through.
type Matrix struct {
	Claim         string       `plan:"claim" ref:"claim" want:"the claim about the boundary, by id"`
	Keys          string       `plan:"keys" want:"what tells tenants or groups apart"`
	Surfaces      List[string] `plan:"surfaces" sep:"," want:"the ways in, as api, sql, metrics"`
	Operations    string       `plan:"operations" want:"what is called over each surface"`
	Positive      string       `plan:"positive-controls" want:"what must be allowed"`
	Negative      string       `plan:"negative-controls" want:"what must be denied, and must not be observable either"`
	Confusable    string       `plan:"confusable-identifiers" want:"names that are easily taken for each other"`
	Delayed       string       `plan:"delayed-paths" want:"queues, caches and retries that act later"`
	Background    string       `plan:"background-paths" want:"jobs that act for nobody in particular"`
	Observability string       `plan:"observability-paths" want:"logs, metrics and errors that could leak"`
	Oracle        string       `plan:"oracle" want:"what decides about the boundary"`
	Budgets       string       `plan:"budgets" want:"rates and shares that hold for each group"`
}

// Arm is a part of a scenario that has a verdict of its own.
type Arm struct {
	ID         string       `plan:"id" id:"arm" want:"the scenario's id, a slash and a name, as S5/api"`
	Claims     []string     `plan:"claims" sep:"," ref:"claim" want:"the claims that it is about, by id"`
	Surfaces   List[string] `plan:"surfaces" sep:"," want:"the surfaces that it goes over"`
	Faults     List[Named]  `plan:"faults" sep:",;" want:"families of faults of its own"`
	Oracles    List[Named]  `plan:"oracle" sep:";" want:"what decides for it"`
	Target     Target       `plan:"target,optional" want:"a test of its own, as kv/kv_test.go#TestAPI"`
	Driver     string       `plan:"driver,optional" want:"a script of its own"`
	Parameters List[Param]  `plan:"parameters" sep:" " want:"parameters put over the scenario's"`
}
