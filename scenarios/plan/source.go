package plan

// source is where a plan was read from.
type source struct {
	file  string
	hash  string
	lines map[string]int // of fields, by path, as "scenarios.0.oracle"
	bad   map[string]int // fields that could not be read, which have been told already
}
