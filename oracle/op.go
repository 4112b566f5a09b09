package oracle

// Status says what is known of whether a call took effect.
type Status string

// The states of a call. Open and unknown calls may have taken effect at any time
// after they were invoked, or never.
const (
	StatusOpen    Status = "open"    // not answered yet
	StatusOK      Status = "ok"      // took effect between Invoke and Complete
	StatusFailed  Status = "failed"  // refused: took no effect, for certain
	StatusUnknown Status = "unknown" // ended without an answer
)

// Call is what a client asks for.
//
// Values are text. The empty string stands for no value, and a call of several
// inputs gives them as one EDN vector, which Values makes.
type Call struct {
	Process string // the client: one that never has two calls at once
	Type    string // "get", "put", "cas" ...
	Key     string // the object that it is about
	Input   string
	Node    string // the node that is asked, if known
}

// Op is one call of a history. A retry is another call.
type Op struct {
	ID      int    `json:"id"`
	Process string `json:"process"`
	Type    string `json:"type"`
	Key     string `json:"key,omitempty"`
	Input   string `json:"input,omitempty"`
	Output  string `json:"output,omitempty"`
	Status  Status `json:"status"`
	Error   string `json:"error,omitempty"`
	Timeout bool   `json:"timeout,omitempty"` // ended by its deadline
	Node    string `json:"node,omitempty"`    // the node that answered, or was asked
	Epoch   int    `json:"epoch,omitempty"`   // of faults, when it was invoked

	// Invoke and Complete are true time in nanoseconds. Complete means nothing
	// while the call is open.
	Invoke   int64 `json:"invoke"`
	Complete int64 `json:"complete,omitempty"`
	// Begin and End are the places of both events in the order in which the
	// history saw them, from 1; every event has its own. They order events of one
	// instant, so checkers go by them, not by the times. End is 0 while open.
	Begin int `json:"begin"`
	End   int `json:"end,omitempty"`

	args []string
}

// Args returns the inputs of the call: the elements of an EDN vector, or the one
// input as it is. The caller must not change them.
func (o *Op) Args() []string {
	if o.args == nil {
		o.args = splitValues(o.Input)
	}
	return o.args
}

// Arg returns the i-th of the call's inputs, or "" if there are fewer.
func (o *Op) Arg(i int) string {
	if a := o.Args(); i < len(a) {
		return a[i]
	}
	return ""
}

// String returns the call in one line: "c1 put k1 c1-7: ok, by n2".
func (o *Op) String() string {
	line := o.Process + " " + o.Type
	for _, word := range []string{o.Key, o.Input} {
		if word != "" {
			line += " " + word
		}
	}
	switch o.Status {
	case StatusOpen:
		return line
	case StatusOK:
		line += ": ok"
		if o.Output != "" {
			line += " " + o.Output
		}
	default:
		line += ": " + string(o.Status) + " " + o.Error
	}
	if o.Node != "" {
		line += ", by " + o.Node
	}
	return line
}

// possible reports whether the call may have taken effect without an answer that
// says when.
func (o *Op) possible() bool { return o.Status == StatusOpen || o.Status == StatusUnknown }

// Values makes one value of several: what Op.Args takes apart again.
func Values(vs ...string) string {
	v := edn{kind: ednVector}
	for _, s := range vs {
		v.kids = append(v.kids, ednOf(s))
	}
	return v.String()
}

// splitValues is the opposite of Values. It never returns nil.
func splitValues(s string) []string {
	if len(s) > 0 && s[0] == '[' {
		if v, ok := parseOne(s); ok && v.kind == ednVector {
			out := make([]string, len(v.kids))
			for i := range v.kids {
				out[i] = v.kids[i].value()
			}
			return out
		}
	}
	return []string{s}
}
