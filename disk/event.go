package disk

// EventKind says what happened to a disk.
type EventKind uint8

// What happens to a disk.
const (
	EventWrite    EventKind = iota + 1 // Off, Len: bytes
	EventTruncate                      // Len: the new size
	EventAllocate                      // Off, Len: bytes
	EventSync                          // Len: pages made durable; Off: operations made durable
	EventSyncAll                       // as EventSync, of everything
	EventName                          // an entry of directory Ino came, went or changed; Off: the new inode, Len: the old one
	EventFault                         // Off: a FaultKind; Len: its size in bytes or nanoseconds
	EventCrash                         // Off: pages lost or torn; Len: operations lost
	EventXattr                         // Len: how many extended attributes the inode has now
	EventShift                         // Off: where; Len: bytes put in, or, negative, taken out
	eventKinds
)

var eventNames = [eventKinds]string{
	"", "write", "truncate", "allocate", "sync", "syncall", "name", "fault", "crash", "xattr", "shift",
}

func (k EventKind) String() string {
	if k < eventKinds {
		return eventNames[k]
	}
	return "event?"
}

// Event is one thing that happened to a disk.
type Event struct {
	Kind EventKind
	Ino  Ino
	Off  int64
	Len  int64
}

func (d *Disk) observe(k EventKind, ino Ino, off, n int64) {
	if d.Observe != nil {
		d.Observe(Event{k, ino, off, n})
	}
}
