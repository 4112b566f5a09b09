package plan

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// change is a plan in which one text is another.
type change struct {
	name     string
	old, new string
	want     []string // the problems, as "WEIGHT ABOUT: FOUND"
}

func (c change) run(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(data), c.old) == 0 {
		t.Fatalf("%s has no %q", file, c.old)
	}
	_, problems := Load(file, []byte(strings.Replace(string(data), c.old, c.new, 1)))
	var got []string
	for _, p := range problems {
		got = append(got, fmt.Sprintf("%s %s: %s", p.Weight, p.About, p.Found))
	}
	if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
		t.Errorf("got\n%v\nwant\n%s", problems, strings.Join(c.want, "\n"))
	}
}

func one(text string) []string { return []string{text} }

// Each way of leaving something out of the example, or of contradicting what it
// says, is told by itself and nothing else is.
func TestCheck(t *testing.T) {
	for _, c := range []change{
		{"no oracle", "| oracle | linearizability (of each key, model kv) |\n", "", one("hand back S1: oracle: nothing")},
		{"empty oracle", "| oracle | linearizability (of each key, model kv) |", "| oracle | |", one("hand back S1: oracle: nothing")},
		{"oracle none", "| oracle | linearizability (of each key, model kv) |", "| oracle | none, because it is obvious |", one("hand back S1: oracle: none")},
		{"no exit criteria", "| exit criteria | all links are whole again, and a write was acknowledged or 30 s have gone by |", "| exit criteria | TBD |", one(`hand back S3: exit-criteria: only "TBD"`)},
		{"exit criteria none", "| exit criteria | all links are whole again, and a write was acknowledged or 30 s have gone by |", "| exit criteria | none, because it ends |", one("hand back S3: exit-criteria: none")},
		{"silent text", "| tenancy | none, because the service has one user |", "| tenancy | none |", one(`error system-model: tenancy: only "none"`)},
		{"silent list", "- Changes of the group's members.\n- Disks that lie about syncs, and bytes that rot.\n- Throughput and latency.\n", "none\n", one("error non-goals: nothing")},
		{"silent item", "- Changes of the group's members.", "- todo", one(`error non-goals: only "todo"`)},
		{"silent section", "High for C2, whose planted bugs several of 20 seeds find. Middling for C1, since stale-read shows in one seed of 20, and for\nC4: recovery is asked for once a run.", "", one("error confidence: nothing")},
		{"no section", "## Confidence\n\nHigh for C2, whose planted bugs several of 20 seeds find. Middling for C1, since stale-read shows in one seed of 20, and for\nC4: recovery is asked for once a run.", "", one("error confidence: nothing")},
		{"silent word", "| C4 | H5 | not | no-fault-variant |", "| C4 | H5 | | no-fault-variant |", one("error coverage-matrix 5: covered: nothing")},
		{"unknown word", "| C4 | H5 | not | no-fault-variant |", "| C4 | H5 | nott | no-fault-variant |", one(`error coverage-matrix 5: covered: the word "nott"`)},
		{"date", "2026-11-20", "20 November", one(`error header: date: "20 November"`)},
		{"mode and change", "project-wide", "change-scoped", one("error header: change: no change")},
		{"change and mode", "none, because the plan is about the service as it is", "a new cache", one("warning header: change: a change")},
		{"long architecture", "- An answer says", strings.Repeat("More.\n", 30) + "- An answer says", one("error architecture: 37 lines")},
		{"unknown claim", "| claims | C1, C3, U2 |", "| claims | C1, C3, U2, C9 |", one(`error S1: claims: the unknown claim "C9"`)},
		{"unknown hypothesis", "| closes | H1, H5 |", "| closes | H1, H5, H51 |", one(`error S3: closes: the unknown hypothesis "H51"`)},
		{"unknown scenario", "| go | 1.26 | S1, S2, S3 |", "| go | 1.26 | S1, S2, S4 |", one(`error go: used-by: the unknown scenario "S4"`)},
		{"unknown scenario of adequacy", "| C4 | H5 | S3 |", "| C4 | H5 | S5 |", one(`error adequacy 4: scenarios: the unknown scenario "S5"`)},
		{"unknown technique", "| technique | deterministic simulation |", "| technique | luck |", one(`error S1: technique: the unknown technique "luck"`)},
		{"unused technique", "| deterministic simulation | crashes", "| luck | it helps |\n| deterministic simulation | crashes", one("warning luck: no scenario of this technique")},
		{"unknown claim in the matrix", "| C4 | H5 | not |", "| C5 | H5 | not |", []string{"warning C4: no row in the coverage matrix", `error coverage-matrix 5: claim: the unknown claim "C5"`}},
		{"unknown hypothesis in the matrix", "| C4 | H5 | not |", "| C4 | H15 | not |", []string{"warning H5: no row in the coverage matrix", `error coverage-matrix 5: hypothesis: the unknown hypothesis "H15"`}},
		{"pair twice", "| C4 | H5 | not |", "| C2 | H3 | partial | shallow |\n| C4 | H5 | not |", one("error coverage-matrix 5: C2 by H3 a second time")},
		{"gap of what is covered", "| C3 | H4 | partial |", "| C3 | H4 | covered |", one(`error coverage-matrix 4: gap: "shallow"`)},
		{"no gap of what is not", "| C3 | H4 | partial | shallow |", "| C3 | H4 | partial | none |", one("error coverage-matrix 4: gap: none")},
		{"id twice", "| H7 | U1 | The bbolt", "| H6 | U1 | The bbolt", []string{`error H6: id: the hypothesis "H6" a second time`, `error coverage-matrix 6: hypothesis: the unknown hypothesis "H7"`, `error S2: closes: the unknown hypothesis "H7"`}},
		{"claim twice", "| U2 | Two nodes", "| C2 | Two nodes", []string{`error C2: id: the claim "C2" a second time`, `error H6: claim: the unknown claim "U2"`, `error coverage-matrix 7: claim: the unknown claim "U2"`, `error S1: claims: the unknown claim "U2"`, `error adequacy 6: claim: the unknown claim "U2"`}},
		{"bad id", "| H5 | C4 | Elections", "| H 5 | C4 | Elections", []string{`error H 5: id: the id "H 5"`, `error H 5: no scenario that closes it`, "warning H 5: no row in the coverage matrix", `error coverage-matrix 5: hypothesis: the unknown hypothesis "H5"`, `error S3: closes: the unknown hypothesis "H5"`}},
		{"hypothesis left alone", "| closes | H1, H5 |", "| closes | H1 |", one("error H5: no scenario that closes it")},
		{"claim left alone", "| claims | C2, U1 |", "| claims | C2 |", []string{"error U1: no scenario about it", "warning S2: closes: H7, which is about U1", "warning adequacy 5: scenarios: S2, which is not about U1"}},
		{"claim without an argument", "| C4 | H5 | S3 | every seed ends with whole links and asks for a write |\n", "", one("warning C4: no row in adequacy")},
		{"unknown fault", "| faults | crash, kill, partition, cut, lose |", "| faults | crash, kil, partition |", one(`error S1: faults: the unknown fault "kil"`)},
		{"fault twice", "| faults | crash, kill, partition, cut, lose |", "| faults | crash, crash (again) |", one(`error S1: faults: "crash" a second time`)},
		{"faults silent", "| faults | crash, kill, partition, cut, lose |", "| faults | - |", one("error S1: faults: nothing")},
		{"no faults, and counted", "| faults | crash, kill, partition, cut, lose |", "| faults | none, because it is the baseline |", []string{"error S1: budget: smoke: faults: 8", "error S1: budget: hardening: faults: 150"}},
		{"parameter", "| parameters | bug=none |", "| parameters | bug none |", []string{`error S1: parameters: "bug"`, `error S1: parameters: only "none"`}},
		{"parameter twice", "| parameters | bug=none |", "| parameters | bug=none bug=none |", one(`error S1: parameters: the parameter "bug" a second time`)},
		{"configuration by another name", "| configurations | three: nodes=3; five: nodes=5 |", "| configurations | three: nodes=3; five: nodes=3 bug=none |", one(`error S1: configurations: "five" with the parameters of "three"`)},
		{"configuration twice", "| configurations | three: nodes=3; five: nodes=5 |", "| configurations | three: nodes=3; three: nodes=5 |", one(`error S1: configurations: the configuration "three" a second time`)},
		{"too few configurations", "| configurations | three: nodes=3; five: nodes=5 |", "| configurations | none, because there is one |", one("error S1: budget: hardening: configurations: 2")},
		{"target", "| target | scenarios/raftkv/raftkv_test.go#TestKV |", "| target | scenarios/raftkv/raftkv_test.go#Test KV |", one(`error S1: target: "scenarios/raftkv/raftkv_test.go#Test KV"`)},
		{"no target", "| target | scenarios/raftkv/raftkv_test.go#TestKV |\n", "", one("error S1: target: nothing")},
		{"target and driver", "| target | scenarios/raftkv/raftkv_test.go#TestKV |", "| target | scenarios/raftkv/raftkv_test.go#TestKV |\n| driver | x.sh |", one(`error S1: driver: a driver beside the test "TestKV"`)},
		{"tier not above", "| smoke | 1 | 15s | 8 | 3 |", "| smoke | 2 | 20s | 150 | 20 |", []string{"error S1: budget: hardening: configurations: 2", "error S1: budget: hardening: duration: 20s", "error S1: budget: hardening: faults: 150", "error S1: budget: hardening: seeds: 20"}},
		{"tier silent", "| smoke | 1 | 15s | 8 | 3 |", "| smoke | 1 | | | 3 |", []string{"error S1: budget: smoke: duration: nothing", "error S1: budget: smoke: faults: nothing"}},
		{"no tier", "| smoke | 1 | 15s | 8 | 3 |\n", "", one("error S1: budget: smoke: nothing")},
		{"few seeds", "| hardening | 2 | 20s | 150 | 20 |", "| hardening | 2 | 20s | 250 | 2 |", []string{"error S1: budget: hardening: seeds: 2", "error S1: budget: hardening: seeds: 2"}},
		{"bad count", "| smoke | 1 | 15s | 8 | 3 |", "| smoke | -1 | 50 | 8 | three |", []string{`error S1: budget: smoke: configurations: "-1"`, `error S1: budget: smoke: duration: "50"`, `error S1: budget: smoke: seeds: "three"`}},
		{"no release", "| release | none, because nothing is released from the example; revisit when the service is used outside of tests |\n", "", one("error S1: budget: release: nothing")},
		{"release without when", "; revisit when the service is used outside of tests |", " |", one(`error S1: budget: release: "none, because nothing is released from the example"`)},
		{"release below", "| release | none, because nothing is released from the example; revisit when the service is used outside of tests |", "| release | 2 | 15s | 150 | 30 |", one("error S1: budget: release: duration: 15s")},
		{"no model", "#### Model\n\n| field | value |\n|---|---|\n| kind | map |\n| history | type, key, input, output, outcome, node, and the times of call and answer, of every call |\n| checker | linearizability of each key by porcupine, bounded in steps |\n| nemesis | a swarm of families drawn for each seed; a fault landed if it stopped a goroutine or dropped a packet |\n| ambiguous outcomes | a call without an answer may take effect at any time after it was made, or never; only a certain refusal did not |\n| reduction plan | orrery shrink: faults, clients, calls, nodes, then choices of the schedule |\n", "", one("error S1: model: nothing")},
		{"model in part", "| kind | map |\n", "", one("error S1: model: kind: nothing")},
		{"no matrix", "| C4 | With all nodes up and connected again, a write is acknowledged within 30 s. | liveness |", "| C4 | Each client is served. | fairness |", []string{"error S3: matrix: nothing", "error S3: arms: no arms, with 2 oracles"}},
		{"closes what it is not about", "| claims | C1, C4 |", "| claims | C4 |", []string{"warning S3: closes: H1, which is about C1", "warning adequacy 1: scenarios: S3, which is not about C1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.run(t, example)
		})
	}
}

// What a plan leaves alone, and says so, is no error.
func TestSetAside(t *testing.T) {
	data, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "| closes | H1, H5 |", "| closes | H1 |", 1)
	text = strings.Replace(text, "- A parameter for", "- Elections without end (H5).\n- A parameter for", 1)
	if _, problems := Load(example, []byte(text)); len(problems) > 0 {
		t.Error(problems)
	}
	if _, problems := Load(example, []byte(strings.Replace(text, "(H5)", "(H55)", 1))); problems.Err() == nil {
		t.Error("H55 was taken for H5")
	}
}

// Arms: what has to have them, and what they are about.
func TestCheckArms(t *testing.T) {
	arm := "| claims | C1 |\n| surfaces | api, sql |\n| faults | kill (a shard, in a scan), cache eviction |\n| oracle | no foreign bytes |\n| parameters | rate=50 |"
	for _, c := range []change{
		{"four surfaces, one arm each", "| surfaces | api, sql |", "| surfaces | api, sql, metrics, logs |", one("error S1/api: surfaces: 4 surfaces")},
		{"surface left out", "| surfaces | api, sql |", "| surfaces | api |", one(`error S1: arms: no arm over the surface "sql"`)},
		{"unknown surface", "| surfaces | api, sql |", "| surfaces | api, sql, ftp |", one(`error S1/api: surfaces: "ftp"`)},
		{"two oracles", "| oracle | no foreign bytes |", "| oracle | no foreign bytes; no foreign names |", one("error S1/api: oracle: 2 oracles")},
		{"no oracle", "| oracle | no foreign bytes |\n", "", one("hand back S1/api: oracle: nothing")},
		{"oracle none", "| oracle | no foreign bytes |", "| oracle | none, because |", one("hand back S1/api: oracle: nothing")},
		{"oracle none with a reason", "| oracle | no foreign bytes |", "| oracle | none, because so |", one("hand back S1/api: oracle: none")},
		{"faults silent", "| faults | kill (a shard, in a scan), cache eviction |", "| faults | |", one("error S1/api: faults: nothing")},
		{"claim of another scenario", arm, strings.Replace(arm, "C1", "C1, C2", 1), one(`error S1/api: claims: "C2"`)},
		{"arm of another scenario", "#### S1/api", "#### S2/api", []string{`error S2/api: id: "S2/api"`, `error adequacy 1: scenarios: the unknown scenario "S1/api"`}},
		{"arm twice", "#### S1/traces", "#### S1/api", []string{`error S1/api: id: the arm "S1/api" a second time`, `error adequacy 1: scenarios: the unknown scenario "S1/traces"`}},
		{"unknown fault of a test", "| target | test/traces_test.go#TestTraces |\n", "| target | test/traces_test.go#TestTraces |\n| driver | x.sh |\n", one(`error S1/traces: driver: a driver beside the test "TestTraces"`)},
		{"claim without an arm", "| technique | black box |\n| claims | C1 |", "| technique | black box |\n| claims | C1, C2 |", one("error S1: arms: no arm about the claim C2")},
		{"matrix about another claim", "| field | value |\n|---|---|\n| claim | C1 |", "| field | value |\n|---|---|\n| claim | C2 |", one(`error S1: matrix: claim: "C2"`)},
		{"silent matrix", "| keys | the tenant's number |", "| keys | n/a |", one(`error S1: matrix: keys: only "n/a"`)},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, "testdata/tenants.md") })
	}
}

// Without arms, each of the three bounds asks for them.
func TestCheckUnsplit(t *testing.T) {
	data, err := os.ReadFile("testdata/tenants.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	from, to := strings.Index(text, "#### S1/api"), strings.Index(text, "### S2")
	text = text[:from] + text[to:]
	text = strings.Replace(text, "S1/api, S1/traces", "S1", 1)
	text = strings.Replace(text, "| oracle | none, because each arm has its own |", "| oracle | no foreign bytes |", 1)
	text = strings.Replace(text, "| faults | none, because each arm has its own |", "| faults | kill |", 1)
	for _, c := range []struct{ name, old, new, want string }{
		{"four surfaces", "", "", "no arms, with 4 surfaces"},
		{"three surfaces", "| surfaces | api, sql, metrics, logs |", "| surfaces | api, sql, logs |", ""},
		{"two oracles", "| oracle | no foreign bytes |", "| oracle | no foreign bytes; quick |", "no arms, with 4 surfaces, 2 oracles"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := Load("x.md", []byte(strings.Replace(text, c.old, c.new, 1)))
			if c.want == "" && len(problems) > 0 || c.want != "" && (len(problems) != 1 || problems[0].Found != c.want) {
				t.Errorf("got %v, want %q", problems, c.want)
			}
		})
	}
}

// The limit of categories holds for a scenario, and for each of its arms.
func TestCheckCategories(t *testing.T) {
	p := load(t, "testdata/tenants.md")
	for i, category := range []Category{Operational, Liveness} {
		id := fmt.Sprintf("C%d", i+3)
		p.Claims = append(p.Claims, Claim{id, "x", category, "x", Stated})
		p.Coverage = append(p.Coverage, Coverage{id, "H1", CoveredFully, GapNone})
		p.Adequacy = append(p.Adequacy, Adequacy{id, "x", []string{"S1"}, "x"})
		p.Scenarios[0].Claims = append(p.Scenarios[0].Claims, id)
		p.Scenarios[0].Arms[0].Claims = append(p.Scenarios[0].Arms[0].Claims, id)
	}
	if problems := p.Check(); len(problems) > 0 {
		t.Fatal(problems)
	}
	p.Scenarios[0].Claims = append(p.Scenarios[0].Claims, "C2")
	p.Scenarios[0].Arms[0].Claims = append(p.Scenarios[0].Arms[0].Claims, "C2")
	if problems := p.Check(); len(problems) != 1 || problems[0].About != "S1/api: claims" || problems[0].Found != "4 categories of claims" {
		t.Errorf("got %v, want one about the arm's claims", problems)
	}
	p.Scenarios[0].Arms = nil
	p.Adequacy[0].Scenarios = []string{"S1"}
	p.Scenarios[0].Oracles = List[Named]{Items: []Named{{"no foreign bytes", ""}}}
	p.Scenarios[0].Matrix.Surfaces.Items = []string{"api"}
	p.Scenarios[0].Faults = List[Named]{Items: []Named{{"kill", ""}}}
	if problems := p.Check(); len(problems) != 1 || problems[0].Found != "no arms, with 4 categories of claims" {
		t.Errorf("got %v, want one about categories", problems)
	}
}

// All problems of a plan are told, in the order of lines, with what to do.
func TestProblems(t *testing.T) {
	for _, file := range []string{"broken.md", "broken.yaml", "syntax.yaml"} {
		t.Run(file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", file))
			if err != nil {
				t.Fatal(err)
			}
			_, problems := Load(file, data)
			last := 0
			for _, p := range problems {
				if p.Line < last || p.Line < 1 || p.Found == "" || p.Want == "" || p.Do == "" || p.About == "" {
					t.Errorf("after line %d: %v", last, p)
				}
				last = p.Line
			}
			golden(t, filepath.Join("testdata", file+".golden"), problems.Error()+"\n")
		})
	}
}

// A plan that was made by hand in Go has no lines, and is checked all the same.
func TestCheckWithoutSource(t *testing.T) {
	p := loadExample(t)
	p.source = source{}
	if problems := p.Check(); len(problems) > 0 {
		t.Error(problems)
	}
	p.Scenarios[1].Oracles = List[Named]{}
	problems := p.Check()
	if len(problems) != 1 || !strings.HasPrefix(problems[0].String(), `plan "raftkv": hand back: S2: oracle: found nothing, expected what decides`) {
		t.Errorf("got %v", problems)
	}
}
