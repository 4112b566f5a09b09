package sim

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"github.com/orrery-sim/orrery/sim/internal/kernel"
)

// testAddr is the address of the test's own machine.
var testAddr = netip.AddrFrom4([4]byte{10, 255, 255, 254})

// testDir is the folder of the package under test, which a test reads: testdata
// and the like. Nothing outside it is shown.
var testDir, _ = os.Getwd()

// outside shows the test the real files of its package's folder. The kernel's
// goroutine calls it, whose system calls are real.
func outside(path string) (kernel.OutsideFile, bool) {
	if path != testDir && !strings.HasPrefix(path, testDir+string(filepath.Separator)) {
		if !strings.HasPrefix(testDir, strings.TrimSuffix(path, "/")+"/") {
			return kernel.OutsideFile{}, false
		}
	}
	st, err := os.Lstat(path)
	if err != nil {
		return kernel.OutsideFile{}, false
	}
	f := kernel.OutsideFile{Mode: st.Mode()}
	if st.IsDir() {
		entries, err := os.ReadDir(path)
		if err != nil {
			return kernel.OutsideFile{}, false
		}
		for _, e := range entries {
			f.Names = append(f.Names, e.Name())
		}
		return f, true
	}
	f.Data, err = os.ReadFile(path)
	return f, err == nil && st.Mode().IsRegular()
}
