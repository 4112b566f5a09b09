package guest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/orrery-sim/orrery/sim"
)

// folder is where a node has certain files.
type folder struct {
	path  string
	files fs.FS
}

// furniture is what tests of a package find on a machine with Go: its folder and
// the shared test data, the time zones, and what a system has.
func furniture(dir string) ([]folder, error) {
	root := goroot(dir)
	zoneinfo, err := os.ReadFile(filepath.Join(root, "lib", "time", "zoneinfo.zip"))
	if err != nil {
		return nil, err
	}
	zones, err := zip.NewReader(bytes.NewReader(zoneinfo), int64(len(zoneinfo)))
	testdata := filepath.Join(root, "src", "testdata")
	return []folder{
		{dir, os.DirFS(dir)},
		{testdata, os.DirFS(testdata)},
		{filepath.Join(root, "lib", "time"), fstest.MapFS{"zoneinfo.zip": {Data: zoneinfo, Mode: 0o644}}},
		{"/usr/share/zoneinfo", zones},
		{"/", fstest.MapFS{
			"bin/" + Scenario: {Data: []byte("\x7fELF"), Mode: 0o755}, // the test's program
			"etc/services":    {Data: []byte(services), Mode: 0o644},
		}},
	}, err
}

// services is what a line of /etc/services looks like.
const services = "# Network services\nssh\t\t22/tcp\t\t\t\t# SSH\ndomain\t\t53/udp\nhttp\t\t80/tcp\t\twww\n"

// goroot is the GOROOT that a package's folder is in.
func goroot(dir string) string {
	for filepath.Base(dir) != "src" {
		dir = filepath.Dir(dir)
	}
	return filepath.Dir(dir)
}

// furnish puts folders on a node's disk.
func furnish(n *sim.Node, folders []folder) {
	for _, f := range folders {
		if err := n.ImportAt(f.path, f.files); err != nil {
			panic(fmt.Sprintf("stdsuite: %v", err))
		}
	}
}
