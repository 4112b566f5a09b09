package oracle

// Register is one value, of which get, put and cas are the calls:
//
//	get            answers the value ("read" and "r" are the same)
//	put v          sets it; every answer is right ("write", "w")
//	cas [from to]  sets it to to if it is from, else answers "false"
//	append v       adds text to its end
//	delete         takes it back to no value
//
// A register that has no value answers "".
func Register() Model {
	m := KV()
	m.Name, m.Scope = "register", Whole
	return m
}

// KV is a Register for every key.
func KV() Model {
	return Model{
		Name:  "kv",
		Types: []string{"get", "put", "cas", "append", "delete", "read", "write", "r", "w"},
		Apply: applyRegister,
		Moot:  mootRegister,
	}
}

func applyRegister(state string, op *Op) (string, Answer) {
	switch op.Type {
	case "put", "write", "w":
		return op.Input, Any
	case "append":
		return state + op.Input, Any
	case "delete":
		return "", Any
	case "cas":
		if op.Arg(0) != state {
			return state, said(op, false)
		}
		return op.Arg(1), said(op, true)
	}
	return state, Exactly(state)
}

// mootRegister: a write is moot if no call's answer or effect can tell its value.
func mootRegister(op *Op, ops []*Op) bool {
	value := op.Input
	switch op.Type {
	case "put", "write", "w":
	case "cas":
		value = op.Arg(1)
	case "append":
		return false
	case "delete":
		value = ""
	default:
		return true
	}
	for _, o := range ops {
		if o != op && tells(o, value) {
			return false
		}
	}
	return true
}

// tells reports whether the call could go otherwise for a register of that value.
func tells(o *Op, value string) bool {
	switch o.Type {
	case "put", "write", "w", "delete":
		return false
	case "append":
		return true
	case "cas":
		return o.Arg(0) == value || o.Output == "false"
	}
	return o.Status == StatusOK && o.Output == value
}
