package toolchain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lockPoll is how often a taken lock is tried again.
const lockPoll = 20 * time.Millisecond

// lock takes the lock of a file, which it makes, and waits for it until ctx ends.
// The kernel drops it with the process that holds it.
func lock(ctx context.Context, name string) (unlock func(), err error) {
	for {
		unlock, err := tryLock(name)
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return unlock, err
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("lock %s is held by another process: %w", name, context.Cause(ctx))
		}
		time.Sleep(lockPoll)
	}
}

// tryLock is lock that returns EWOULDBLOCK instead of waiting.
func tryLock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	for err == unix.EINTR {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err != nil {
		f.Close()
		if err == unix.EWOULDBLOCK {
			return nil, err
		}
		return nil, fmt.Errorf("lock %s: %w: set ORRERY_CACHE to a folder on a local disk", name, err)
	}
	return func() { f.Close() }, nil
}
