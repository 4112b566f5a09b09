package oracle

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readFile reads one of the histories of testdata.
func readFile(t testing.TB, name string) *History {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	h, err := ReadEDN(bytes.NewReader(src))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return h
}

func TestKnossos(t *testing.T) {
	for folder, want := range map[string]Verdict{"good": OK, "bad": Violation} {
		files, _ := filepath.Glob("testdata/knossos/" + folder + "/*.edn")
		if len(files) < 5 {
			t.Fatalf("%s: %d files, want 5 at least", folder, len(files))
		}
		for _, file := range files {
			name := strings.TrimPrefix(file, "testdata/")
			h := readFile(t, name)
			out := Linearizable(h, Register()).Check()
			if strings.Contains(name, "rollback-9") || strings.Contains(name, "rollback-11") {
				want := Vacuous // nothing in them was answered but refusals
				if out.Verdict != want {
					t.Errorf("%s: %s, want %s", name, out.Verdict, want)
				}
				continue
			}
			if out.Verdict != want {
				t.Errorf("%s: %s (%s), want %s", name, out.Verdict, out.Reason, want)
			}
		}
	}
}

func TestKnossosMultiRegister(t *testing.T) {
	h := readFile(t, "knossos/multi/multi-register.edn")
	for want, model := range map[Verdict]Model{
		OK:        Registers(":x", "0", ":y", "0"),
		Violation: Registers(":x", "0", ":y", "1"),
	} {
		if out := Linearizable(h, model).Check(); out.Verdict != want {
			t.Errorf("%s (%s), want %s", out.Verdict, out.Message, want)
		}
	}
}

func TestElleFilesAreRead(t *testing.T) {
	for name, want := range map[string]Counts{
		"elle/paper-example.edn":       {Invoked: 4, OK: 4},
		"elle/si-without-g-single.edn": {Invoked: 4, OK: 4},
	} {
		h := readFile(t, name)
		if got := h.Counts(); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		if op := h.Ops()[0]; op.Type != "txn" || op.Arg(0) == "" {
			t.Errorf("%s: first call %+v, want a txn with inputs", name, op)
		}
	}
}

// porcupineData returns the folder of porcupine's own histories.
func porcupineData(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/anishathalye/porcupine").Output()
	data := filepath.Join(strings.TrimSpace(string(dir)), "test_data")
	if _, serr := os.Stat(data); err != nil || serr != nil {
		t.Skipf("the module porcupine has no files here: %v %v", err, serr)
	}
	return data
}

func TestPorcupineKV(t *testing.T) {
	data := porcupineData(t)
	for _, name := range []string{"c01-ok", "c01-bad", "c10-ok", "c10-bad", "c50-ok", "c50-bad"} {
		f, err := os.ReadFile(filepath.Join(data, "kv", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		h, err := ReadEDN(bytes.NewReader(f))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := OK
		if strings.HasSuffix(name, "bad") {
			want = Violation
		}
		out := Linearizable(h, KV()).Check()
		if out.Verdict != want {
			t.Errorf("%s: %s, want %s", name, out.Verdict, want)
		}
	}
}

var etcdLine = regexp.MustCompile(`jepsen\.util\s+-\s+(\d+)\s+:(invoke|ok|fail|info)\s+:(read|write|cas)\s+(\S.*)$`)

// readEtcdLog reads a log of Jepsen's test of etcd. A refused cas found another
// value there; a read that timed out and a call that did (:info) have no answer.
func readEtcdLog(t *testing.T, file string) *History {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	now := int64(0)
	h := NewHistory(ClockFunc(func() int64 { now++; return now }))
	open := map[string]Pending{}
	for _, line := range strings.Split(string(src), "\n") {
		m := etcdLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		process, kind, f, value := m[1], m[2], m[3], m[4]
		if value == "nil" {
			value = ""
		}
		switch {
		case kind == "invoke":
			open[process] = h.Invoke(Call{Process: process, Type: f, Input: value})
		case kind == "ok":
			open[process].OK(value)
		case kind == "fail" && f == "cas" && value != ":timed-out":
			open[process].OK("false")
		default:
			open[process].Unknown(fmt.Errorf("%s", value))
		}
	}
	return h
}

func TestPorcupineEtcd(t *testing.T) {
	data := porcupineData(t)
	good := map[int]bool{}
	for _, n := range []int{2, 5, 7, 18, 25, 31, 38, 45, 48, 49, 51, 53, 56, 67, 75, 76, 80, 87, 92, 98, 100, 101, 102} {
		good[n] = true
	}
	for n := 0; n <= 102; n++ {
		h := readEtcdLog(t, filepath.Join(data, "jepsen", fmt.Sprintf("etcd_%03d.log", n)))
		want := Violation
		if good[n] {
			want = OK
		}
		if n == 95 {
			want = Vacuous
		}
		out := Linearizable(h, Register()).Check()
		if out.Verdict != want {
			t.Errorf("log %d: %s (%s), want %s", n, out.Verdict, out.Reason, want)
		}
	}
}
