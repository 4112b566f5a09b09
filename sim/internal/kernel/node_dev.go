package kernel

import (
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// device is a character device.
type device uint8

const (
	devNone device = iota
	devNull
	devZero
	devFull
	devRandom
	devTTY
)

var devices = map[string]device{
	"/dev/null": devNull, "/dev/zero": devZero, "/dev/full": devFull,
	"/dev/random": devRandom, "/dev/urandom": devRandom, "/dev/tty": devTTY,
}

func findDevice(name string) *node {
	if dev, ok := devices[name]; ok {
		return &node{path: name, mode: syscall.S_IFCHR | 0o666, dev: dev}
	}
	switch name {
	case "/dev/fd":
		return symlink(name, "/proc/self/fd")
	case "/dev/stdin", "/dev/stdout", "/dev/stderr":
		fd := map[string]int{"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}[name]
		return symlink(name, "/proc/self/fd/"+strconv.Itoa(fd))
	}
	return nil
}

// number returns the device's number, as Linux has them.
func (v device) number() uint64 {
	switch v {
	case devNull:
		return unix.Mkdev(1, 3)
	case devZero:
		return unix.Mkdev(1, 5)
	case devFull:
		return unix.Mkdev(1, 7)
	case devRandom:
		return unix.Mkdev(1, 9)
	}
	return unix.Mkdev(5, 0)
}

func (v device) open(p *Process, n *node) (object, syscall.Errno) {
	if v == devTTY {
		return nil, syscall.ENXIO // no process has a terminal
	}
	return &charDevice{n, p}, 0
}

// charDevice is an open device.
type charDevice struct {
	*node
	p *Process
}

func (v *charDevice) read(k *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	return v.readAt(k, b, 0)
}

func (v *charDevice) readAt(_ *Kernel, b []byte, _ int64) (int, syscall.Errno) {
	switch v.dev {
	case devNull:
		return 0, 0
	case devRandom:
		v.p.fillRandom(b)
	default:
		clear(b)
	}
	return len(b), 0
}

func (v *charDevice) write(k *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	return v.writeAt(k, b, 0)
}

func (v *charDevice) writeAt(_ *Kernel, b []byte, _ int64) (int, syscall.Errno) {
	if v.dev == devFull {
		return 0, syscall.ENOSPC
	}
	return len(b), 0
}

func (v *charDevice) size() int64 { return 0 }

func (v *charDevice) stat(k *Kernel, st *syscall.Stat_t) syscall.Errno {
	v.node.stat(k, st)
	return 0
}

func (*charDevice) close(*Kernel) {}
