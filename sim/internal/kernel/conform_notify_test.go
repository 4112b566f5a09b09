package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// watchCalls are those on inotify.
func (tw *twins) watchCalls() map[string]func(*rapid.T) {
	calls := map[string]func(*rapid.T){
		"inotify": func(t *rapid.T) {
			tw.keep(tw.try(t, "inotify_init1", unix.SYS_INOTIFY_INIT1, pick(t, "flags", unix.IN_NONBLOCK, unix.IN_NONBLOCK|unix.IN_CLOEXEC, 1)))
		},
		"watch": tw.watch,
		"unwatch": func(t *rapid.T) {
			tw.try(t, "inotify_rm_watch", unix.SYS_INOTIFY_RM_WATCH, tw.inotify(t), rapid.IntRange(0, 4).Draw(t, "wd"))
		},
		"events": func(t *rapid.T) {
			n := pick(t, "n", 4096, 4096, 64, 16, 15)
			f := tw.inotify(t)
			tw.see(t, tw.readShow(f), "read events", unix.SYS_READ, f, out(n), n)
		},
		"poll": func(t *rapid.T) {
			f := tw.inotify(t)
			fds := inOutOf(unix.PollFd{Fd: int32(tw.sim.fds[f]), Events: unix.POLLIN | unix.POLLPRI})
			tw.try(t, "ppoll", unix.SYS_PPOLL, fds, 1, inOut(make([]byte, 16)), 0, 0)
		},
		"pending": func(t *rapid.T) {
			tw.see(t, func(b [][]byte) string { return withoutNumbers(b) }, "ioctl", unix.SYS_IOCTL, tw.inotify(t), unix.TIOCINQ, out(4))
		},
	}
	calls["watch2"], calls["events2"] = calls["watch"], calls["events"]
	return calls
}

// inotify draws a descriptor of an instance, if there is one.
func (tw *twins) inotify(t *rapid.T) fdOf { return drawOf[*inotify](tw, t) }

func (tw *twins) watch(t *rapid.T) {
	mask := pick(t, "events", unix.IN_ALL_EVENTS, unix.IN_ALL_EVENTS, unix.IN_ALL_EVENTS, unix.IN_CREATE|unix.IN_DELETE|unix.IN_MOVE,
		unix.IN_MODIFY|unix.IN_ATTRIB, unix.IN_DELETE_SELF|unix.IN_MOVE_SELF, unix.IN_CLOSE|unix.IN_OPEN, 0)
	mask |= pick(t, "flags", 0, 0, 0, unix.IN_DONT_FOLLOW, unix.IN_ONLYDIR, unix.IN_ONESHOT, unix.IN_EXCL_UNLINK, unix.IN_MASK_ADD,
		unix.IN_MASK_CREATE, unix.IN_MASK_CREATE|unix.IN_MASK_ADD, 1<<20)
	path := drawPath(t)
	if odds(t, 3) {
		path = "."
	}
	tw.try(t, "inotify_add_watch", unix.SYS_INOTIFY_ADD_WATCH, tw.inotify(t), path, mask)
}

// readShow is what shows the bytes that are read from a descriptor.
func (tw *twins) readShow(f fdOf) func([][]byte) string {
	if _, ok := tw.object(int(f)).(*inotify); ok {
		return showEvents
	}
	return raw
}

// showEvents shows the events that were read: their cookies by the order in which
// they come, for Linux counts those of all instances.
func showEvents(b [][]byte) string {
	var out strings.Builder
	var cookies []uint32
	for e := b[0]; len(e) >= eventHeader && binary.NativeEndian.Uint32(e) != 0; {
		word := func(i int) uint32 { return binary.NativeEndian.Uint32(e[i:]) }
		size := int(word(12))
		name, _, _ := bytes.Cut(e[eventHeader:eventHeader+size], []byte{0})
		cookie := 0
		if c := word(8); c != 0 {
			if !slices.Contains(cookies, c) {
				cookies = append(cookies, c)
			}
			cookie = slices.Index(cookies, c) + 1
		}
		fmt.Fprintf(&out, "[%d %#x %d %q/%d] ", int32(word(0)), word(4), cookie, numbers.ReplaceAllString("/"+string(name), "N"), size)
		e = e[eventHeader+size:]
	}
	return out.String()
}
