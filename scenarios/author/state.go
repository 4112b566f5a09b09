package author

// state is what a target is that is there already.
type state string

const (
	untouched state = "untouched" // a skeleton as it was written
	changed   state = "changed"   // a skeleton that was edited
	foreign   state = "foreign"   // no skeleton
)

func stateOf(text string) state {
	switch {
	case !marked(text):
		return foreign
	case edited(text):
		return changed
	}
	return untouched
}

// text says what there is.
func (s state) text() string {
	switch s {
	case changed:
		return "it was edited since it was written"
	case untouched:
		return "the plan or the folder has changed since it was written"
	}
	return "it is no skeleton: it does not begin with the marker"
}
