package author

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/scenarios/plan"
)

// kvPlan is a plan of a replicated service, in memory: S1 with a model, S2 with an oracle
// and a fault that the engine has not, S3 for the test of S1's file, S5 in arms.
func kvPlan() *plan.Plan {
	p := &plan.Plan{Name: "kv", Claims: []plan.Claim{
		{ID: "C1", Text: "Calls are linearizable.", Category: plan.Safety},
		{ID: "C2", Text: "An acknowledged write survives the crash of all nodes, whatever their disks have done to what was not synced by then.", Category: plan.Durability},
		{ID: "C5", Text: "No tenant learns of another's data.", Category: plan.Boundary},
		{ID: "C6", Text: "No tenant starves.", Category: plan.Fairness},
	}}
	p.Unstated.Items = []plan.Unstated{{ID: "U1", Text: "bbolt's file opens.", Category: plan.Durability}}
	p.Scenarios = []plan.Scenario{
		{
			ID: "S1", Name: "calls-are-linearizable", Falsifies: "C1", Claims: []string{"C1", "U1"},
			Workload: "3 clients call get and put on 3 keys", Observed: "every call", Exit: "the history is judged",
			Faults:     list(plan.Named{Name: "crash"}, plan.Named{Name: "partition", Detail: "the leader alone"}),
			Oracles:    list(plan.Named{Name: "linearizability", Detail: "of each key"}, plan.Named{Name: "recovery", Detail: "a write is acknowledged within 30 s"}),
			Target:     plan.Target{File: "kv/kv_s1_test.go", Func: "TestS1"},
			Parameters: plan.List[plan.Param]{Items: []plan.Param{{Name: "bug", Value: "none"}}},
			Configs: plan.List[plan.Config]{Items: []plan.Config{
				{Name: "three", Parameters: []plan.Param{{Name: "nodes", Value: "3"}}}, {Name: "five", Parameters: []plan.Param{{Name: "nodes", Value: "5"}}},
			}},
			Skeleton: "go",
			Model:    &plan.Model{Kind: plan.Map, History: "every call", Checker: "linearizability", Nemesis: "a swarm", Ambiguous: "may take effect", Reduction: "orrery shrink"},
		},
		{
			ID: "S2", Name: "acknowledged writes survive", Claims: []string{"C2"}, Exit: "all is read again",
			Faults:  list(plan.Named{Name: "kill"}, plan.Named{Name: "lie-sync"}, plan.Named{Name: "meteorite", Detail: "100% \"hot\"\n and large"}),
			Oracles: list(plan.Named{Name: "durability", Detail: "what was acknowledged is there"}),
			Target:  plan.Target{File: "kv/kv_s2_test.go"}, Skeleton: "Go",
			Model: &plan.Model{Kind: plan.Ledger},
		},
		{
			ID: "S3", Name: "the-queue-keeps-its-order", Claims: []string{"C1"}, Exit: "the history is judged",
			Faults:  plan.List[plan.Named]{None: "the queue is in memory"},
			Oracles: list(plan.Named{Name: "linearizability"}),
			Target:  plan.Target{File: "kv/kv_s1_test.go"}, Model: &plan.Model{Kind: plan.Queue},
		},
		{
			ID: "S5", Name: "tenants are apart", Claims: []string{"C5", "C6"}, Exit: "every control was answered",
			Target: plan.Target{File: "tenants/tenants_test.go", Func: "TestTenants"},
			Matrix: &plan.Matrix{
				Claim: "C5", Keys: "the tenant's name", Surfaces: plan.List[string]{Items: []string{"api", "search"}}, Operations: "get, list",
				Positive: "the owner reads", Negative: "others are denied, and cannot tell", Confusable: "names that are prefixes", Oracle: "boundary", Budgets: "p99 at most twice that of others",
			},
			Arms: []plan.Arm{
				{ID: "S5/api", Claims: []string{"C5"}, Surfaces: plan.List[string]{Items: []string{"api"}}, Faults: list(plan.Named{Name: "kill"}), Oracles: list(plan.Named{Name: "boundary"})},
				{ID: "S5/fair", Claims: []string{"C6"}, Surfaces: plan.List[string]{Items: []string{"search"}}, Faults: list(plan.Named{Name: "delay"}), Oracles: list(plan.Named{Name: "fairness"}), Target: plan.Target{File: "tenants/fair_test.go"}},
				{ID: "S5/script", Oracles: list(plan.Named{Name: "boundary"}), Driver: "scripts/tenants.sh"},
			},
		},
	}
	return p
}

func list(items ...plan.Named) plan.List[plan.Named] { return plan.List[plan.Named]{Items: items} }

// only keeps some scenarios.
func only(p *plan.Plan, ids ...string) *plan.Plan {
	var out []plan.Scenario
	for _, s := range p.Scenarios {
		if strings.Contains(","+strings.Join(ids, ",")+",", ","+s.ID+",") {
			out = append(out, s)
		}
	}
	p.Scenarios = out
	return p
}

// write puts files into a folder; names and texts in turn.
func write(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// userModule makes a folder a module whose tests may import the engine.
func userModule(t *testing.T, dir string) {
	t.Helper()
	engine, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(read(t, engine, "go.mod"), "\n")
	const path = "github.com/orrery-sim/orrery"
	write(t, dir, "go.mod", "module example.com/kv\n"+rest+"\nrequire "+path+" v0.0.0\n\nreplace "+path+" => "+engine+"\n", "go.sum", read(t, engine, "go.sum"))
}
