package kv

import (
	"encoding/binary"
	"fmt"
)

type op byte

const (
	opPut op = iota + 1
	opGet
	opCAS
)

// A command is the data of a log entry.
type command struct {
	op  op
	key string
	old string // of a swap
	new string // of a put or a swap
}

// Encoding: the op, then each string behind its length.
func (c command) encode() []byte {
	b := make([]byte, 0, 1+3*binary.MaxVarintLen32+len(c.key)+len(c.old)+len(c.new))
	b = append(b, byte(c.op))
	for _, s := range [...]string{c.key, c.old, c.new} {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	return b
}

func decodeCommand(b []byte) (command, error) {
	if len(b) == 0 {
		return command{}, fmt.Errorf("command: empty")
	}
	c := command{op: op(b[0])}
	if c.op < opPut || c.op > opCAS {
		return command{}, fmt.Errorf("command: op is %d, want %d to %d", c.op, opPut, opCAS)
	}
	b = b[1:]
	for _, field := range [...]*string{&c.key, &c.old, &c.new} {
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) {
			return command{}, fmt.Errorf("command: a string of %d bytes in the last %d", size, len(b))
		}
		*field = string(b[n : n+int(size)])
		b = b[n+int(size):]
	}
	if len(b) > 0 {
		return command{}, fmt.Errorf("command: %d bytes too many", len(b))
	}
	return c, nil
}
