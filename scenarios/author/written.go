package author

// Written is what became of a scenario, or of an arm that has a target of its own.
type Written struct {
	Scenario string // its id
	File     string // from the repository's top, with slashes; "" if there is none
	Func     string // the test; "" if there is none
	// Bind is what the plan's target has to be for the test to be run, as
	// kv/kv_test.go#TestKV; "" if it is that.
	Bind   string
	Action Action
	Reason string // why nothing was written, or what the file was before; "" if there is nothing to say
	Diff   string // unified, from what was there to what the plan asks for; "" if that is the same
	Check  Check
	Found  string // what the compiler or the run said, unless the test fails as a skeleton
	Staged Staged
}

// Action is what was done about a scenario's test.
type Action string

// What can be done. Only the first three wrote a file.
const (
	Created     Action = "created"
	Overwritten Action = "overwritten"
	Beside      Action = "new"       // beside a file that is there, under another name
	Unchanged   Action = "unchanged" // the file is what would be written
	Skipped     Action = "skipped"   // it was left alone
	Refused     Action = "refused"   // the plan asks for what cannot be written
)

func (a Action) wrote() bool { return a == Created || a == Overwritten || a == Beside }

// Check is what was seen when the test was compiled and run.
type Check string

// What can be seen. The zero value is that nothing was looked at.
const (
	FailsAsSkeleton Check = "fails as a skeleton" // as it should
	NotCompiled     Check = "does not compile"
	FailsElsewise   Check = "does not fail as a skeleton"
)

// Staged says what was done about a file that was written. The zero value is nothing.
type Staged string

// What can be done.
const (
	IsStaged     Staged = "staged"
	NoRepository Staged = "not staged: it is in no git repository"
	NotStaged    Staged = "not staged" // git refused it; Reason says why
)
