package author

import "fmt"

// OnConflict says what is done about a target file that is there already, and is not
// what would be written.
type OnConflict string

// What can be done about it. The zero value is Ask.
const (
	// Ask shows the difference, and asks. If there is nobody to ask it is Skip.
	Ask OnConflict = "ask"
	// Skip leaves the file as it is.
	Skip OnConflict = "skip"
	// Overwrite replaces a file that begins with the marker, edited or not. What the
	// edits were is in the difference.
	Overwrite OnConflict = "overwrite"
	// New writes beside it: kv_s1_2_test.go beside kv_s1_test.go.
	New OnConflict = "new"
)

// ParseOnConflict reads one.
func ParseOnConflict(text string) (OnConflict, error) {
	switch p := OnConflict(text); p {
	case Ask, Skip, Overwrite, New:
		return p, nil
	}
	return "", fmt.Errorf("found %q, want ask, skip, overwrite or new", text)
}

// Stage says what is done with new files in git.
type Stage string

// What can be done with them. Nothing is ever committed.
const (
	StageNew     Stage = ""     // they are staged, as by git add
	StageNothing Stage = "none" // nothing
)
