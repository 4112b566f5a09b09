package oracle

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// jsonHead is the first line of a file of JSON lines.
type jsonHead struct {
	History int   `json:"history"` // the version of the format
	Start   int64 `json:"start"`
	Bare    bool  `json:"bare,omitempty"` // times are places
}

// jsonVersion is the version that is written, and the only one that is read.
const jsonVersion = 1

// WriteJSONL writes the history as JSON lines: a head, {"history":1,"start":ns},
// and one Op a line in the order of invocation.
func (h *History) WriteJSONL(w io.Writer) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(jsonHead{jsonVersion, h.start, h.bare}); err != nil {
		return err
	}
	ops := h.Ops()
	for i := range ops {
		if err := enc.Encode(&ops[i]); err != nil {
			return err
		}
	}
	return b.Flush()
}

// ReadJSONL reads what WriteJSONL wrote. The head may be missing; then the history
// starts at 0. An error about the text is a *ReadError.
func ReadJSONL(r io.Reader) (*History, error) {
	src, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var head jsonHead
	var ops []Op
	var lines []int // of ops
	for line := 1; len(src) > 0; line++ {
		text, rest, _ := bytes.Cut(src, []byte("\n"))
		src = rest
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if len(ops) == 0 && bytes.HasPrefix(text, []byte(`{"history"`)) && head.History == 0 {
			if err := readHead(text, line, &head); err != nil {
				return nil, err
			}
			continue
		}
		var op Op
		if err := json.Unmarshal(text, &op); err != nil {
			return nil, jsonError(err, text, line)
		}
		ops, lines = append(ops, op), append(lines, line)
	}
	numberByTime(ops, lines)
	h, err := FromOps(head.Start, ops)
	var wrong *opError
	if errors.As(err, &wrong) {
		// The last line of that id is the one that an id twice is about.
		for i := range ops {
			if ops[i].ID == wrong.id {
				err = &ReadError{lines[i], 1, wrong.found, wrong.want, wrong.remedy}
			}
		}
	}
	if err != nil {
		return nil, err
	}
	h.bare = head.Bare
	return h, nil
}

// numberByTime gives calls without places the ids that FromOps will give them, so that
// their lines can be told.
func numberByTime(ops []Op, lines []int) {
	if slices.ContainsFunc(ops, placed) {
		return
	}
	order := make([]int, len(ops))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ops[i].Invoke, ops[j].Invoke) })
	oldOps, oldLines := slices.Clone(ops), slices.Clone(lines)
	for id, i := range order {
		ops[id], lines[id] = oldOps[i], oldLines[i]
		ops[id].ID = id
	}
}

func readHead(text []byte, line int, head *jsonHead) error {
	if err := json.Unmarshal(text, head); err != nil {
		return jsonError(err, text, line)
	}
	if head.History != jsonVersion {
		return &ReadError{line, 1, fmt.Sprintf("version %d", head.History), fmt.Sprint("version ", jsonVersion), "read it with the version of orrery that wrote it"}
	}
	return nil
}

// jsonError finds the place of what encoding/json says is wrong with a line.
func jsonError(err error, text []byte, line int) error {
	e := &ReadError{Line: line, Column: 1, Found: "a line that is no JSON", Want: "one call", Remedy: strings.TrimPrefix(err.Error(), "json: ")}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		e.Column = max(1, min(int(syntax.Offset), len(text)))
	case errors.As(err, &kind):
		e.Column = max(1, min(int(kind.Offset), len(text)))
		e.Found, e.Want = "a "+kind.Value, kind.Type.String()
		if kind.Field != "" {
			e.Want += " as " + kind.Field
		}
		e.Remedy = "write the value as the format has it"
	}
	return e
}
