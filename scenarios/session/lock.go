package session

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock keeps other runs from the session's folder until the process ends, or unlock.
// Two that wrote to one journal would lose each other's cycles.
func (d dir) lock() (unlock func(), err error) {
	f, err := os.Open(d.path)
	if err != nil {
		return func() {}, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = usage("%s: another run goes on with this session: wait for its end, or run the plan anew", d.path)
	}
	if err != nil {
		f.Close()
		return func() {}, fmt.Errorf("session folder: %w", err)
	}
	return func() { f.Close() }, nil
}
