package kernel

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// pipeCalls are those that move bytes through pipes.
func (tw *twins) pipeCalls() map[string]func(*rapid.T) {
	offset64 := func(t *rapid.T) any {
		if odds(t, 3) {
			return inOutOf(int64(offset(t)))
		}
		return 0
	}
	flags := func(t *rapid.T) int { return pick(t, "flags", 0, 0, 1, 2, 4, 8, 16) }
	splice := func(t *rapid.T) {
		from, to := tw.fd(t), tw.fd(t)
		if odds(t, 2) {
			from = tw.pipeEnd(t)
		}
		if odds(t, 2) {
			to = tw.pipeEnd(t)
		}
		tw.try(t, "splice", unix.SYS_SPLICE, from, offset64(t), to, offset64(t), drawLength(t), flags(t))
	}
	return map[string]func(*rapid.T){
		"splice":  splice,
		"splice2": splice,
		"splice3": splice,
		"tee": func(t *rapid.T) {
			tw.try(t, "tee", unix.SYS_TEE, tw.pipeEnd(t), tw.pipeEnd(t), drawLength(t), flags(t))
		},
		"pipe": func(t *rapid.T) {
			tw.calls++
			var got [2]int32
			tw.step(t, "pipe2", func(s *side) result {
				fds := new([2]int32)
				_, errno := s.call(unix.SYS_PIPE2, unsafe.Pointer(fds), unix.O_NONBLOCK)
				got = *fds
				return result{0, errno, fmt.Sprint(*fds)}
			})
			for _, fd := range got {
				tw.keep(result{r1: uintptr(fd)})
			}
		},
	}
}

// pipeEnd draws a descriptor of a pipe, if there is one.
func (tw *twins) pipeEnd(t *rapid.T) fdOf { return drawOf[*pipeEnd](tw, t) }

// drawOf draws a descriptor of a kind of object, if there is one.
func drawOf[O object](tw *twins, t *rapid.T) fdOf {
	var of []fdOf
	for i := range tw.sim.fds {
		if _, ok := tw.object(i).(O); ok {
			of = append(of, fdOf(i))
		}
	}
	if len(of) == 0 {
		return tw.fd(t)
	}
	return rapid.SampledFrom(of).Draw(t, "one of a kind")
}
