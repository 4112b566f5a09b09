package run

import (
	"encoding/binary"
	"os"
	"testing"
)

func frameOf(kind byte, payload string) []byte {
	b := append([]byte{kind, 0, 0, 0}, binary.LittleEndian.AppendUint32(nil, uint32(len(payload)))...)
	return append(b, payload...)
}

// What a run that died half-way has written is no result, wherever it was cut.
func TestOutputCutAnywhere(t *testing.T) {
	whole := frameOf('C', "12345678")
	whole = append(whole, frameOf('L', `[{"At":1,"Node":"n1","Text":"x"}]`)...)
	whole = append(whole, frameOf('R', `{"scenario":"T","seed":"7","verdict":"pass","hash":"00"}`)...)
	for n := range len(whole) + 1 {
		f, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		f.Write(whole[:n])
		out, complete, err := readOutput(f)
		f.Close()
		if err != nil || complete != (n == len(whole)) {
			t.Fatalf("the first %d of %d bytes: complete %v, %v", n, len(whole), complete, err)
		}
		if complete && (out.Seed != 7 || out.Verdict != Pass || len(out.Log) != 1 || len(out.Checkpoints) != 1) {
			t.Fatalf("read %+v", out)
		}
	}
}

func TestOutputOfGarbage(t *testing.T) {
	for _, text := range []string{string(frameOf('?', "")), string(frameOf('R', "{")), string(frameOf('L', "7")), string(frameOf('S', `{"x":"y"}`))} {
		f, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(text)
		if _, complete, err := readOutput(f); err == nil || complete {
			t.Errorf("%q: complete %v, %v, want an error", text, complete, err)
		}
		f.Close()
	}
}

func TestTailKeepsBothEnds(t *testing.T) {
	var tl tail
	for range 3 * tailSize {
		tl.Write([]byte("a"))
	}
	tl.Write([]byte("end"))
	if s := tl.String(); len(s) > 2*tailSize+10 || s[0] != 'a' || s[len(s)-3:] != "end" {
		t.Errorf("kept %d bytes, from %q to %q", len(s), s[:1], s[len(s)-3:])
	}
}
