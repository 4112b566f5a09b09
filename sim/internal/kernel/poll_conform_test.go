package kernel

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// TestPipesAndPollsConformToLinux drives pipes, a fifo, eventfds, pairs and what waits
// for them on both kernels. None of the calls blocks.
func TestPipesAndPollsConformToLinux(t *testing.T) {
	t.Chdir(t.TempDir())
	compare(t, 0, func(t2 *rapid.T) int {
		m := newMachine(t, 1, HostConfig{})
		p := &pair{sim: &side{caller: m}, real: &side{caller: realLinux{}}}
		defer p.close()
		p.newPipe(t2)
		os.Remove(fifoName) // of the one before
		p.step(t2, "mkfifo", func(s *side) result {
			_, errno := s.call(unix.SYS_MKNODAT, atCwd, fifoName, unix.S_IFIFO|0o600, 0)
			return result{0, errno, ""}
		})
		t2.Repeat(map[string]func(*rapid.T){
			"":          p.pollAll,
			"pipe":      p.newPipe,
			"fifo":      p.openFifo,
			"reopen":    p.reopen,
			"eventfd":   p.newEventfd,
			"timerfd":   p.newTimerfd,
			"timer":     p.setTimer,
			"left":      p.timeLeft,
			"expired":   p.readTimer,
			"pair":      p.newSocketpair,
			"epoll":     p.newEpoll,
			"close":     p.closeOne,
			"dup":       p.dup,
			"read":      p.readStream,
			"read2":     p.readStream,
			"write":     p.writeStream,
			"write2":    p.writeStream,
			"increment": p.increment,
			"shutdown":  p.shutdown,
			"peek":      p.peek,
			"error":     p.socketError,
			"unread":    p.unread,
			"select":    p.selectSome,
			"watch":     p.watch,
			"watch2":    p.watch,
			"events":    p.epollWait,
			"events2":   p.epollWait,
		})
		return len(p.done)
	})
}

// makeTwo makes a call that answers two descriptors at fds.
func (p *pair) makeTwo(t rapid.TB, what string, nr uintptr, args func(fds unsafe.Pointer) []any) {
	p.step(t, what, func(s *side) result {
		fds := new([2]int32)
		_, errno := s.call(nr, args(unsafe.Pointer(fds))...)
		if errno == 0 {
			s.fds = append(s.fds, uintptr(fds[0]), uintptr(fds[1]))
		}
		return result{0, errno, ""}
	})
	p.slots = len(p.real.fds)
}

func (p *pair) newPipe(t *rapid.T) {
	p.makeTwo(t, "pipe2", unix.SYS_PIPE2, func(fds unsafe.Pointer) []any {
		return []any{fds, unix.O_NONBLOCK | unix.O_CLOEXEC}
	})
}

const fifoName = "fifo"

func drawAccess(t *rapid.T) int {
	return rapid.SampledFrom([]int{unix.O_RDONLY, unix.O_WRONLY, unix.O_RDWR}).Draw(t, "access")
}

func (p *pair) openFifo(t *rapid.T) {
	access := drawAccess(t)
	p.step(t, fmt.Sprintf("open(fifo, %d)", access), func(s *side) result {
		r1, errno := s.call(unix.SYS_OPENAT, atCwd, fifoName, access|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		return opened(s, r1, errno)
	})
	p.slots = len(p.real.fds)
}

// reopen opens once more what a descriptor is of.
func (p *pair) reopen(t *rapid.T) {
	slot, access := p.slot(t), drawAccess(t)
	p.step(t, fmt.Sprintf("reopen(%d, %d)", slot, access), func(s *side) result {
		name := fmt.Sprintf("/proc/self/fd/%d", int32(s.fds[slot]))
		r1, errno := s.call(unix.SYS_OPENAT, atCwd, name, access|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		return opened(s, r1, errno)
	})
	p.slots = len(p.real.fds)
}

func (p *pair) newSocketpair(t *rapid.T) {
	p.makeTwo(t, "socketpair", unix.SYS_SOCKETPAIR, func(fds unsafe.Pointer) []any {
		return []any{syscall.AF_UNIX, nonblocking, 0, fds}
	})
}

func (p *pair) newEventfd(t *rapid.T) {
	n := rapid.IntRange(0, 3).Draw(t, "count")
	flags := rapid.SampledFrom([]int{0, unix.EFD_SEMAPHORE}).Draw(t, "flags")
	p.step(t, fmt.Sprintf("eventfd2(%d, %d)", n, flags), func(s *side) result {
		r1, errno := s.call(unix.SYS_EVENTFD2, n, flags|unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
		return opened(s, r1, errno)
	})
	p.slots = len(p.real.fds)
}

func (p *pair) newTimerfd(t *rapid.T) {
	clock := rapid.IntRange(0, 9).Draw(t, "clock")
	p.step(t, fmt.Sprintf("timerfd_create(%d)", clock), func(s *side) result {
		r1, errno := s.call(unix.SYS_TIMERFD_CREATE, clock, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
		return opened(s, r1, errno)
	})
	p.slots = len(p.real.fds)
}

// setTimer sets a timer that expires at once, or not for an hour, and looks when it
// has.
func (p *pair) setTimer(t *rapid.T) {
	slot, hour := slotOf[*timerCounter](p, t), int64(time.Hour)
	flags := rapid.IntRange(0, 3).Draw(t, "flags")
	if flags&unix.TFD_TIMER_ABSTIME != 0 {
		hour = 0 // the clocks of both kernels differ
	}
	set := unix.ItimerSpec{
		Value:    unix.NsecToTimespec(rapid.SampledFrom([]int64{0, 1, 1, hour, -1, 1 << 62}).Draw(t, "value")),
		Interval: unix.NsecToTimespec(rapid.SampledFrom([]int64{0, 0, hour, -1}).Draw(t, "interval")),
	}
	p.step(t, fmt.Sprintf("timerfd_settime(%d, %d, %+v)", slot, flags, set), func(s *side) result {
		old := new(unix.ItimerSpec)
		r1, errno := s.call(unix.SYS_TIMERFD_SETTIME, s.fds[slot], flags, unsafe.Pointer(&set), unsafe.Pointer(old))
		return result{r1, errno, leftText(old)}
	})
	m := p.sim.caller.(*machineUnderTest)
	m.k.Advance(m.k.Now() + int64(time.Millisecond))
	time.Sleep(time.Millisecond)
}

func (p *pair) readTimer(t *rapid.T) { p.readAt(t, slotOf[*timerCounter](p, t), 8) }

func (p *pair) timeLeft(t *rapid.T) {
	slot := slotOf[*timerCounter](p, t)
	p.step(t, fmt.Sprintf("timerfd_gettime(%d)", slot), func(s *side) result {
		left := new(unix.ItimerSpec)
		r1, errno := s.call(unix.SYS_TIMERFD_GETTIME, s.fds[slot], unsafe.Pointer(left))
		return result{r1, errno, leftText(left)}
	})
}

// leftText is what is left of a timer, in half hours: both kernels have clocks of their
// own.
func leftText(left *unix.ItimerSpec) string {
	return fmt.Sprint(left.Interval, min((left.Value.Nano()+int64(time.Hour/4))/int64(time.Hour/2), 1000))
}

func (p *pair) newEpoll(t *rapid.T) {
	p.step(t, "epoll_create1", func(s *side) result {
		r1, errno := s.call(unix.SYS_EPOLL_CREATE1, unix.EPOLL_CLOEXEC)
		return opened(s, r1, errno)
	})
	p.slots = len(p.real.fds)
}

// pollAll compares what all descriptors are ready for.
func (p *pair) pollAll(t *rapid.T) {
	p.step(t, "ppoll", func(s *side) result {
		fds := make([]unix.PollFd, len(s.fds))
		for i, fd := range s.fds {
			fds[i] = unix.PollFd{Fd: int32(fd), Events: 0x3fff} // all there are
		}
		r1, errno := s.call(unix.SYS_PPOLL, unsafe.Pointer(unsafe.SliceData(fds)), len(fds), make([]byte, 16), 0)
		var text strings.Builder
		for i := range fds {
			// The bits for bands and messages are of no use.
			fmt.Fprintf(&text, "%d:%x ", i, fds[i].Revents&^(0x80|0x200|0x400))
		}
		return result{r1, errno, text.String()}
	})
}

func drawSize(t *rapid.T) int {
	return rapid.OneOf(rapid.IntRange(0, 20), rapid.SampledFrom([]int{4095, 4096, 4097, 60_000, 70_000})).Draw(t, "size")
}

func (p *pair) readStream(t *rapid.T) {
	p.readAt(t, p.slot(t), drawSize(t))
}

func (p *pair) readAt(t rapid.TB, slot, n int) {
	p.step(t, fmt.Sprintf("read(%d, %d)", slot, n), func(s *side) result {
		b := make([]byte, n)
		r1, errno := s.call(unix.SYS_READ, s.fds[slot], b, n)
		return result{r1, errno, string(b)}
	})
}

// object is what a descriptor of the simulated side stands for.
func (p *pair) object(slot int) object {
	if d := p.sim.caller.(*machineUnderTest).p.fd(p.sim.fds[slot]); d != nil {
		return d.obj
	}
	return nil
}

func (p *pair) writeStream(t *rapid.T) {
	slot, n, first := p.slot(t), drawSize(t), rapid.Byte().Draw(t, "first")
	switch p.object(slot).(type) {
	case *unixSocket:
		n = min(n, 20) // its buffers are counted otherwise on Linux
	case *eventCounter:
		n = min(n, 8) // Linux took more, once
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = first + byte(i)
	}
	p.step(t, fmt.Sprintf("write(%d, %d)", slot, n), func(s *side) result {
		r1, errno := s.call(unix.SYS_WRITE, s.fds[slot], b, n)
		return result{r1, errno, ""}
	})
}

func (p *pair) increment(t *rapid.T) {
	slot := p.slot(t)
	n := rapid.SampledFrom([]uint64{0, 1, 2, 1<<64 - 3, 1<<64 - 2, 1<<64 - 1}).Draw(t, "n")
	p.step(t, fmt.Sprintf("write(%d, counter %d)", slot, n), func(s *side) result {
		b := make([]byte, 8)
		binary.NativeEndian.PutUint64(b, n)
		r1, errno := s.call(unix.SYS_WRITE, s.fds[slot], b, 8)
		return result{r1, errno, ""}
	})
}

func (p *pair) shutdown(t *rapid.T) {
	slot, how := p.slot(t), rapid.IntRange(0, 3).Draw(t, "how")
	p.step(t, fmt.Sprintf("shutdown(%d, %d)", slot, how), func(s *side) result {
		_, errno := s.call(unix.SYS_SHUTDOWN, s.fds[slot], how)
		return result{0, errno, ""}
	})
}

func (p *pair) peek(t *rapid.T) {
	slot, n := p.slot(t), rapid.IntRange(1, 10).Draw(t, "size")
	p.step(t, fmt.Sprintf("recvfrom(%d, %d, MSG_PEEK)", slot, n), func(s *side) result {
		b := make([]byte, n)
		r1, errno := s.call(unix.SYS_RECVFROM, s.fds[slot], b, n, syscall.MSG_PEEK, 0, 0)
		return result{r1, errno, string(b)}
	})
}

func (p *pair) socketError(t *rapid.T) {
	slot := p.slot(t)
	p.step(t, fmt.Sprintf("getsockopt(%d, SO_ERROR)", slot), func(s *side) result {
		b, size := make([]byte, 4), []byte{4, 0, 0, 0}
		r1, errno := s.call(unix.SYS_GETSOCKOPT, s.fds[slot], unix.SOL_SOCKET, unix.SO_ERROR, b, size)
		return result{r1, errno, string(b)}
	})
}

func (p *pair) unread(t *rapid.T) {
	slot := p.slot(t)
	if _, ok := p.object(slot).(*epoll); ok {
		return // its ioctl is EINVAL or ENOTTY by Linux's version
	}
	p.step(t, fmt.Sprintf("ioctl(%d, FIONREAD)", slot), func(s *side) result {
		b := make([]byte, 4)
		r1, errno := s.call(unix.SYS_IOCTL, s.fds[slot], unix.TIOCINQ, b)
		return result{r1, errno, string(b)}
	})
}

// selectSome asks about one descriptor, by sets that have its bit.
func (p *pair) selectSome(t *rapid.T) {
	slot, which := p.slot(t), rapid.IntRange(1, 7).Draw(t, "sets")
	p.step(t, fmt.Sprintf("pselect6(%d, sets %b)", slot, which), func(s *side) result {
		fd := s.fds[slot]
		if fd >= 1024 {
			return result{}
		}
		var sets [3][]uint64
		args := []any{int(fd) + 1, 0, 0, 0, make([]byte, 16), 0}
		for i := range sets {
			sets[i] = make([]uint64, 16)
			sets[i][fd/64] = 1 << (fd % 64)
			if which>>i&1 != 0 {
				args[i+1] = unsafe.Pointer(&sets[i][0])
			}
		}
		r1, errno := s.call(unix.SYS_PSELECT6, args...)
		text := ""
		for i := range sets {
			text += fmt.Sprint(errno == 0 && sets[i][fd/64] != 0, " ")
		}
		return result{r1, errno, text}
	})
}

// watch changes what an epoll object watches.
func (p *pair) watch(t *rapid.T) {
	e, slot := p.epollSlot(t), p.slot(t)
	op := rapid.IntRange(1, 4).Draw(t, "op")
	ev := uint32(rapid.SampledFrom([]int{0, unix.EPOLLIN, unix.EPOLLOUT, unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP}).Draw(t, "events"))
	ev |= rapid.SampledFrom([]uint32{0, 0, epollEdge, unix.EPOLLONESHOT}).Draw(t, "flags")
	if _, ok := p.object(slot).(*unixSocket); ok && ev&epollEdge != 0 {
		ev &^= unix.EPOLLOUT // Linux tells of room at reads that leave as much as there was
	}
	p.step(t, fmt.Sprintf("epoll_ctl(%d, %d, %d, %#x)", e, op, slot, ev), func(s *side) result {
		x := &unix.EpollEvent{Events: ev, Fd: int32(slot), Pad: 77}
		_, errno := s.call(unix.SYS_EPOLL_CTL, s.fds[e], op, s.fds[slot], unsafe.Pointer(x))
		return result{0, errno, ""}
	})
}

func (p *pair) epollSlot(t *rapid.T) int { return slotOf[*epoll](p, t) }

// slotOf draws a descriptor of a kind of object, if there is one.
func slotOf[O object](p *pair, t *rapid.T) int {
	var slots []int
	for i := range p.sim.fds {
		if _, ok := p.object(i).(O); ok {
			slots = append(slots, i)
		}
	}
	if len(slots) == 0 {
		return p.slot(t)
	}
	return rapid.SampledFrom(slots).Draw(t, "one of a kind")
}

func (p *pair) epollWait(t *rapid.T) {
	e, n := p.epollSlot(t), rapid.IntRange(1, 4).Draw(t, "most")
	p.step(t, fmt.Sprintf("epoll_pwait(%d, %d)", e, n), func(s *side) result {
		out := make([]unix.EpollEvent, n)
		r1, errno := s.call(unix.SYS_EPOLL_PWAIT, s.fds[e], unsafe.Pointer(&out[0]), n, 0, 0, 0)
		return result{r1, errno, fmt.Sprintf("%v", out)}
	})
}
