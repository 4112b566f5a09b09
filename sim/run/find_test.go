package run

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestTestsOf(t *testing.T) {
	dir := t.TempDir()
	src := `package p
import engine "github.com/orrery-sim/orrery/sim"
func TestDirect(t *testing.T) { engine.Test(t, nil) }
func TestThroughHelper(t *testing.T) { helper(t) }
func helper(t *testing.T) { inner{}.run(t) }
type inner struct{}
func (inner) run(t *testing.T) { engine.Test(t, nil) }
func TestOther(t *testing.T) { other() }
func other() {}
func TestMain(m *testing.M) { helper(nil) }
`
	if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := testsOf(dir, []string{"p_test.go"})
	if want := []string{"TestDirect", "TestThroughHelper"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
