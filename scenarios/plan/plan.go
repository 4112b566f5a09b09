package plan

// Plan is a test plan. The tags name the fields as YAML and Markdown write them,
// and say what belongs there; reading, writing, checking and the published schema
// all go by them.
type Plan struct {
	Name         string             `plan:"name" want:"a short name of the plan"`
	Header       Header             `plan:"header" want:"who plans what, when"`
	Architecture string             `plan:"architecture" want:"the parts of the system and how they talk, in at most 30 lines"`
	Scope        string             `plan:"scope" want:"what the plan is about, and where it ends"`
	Claims       []Claim            `plan:"claims" want:"what the system promises"`
	Unstated     List[Unstated]     `plan:"unstated-claims" want:"what the code relies on and nobody states"`
	System       SystemModel        `plan:"system-model" want:"what is assumed of the system"`
	Tests        List[ExistingTest] `plan:"existing-tests" want:"the tests that there are"`
	Hypotheses   []Hypothesis       `plan:"hypotheses" want:"how claims could turn out false"`
	Coverage     []Coverage         `plan:"coverage-matrix" want:"how well each hypothesis is covered before this plan"`
	Techniques   List[Technique]    `plan:"techniques" want:"the techniques that scenarios use"`
	Needs        List[Need]         `plan:"environment-needs" want:"what a run takes from the machine"`
	Scenarios    []Scenario         `plan:"scenarios" want:"what is to be run"`
	Adequacy     []Adequacy         `plan:"adequacy" want:"why the scenarios are enough, claim by claim"`
	Residual     List[string]       `plan:"residual-uncertainty" want:"what stays unknown when all scenarios pass"`
	Confidence   string             `plan:"confidence" want:"how sure the designer is, and of what"`
	NonGoals     List[string]       `plan:"non-goals" want:"what is left out on purpose"`
	FollowUps    List[string]       `plan:"follow-ups" want:"what is to be done later"`

	source source
}

// Header says who plans what, and when.
type Header struct {
	Date   string `plan:"date" want:"the day, as 2026-01-31"`
	Mode   Mode   `plan:"mode" want:"change-scoped or project-wide"`
	System string `plan:"system" want:"the system under test, with its version"`
	Change string `plan:"change" want:"the change that is tested; with mode project-wide, none and why"`
	Author string `plan:"author" want:"who designed the plan"`
	Status string `plan:"status" want:"how far the plan is: draft, reviewed, final"`
}

// Claim is something that the system promises.
type Claim struct {
	ID       string   `plan:"id" id:"claim" want:"an id, as C1"`
	Text     string   `plan:"text" want:"the promise, in a sentence that can turn out false"`
	Category Category `plan:"category" want:"safety, liveness, durability, performance-slo, operational, idempotency, isolation, ordering, membership, boundary or fairness"`
	Source   string   `plan:"source" want:"where it is promised: a page, a comment, an issue"`
	Basis    Basis    `plan:"basis" want:"stated, or inferred by the designer"`
}

// Unstated is a claim that the code relies on and nobody states. Scenarios refer
// to it as they do to claims.
type Unstated struct {
	ID       string   `plan:"id" id:"claim" want:"an id, as U1"`
	Text     string   `plan:"text" want:"what the code relies on"`
	Category Category `plan:"category" want:"safety, liveness, durability, performance-slo, operational, idempotency, isolation, ordering, membership, boundary or fairness"`
	Where    string   `plan:"where" want:"the code that relies on it"`
}

// SystemModel is what is assumed of the system under test.
type SystemModel struct {
	Tenancy       string `plan:"tenancy" want:"who shares the system, and what keeps them apart"`
	Persistence   string `plan:"persistence" want:"what is durable, and when"`
	Consensus     string `plan:"consensus" want:"how nodes agree, and what on"`
	Ordering      string `plan:"ordering" want:"what is ordered, and by what"`
	Network       string `plan:"network" want:"what is assumed of links"`
	Retry         string `plan:"retry" want:"who tries again, when, and with which id"`
	Observability string `plan:"observability" want:"what can be seen from outside"`
}

// ExistingTest is a test that is there already.
type ExistingTest struct {
	Test   string `plan:"test" want:"a path, or a path and a function"`
	Covers string `plan:"covers" want:"what it covers, and what it does not"`
}

// Hypothesis is a way in which a claim could turn out false.
type Hypothesis struct {
	ID    string `plan:"id" id:"hypothesis" want:"an id, as H1"`
	Claim string `plan:"claim" ref:"claim" want:"the claim that it could falsify, by id"`
	Why   string `plan:"why" want:"what makes it likely"`
	Where string `plan:"where" want:"the code or the design that it is about"`
}

// Coverage says how well a hypothesis about a claim is covered before this plan.
type Coverage struct {
	Claim      string  `plan:"claim" ref:"claim" want:"a claim, by id"`
	Hypothesis string  `plan:"hypothesis" ref:"hypothesis" want:"a hypothesis, by id"`
	Covered    Covered `plan:"covered" want:"covered, partial or not"`
	Gap        Gap     `plan:"gap" want:"what is missing: none, shallow, oracle-too-weak, no-fault-variant or no-scale-variant"`
}

// Technique is a way of testing that scenarios name.
type Technique struct {
	Technique string `plan:"technique" id:"technique" want:"a name"`
	Why       string `plan:"why" want:"what it can find here that others cannot"`
}

// Need is something that a run takes from the machine that it is on.
type Need struct {
	Item       string       `plan:"item" id:"need" want:"what is needed, as docker or go"`
	Floor      string       `plan:"floor" want:"the oldest version or the least amount that will do"`
	UsedBy     List[string] `plan:"used-by" sep:"," ref:"scenario" want:"the scenarios that need it, by id"`
	Install    string       `plan:"install-hint" want:"how to get it"`
	Substitute string       `plan:"substitute" want:"what does instead if it is missing"`
}

// Adequacy is the argument that a claim's scenarios are enough.
type Adequacy struct {
	Claim     string   `plan:"claim" ref:"claim" want:"a claim, by id"`
	Threats   string   `plan:"threats" want:"what could make the claim false"`
	Scenarios []string `plan:"scenarios" sep:"," ref:"scenario" want:"the scenarios that meet the threats, by id"`
	Why       string   `plan:"why-sufficient" want:"why these are enough"`
}
