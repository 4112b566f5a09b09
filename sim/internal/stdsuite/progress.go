package stdsuite

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// progress is the file in which outcomes are kept, so that a long run goes on where
// it was stopped. It lies beside the binary, in a tree whose name changes with
// everything that an outcome depends on.
type progress struct {
	file *os.File
	done map[string]Outcome
}

// openProgress reads what an earlier run has kept.
func openProgress(name string) (*progress, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	p := &progress{f, map[string]Outcome{}}
	for dec := json.NewDecoder(f); ; {
		var o Outcome
		err := dec.Decode(&o)
		switch {
		case errors.Is(err, io.EOF):
			return p, nil
		case errors.Is(err, io.ErrUnexpectedEOF): // the last run was killed as it wrote
			return p, f.Truncate(dec.InputOffset())
		case err != nil:
			return nil, errors.Join(err, f.Close())
		}
		p.done[o.Test] = o
	}
}

// keep adds an outcome.
func (p *progress) keep(o Outcome) error {
	p.done[o.Test] = o
	line, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = p.file.Write(append(line, '\n'))
	return err
}

// Outcomes returns what comes of each test of a suite, in the order of the source.
// Those tests are run that are not left out and of which no earlier run tells.
func (s Suite) Outcomes(ctx context.Context, l LeftOut, workers int) ([]Outcome, error) {
	tests, out, err := l.split(s)
	if err != nil {
		return nil, err
	}
	p, err := openProgress(s.Binary.File + ".jsonl")
	if err != nil {
		return nil, err
	}
	defer p.file.Close()
	var todo []string
	for _, test := range tests {
		if _, ok := p.done[test]; !ok {
			todo = append(todo, test)
		}
	}
	if err := s.Run(ctx, todo, workers, p.keep); err != nil {
		return nil, err
	}
	for _, test := range tests {
		out = append(out, p.done[test])
	}
	return out, nil
}
