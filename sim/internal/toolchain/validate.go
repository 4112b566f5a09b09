package toolchain

import (
	"errors"
	"fmt"
)

// validate returns what is wrong with the table itself, whatever the sources.
func validate(edits []edit) error {
	var errs []error
	names := map[string]bool{}
	for _, e := range edits {
		if e.name == "" || e.file == "" || e.op.kind == 0 {
			errs = append(errs, fmt.Errorf("edit %q of %q: want a name, a file and an op", e.name, e.file))
		}
		if names[e.name] {
			errs = append(errs, fmt.Errorf("edit %q: two of that name", e.name))
		}
		names[e.name] = true
		if e.code == "" && e.op.kind.wantsCode() {
			errs = append(errs, fmt.Errorf("edit %q: has no code", e.name))
		}
	}
	return errors.Join(errs...)
}

func (k opKind) wantsCode() bool {
	switch k {
	case opReplaceStmt, opRenameFunc, opRemoveBody, opReplaceBody, opAddImport:
		return false
	}
	return true
}
