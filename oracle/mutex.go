package oracle

// Mutex is a lock for every key, held by at most one process:
//
//	lock    takes effect when it is free ("acquire")
//	trylock answers "false" when it is not
//	unlock  takes effect when its process holds it ("release")
//
// It knows no leases: a lock that times out is another model.
func Mutex() Model {
	return Model{
		Name:  "mutex",
		Types: []string{"lock", "trylock", "unlock", "acquire", "release"},
		Apply: applyMutex,
	}
}

// The state is the holder, after a mark that tells a holder of no name from none.
func applyMutex(state string, op *Op) (string, Answer) {
	me := "by " + op.Process
	switch op.Type {
	case "unlock", "release":
		if state != me {
			return state, Blocked
		}
		return "", Allowed
	case "trylock":
		if state != "" {
			return state, said(op, false)
		}
		return me, said(op, true)
	}
	if state != "" {
		return state, Blocked
	}
	return me, Allowed
}
