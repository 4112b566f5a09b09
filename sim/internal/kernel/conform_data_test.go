package kernel

import (
	"bytes"
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// dataCalls are those on the content of files.
func (tw *twins) dataCalls() map[string]func(*rapid.T) {
	calls := map[string]func(*rapid.T){
		"read": func(t *rapid.T) {
			n := drawLength(t)
			f := tw.fd(t)
			tw.see(t, tw.readShow(f), "read", unix.SYS_READ, f, out(n+1), n)
		},
		"pread": func(t *rapid.T) {
			n := drawLength(t)
			tw.try(t, "pread", unix.SYS_PREAD64, tw.fd(t), out(n+1), n, offset(t))
		},
		"write": func(t *rapid.T) {
			b := pattern(t)
			tw.try(t, "write", unix.SYS_WRITE, tw.fd(t), b, len(b))
		},
		"pwrite": func(t *rapid.T) {
			b := pattern(t)
			tw.try(t, "pwrite", unix.SYS_PWRITE64, tw.fd(t), b, len(b), offset(t))
		},
		"vector": tw.vector,
		"seek":   tw.seek,
		"ftruncate": func(t *rapid.T) {
			tw.try(t, "ftruncate", unix.SYS_FTRUNCATE, tw.fd(t), offset(t))
		},
		"truncate": func(t *rapid.T) {
			tw.try(t, "truncate", unix.SYS_TRUNCATE, drawPath(t), offset(t))
		},
		"fallocate": tw.allocate,
		"copy":      tw.copyRange,
		"sendfile":  tw.sendfile,
		"sync": func(t *rapid.T) {
			tw.try(t, "sync", pick[uintptr](t, "call", unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_FDATASYNC), tw.fd(t))
		},
		"sync-range": func(t *rapid.T) {
			tw.try(t, "sync_file_range", unix.SYS_SYNC_FILE_RANGE, tw.fd(t), offset(t), offset(t), pick(t, "flags", 0, 2, 7, 8))
		},
		"readahead": func(t *rapid.T) {
			tw.try(t, "readahead", unix.SYS_READAHEAD, tw.fd(t), offset(t), drawLength(t))
		},
		"advise": func(t *rapid.T) {
			tw.try(t, "fadvise", unix.SYS_FADVISE64, tw.fd(t), offset(t), offset(t), rapid.IntRange(0, 6).Draw(t, "advice"))
		},
	}
	for _, often := range []string{"read", "pread", "write", "write", "pwrite", "pwrite", "seek"} {
		calls[often+fmt.Sprint(len(calls))] = calls[often]
	}
	return calls
}

func drawLength(t *rapid.T) int {
	return rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(0, 9000), rapid.SampledFrom([]int{512, 4096, 8192})).Draw(t, "n")
}

// offset draws offsets around the edges of pages, mostly.
func offset(t *rapid.T) int {
	return rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(4000, 4200), rapid.IntRange(-1, 3*4096),
		rapid.IntRange(1<<20-10, 1<<20+10), rapid.SampledFrom([]int{512, 4096, 8192, 12288, 1 << 20})).Draw(t, "offset")
}

func pattern(t *rapid.T) []byte {
	n := drawLength(t)
	return bytes.Repeat([]byte{byte(rapid.IntRange('a', 'z').Draw(t, "byte"))}, n+1)[:n]
}

func (tw *twins) vector(t *rapid.T) {
	f, off, bufs := tw.fd(t), offset(t), [][]byte{pattern(t), pattern(t), pattern(t)}
	nr := pick[uintptr](t, "call", unix.SYS_WRITEV, unix.SYS_READV, unix.SYS_PWRITEV, unix.SYS_PREADV, unix.SYS_PREADV2, unix.SYS_PWRITEV2)
	if (nr == unix.SYS_PREADV2 || nr == unix.SYS_PWRITEV2) && odds(t, 2) {
		off = -1
	}
	if o := tw.inode(f); o != nil && tw.description(f).flags&unix.O_DIRECT != 0 {
		return // memory in pieces has to be as the device wants it
	}
	if _, ok := tw.object(int(f)).(*inotify); ok {
		return // what is read differs in numbers
	}
	tw.calls++
	tw.step(t, fmt.Sprintf("vector %d(%d, at %d, %d %d %d)", nr, tw.sim.fds[f], off, len(bufs[0]), len(bufs[1]), len(bufs[2])), func(s *side) result {
		vectors := make([]syscall.Iovec, len(bufs))
		var mine [][]byte
		for j, b := range bufs {
			mine = append(mine, append(make([]byte, 0, 10000), b...))
			vectors[j] = syscall.Iovec{Base: unsafe.SliceData(mine[j]), Len: uint64(len(b))}
		}
		r1, errno := s.call(nr, s.fds[f], unsafe.Pointer(&vectors[0]), len(vectors), off, 0, 0)
		runtime.KeepAlive(mine)
		return result{r1, errno, string(bytes.Join(mine, nil))}
	})
}

func (tw *twins) seek(t *rapid.T) {
	f, off, whence := tw.fd(t), offset(t)-100, rapid.IntRange(0, 5).Draw(t, "whence")
	if o := tw.inode(f); o != nil && o.kind != 0 {
		off, whence = 0, 0 // what offsets of directories mean is the file system's
	}
	if whence == unix.SEEK_DATA || whence == unix.SEEK_HOLE {
		if tw.unwritten(f) {
			return
		}
	}
	tw.try(t, "seek", unix.SYS_LSEEK, f, off, whence)
}

// unwritten reports whether a file has space that was taken and not written: on Linux
// it is data while it is in the page cache.
func (tw *twins) unwritten(f fdOf) bool {
	o := tw.inode(f)
	if o == nil || o.kind != 0 {
		return false
	}
	var data int64
	for at, ok := o.host.Disk.NextData(o.ino, 0); ok; at, ok = o.host.Disk.NextData(o.ino, at) {
		to := o.host.Disk.NextHole(o.ino, at)
		data += (to+pageSize-1)/pageSize - at/pageSize
		at = to
		if at == o.size() {
			break
		}
	}
	return o.host.Disk.Pages(o.ino) != data
}

func (tw *twins) allocate(t *rapid.T) {
	mode := pick(t, "mode", 0, unix.FALLOC_FL_KEEP_SIZE, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, 3, 3, 3,
		unix.FALLOC_FL_ZERO_RANGE, unix.FALLOC_FL_ZERO_RANGE|unix.FALLOC_FL_KEEP_SIZE, unix.FALLOC_FL_COLLAPSE_RANGE,
		unix.FALLOC_FL_COLLAPSE_RANGE, unix.FALLOC_FL_INSERT_RANGE, unix.FALLOC_FL_INSERT_RANGE, unix.FALLOC_FL_UNSHARE_RANGE, 2, 1<<12)
	tw.try(t, "fallocate", unix.SYS_FALLOCATE, tw.fd(t), mode, offset(t), offset(t))
}

func (tw *twins) copyRange(t *rapid.T) {
	from, to := any(0), any(0)
	if odds(t, 2) {
		from = inOutOf(int64(offset(t)))
	}
	if odds(t, 2) {
		to = inOutOf(int64(offset(t)))
	}
	tw.try(t, "copy_file_range", unix.SYS_COPY_FILE_RANGE, tw.fd(t), from, tw.fd(t), to, drawLength(t), pick(t, "flags", 0, 0, 0, 1))
}

func (tw *twins) sendfile(t *rapid.T) {
	from := any(0)
	if odds(t, 2) {
		from = inOutOf(int64(offset(t)))
	}
	out, in := tw.fd(t), tw.fd(t)
	if a, b := tw.inode(in), tw.inode(out); a != nil && b != nil && a.ino == b.ino {
		return // pages that are read and written at once
	}
	tw.try(t, "sendfile", unix.SYS_SENDFILE, out, in, from, drawLength(t))
}
