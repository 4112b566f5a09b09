package run

import (
	"context"

	"github.com/orrery-sim/orrery/sim/internal/toolchain"
)

// Copy is the patched copy of the Go that is in use, as it is found.
type Copy struct {
	Dir       string
	Key       string
	GoVersion string
	GoRoot    string  // the original
	Made      bool    // it is there, whole
	Damage    error   // what is wrong with one that is there
	Misfits   []error // edits that do not fit the original
}

// Inspect finds the patched copy of the Go that is in use in dir, and makes
// nothing. An error says why there is no Go that could be copied.
func Inspect(ctx context.Context, dir string) (Copy, error) {
	c, err := toolchain.Inspect(ctx, toolchain.Config{Dir: dir})
	return Copy{c.Dir, c.Key, c.GoVersion, c.Original, c.Made, c.Damage, c.Misfits}, err
}
