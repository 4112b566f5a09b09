package oracle

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ReadEDN reads a history as Jepsen, Knossos and Elle write it: maps of an
// invocation or a completion each (:type, :process, :f, :value, and optionally
// :key, :time, :error, :node), in a vector, a list or one after the other.
//
// A completion is of its process's open call; :info is unknown. What :nemesis
// does is no call: each of its events begins an epoch. A history without times
// has the places of its events for them. An error about the text is a *ReadError.
func ReadEDN(r io.Reader) (*History, error) {
	src, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	p := &ednParser{src: string(src)}
	if at := invalidAt(p.src); at >= 0 {
		return nil, errorAt(p.src, at, fmt.Sprintf("the byte %#x", src[at]), "text in UTF-8", "convert the file")
	}
	d := &jepsenReader{src: p.src, h: &History{bare: true}, open: map[string]int{}}
	d.h.clock = ClockFunc(func() int64 { return d.h.start })
	for {
		v, more, perr := p.next()
		if perr == nil && !more {
			return d.h, nil
		}
		if perr == nil {
			perr = d.form(v)
		}
		if perr != nil {
			return nil, perr
		}
	}
}

// invalidAt returns the offset of the first byte that is no UTF-8, or -1.
func invalidAt(s string) int {
	for i, r := range s {
		if r != utf8.RuneError {
			continue
		}
		if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
			return i
		}
	}
	return -1
}

type jepsenReader struct {
	src  string
	h    *History
	open map[string]int // process to index of its open call
	last int64          // the latest time so far
}

// form takes one value of the file's top: an event, or a sequence of them.
func (d *jepsenReader) form(v edn) *ReadError {
	switch v.kind {
	case ednVector, ednList:
		for _, kid := range v.kids {
			if err := d.event(kid); err != nil {
				return err
			}
		}
		return nil
	}
	return d.event(v)
}

func (d *jepsenReader) event(v edn) *ReadError {
	if v.kind == ednTagged {
		v = v.kids[0]
	}
	if v.kind != ednMap {
		return errorAt(d.src, v.at, v.describe(), "a map with :type, :process, :f and :value", "leave out what is no event")
	}
	kind, ok := v.get(":type")
	if !ok {
		return errorAt(d.src, v.at, "an event without :type", ":invoke, :ok, :fail or :info", "add its :type")
	}
	if _, timed := v.get(":time"); timed {
		d.h.bare = false
	}
	process, _ := v.get(":process")
	if process.kind == ednKeyword && process.text == ":nemesis" {
		d.h.epoch++
		return nil
	}
	switch kind.text {
	case ":invoke":
		return d.invoke(v, process.value())
	case ":ok":
		return d.complete(v, process.value(), StatusOK)
	case ":fail":
		return d.complete(v, process.value(), StatusFailed)
	case ":info":
		return d.complete(v, process.value(), StatusUnknown)
	}
	return errorAt(d.src, kind.at, kind.describe(), ":invoke, :ok, :fail or :info", "correct the :type")
}

func (d *jepsenReader) invoke(v edn, process string) *ReadError {
	if i, busy := d.open[process]; busy {
		return errorAt(d.src, v.at, "a second call of process "+show(process)+", whose call "+strconv.Itoa(i)+" is open",
			"the first one's completion before it", "give the calls processes of their own")
	}
	f, has := v.get(":f")
	op := Op{ID: len(d.h.ops), Process: process, Type: f.value(), Status: StatusOpen, Epoch: d.h.epoch}
	if f.kind == ednKeyword {
		op.Type = f.text[1:]
	}
	if !has {
		op.Type = "txn" // Elle's examples leave it out
	}
	var err *ReadError
	if op.Invoke, err = d.time(v); err != nil {
		return err
	}
	op.Key, op.Input, op.Node = text(v, ":key"), text(v, ":value"), text(v, ":node")
	if epoch, ok := v.get(":epoch"); ok {
		if op.Epoch, err = d.integer(epoch); err != nil {
			return err
		}
		d.h.epoch = max(d.h.epoch, op.Epoch)
	}
	d.h.events++
	op.Begin = d.h.events
	d.open[process] = op.ID
	d.h.ops = append(d.h.ops, op)
	return nil
}

func (d *jepsenReader) complete(v edn, process string, s Status) *ReadError {
	i, ok := d.open[process]
	if !ok {
		return errorAt(d.src, v.at, "a completion of process "+show(process)+", which has no open call", "its :invoke before it", "add the invocation, or leave this out")
	}
	delete(d.open, process)
	t, err := d.time(v)
	if err != nil {
		return err
	}
	op := &d.h.ops[i]
	d.h.events++
	op.Status, op.End, op.Complete = s, d.h.events, max(op.Invoke, t)
	if s == StatusOK {
		op.Output = text(v, ":value")
	}
	op.Error = text(v, ":error")
	if node := text(v, ":node"); node != "" {
		op.Node = node
	}
	timeout, _ := v.get(":timeout")
	op.Timeout = timeout.text == "true" || strings.Contains(op.Error, ":timed-out") || op.Error == ":timeout"
	return nil
}

// time is an event's time, or its place.
func (d *jepsenReader) time(v edn) (int64, *ReadError) {
	t, ok := v.get(":time")
	if !ok || t.kind == ednNil {
		return int64(d.h.events + 1), nil
	}
	n, err := d.integer(t)
	return int64(n), err
}

func (d *jepsenReader) integer(v edn) (int, *ReadError) {
	n, err := strconv.ParseInt(v.text, 10, 64)
	if v.kind != ednNumber || err != nil || n < math.MinInt64/2 || n > math.MaxInt64/2 {
		return 0, errorAt(d.src, v.at, v.describe(), "a whole number of 63 bits", "write nanoseconds as a number")
	}
	return int(n), nil
}

func text(v edn, keyword string) string {
	kid, ok := v.get(keyword)
	if !ok {
		return ""
	}
	return clean(kid.value())
}

// WriteEDN writes the history as Jepsen does, one event a line, with :key, :node,
// :epoch, :timeout and :error where there are any. Times count from the start.
func (h *History) WriteEDN(w io.Writer) error {
	ops := h.Ops()
	type event struct {
		op  *Op
		end bool
	}
	events := map[int]event{}
	last := 0
	for i := range ops {
		events[ops[i].Begin] = event{&ops[i], false}
		events[ops[i].End] = event{&ops[i], true}
		last = max(last, ops[i].Begin, ops[i].End)
	}
	b := bufio.NewWriter(w)
	index := 0
	for place := 1; place <= last; place++ {
		if e, ok := events[place]; ok {
			h.writeEvent(b, index, e.op, e.end)
			index++
		}
	}
	return b.Flush()
}

// plainType is a type that can be written as a keyword.
var plainType = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.*+!?-]*$`)

func (h *History) writeEvent(b *bufio.Writer, index int, o *Op, end bool) {
	kind, at, value := ":invoke", o.Invoke, o.Input
	if end {
		kind, at, value = jepsenTypes[o.Status], o.Complete, o.Output
	}
	if end && o.Status != StatusOK {
		value = o.Input
	}
	process, f := ednOf(o.Process), edn{kind: ednString, text: o.Type}
	if process.kind == ednKeyword {
		process = edn{kind: ednString, text: o.Process}
	}
	if plainType.MatchString(o.Type) {
		f = edn{kind: ednKeyword, text: ":" + o.Type}
	}
	fmt.Fprintf(b, "{:index %d, :type %s, :process %s, :f %s, :value %s", index, kind, process, f, ednOf(value))
	if !h.bare {
		fmt.Fprintf(b, ", :time %d", at-h.start)
	}
	extra := func(keyword, value string) {
		if value != "" {
			fmt.Fprintf(b, ", %s %s", keyword, ednOf(value))
		}
	}
	if end {
		extra(":error", o.Error)
		if o.Timeout {
			b.WriteString(", :timeout true")
		}
	} else {
		extra(":key", o.Key)
		extra(":node", o.Node)
		if o.Epoch != 0 {
			fmt.Fprintf(b, ", :epoch %d", o.Epoch)
		}
	}
	b.WriteString("}\n")
}

var jepsenTypes = map[Status]string{StatusOK: ":ok", StatusFailed: ":fail", StatusUnknown: ":info"}
