package trace

import "strconv"

// Kind is what an event tells.
type Kind uint8

// Kinds of events. Those below 16 are the runtime's, the others the kernel's.
// What A, B and C hold is said beside each.
const (
	Run       Kind = 1  // a goroutine gets the token: its path, its wake-up
	Go        Kind = 2  // a goroutine starts: its path, its parent's, its number
	Choice    Kind = 3  // a decision was drawn: stream, index, bound
	Block     Kind = 4  // a goroutine gives the token up: its path, 1 if it stays runnable. Text: why
	Wake      Kind = 5  // a goroutine becomes runnable: its path, the path of who woke it or 0
	End       Kind = 6  // a goroutine ended: its path, 1 if it was killed
	Switch    Kind = 7  // a coroutine goes on: its path, that of who switched to it or 0 if that ended
	Task      Kind = 8  // an annotation of a goroutine, its path: a task, its parent. Text: its type
	TaskEnd   Kind = 9  // as Task
	Region    Kind = 10 // its path, the task. Text: its type
	RegionEnd Kind = 11 // as Region
	UserLog   Kind = 12 // its path, the task, 0 of a category and 1 of the message that follows. Text: it
	Stream    Kind = 13 // a stream that is no goroutine's is drawn from first: its key. Text: its name
	Sent      Kind = 16 // packet: hosts (from<<32 | to), connection, seq<<20 ^ len<<8 ^ flags
	Delivered Kind = 17 // as Sent
	Dropped   Kind = 18 // as Sent
	Disk      Kind = 19 // Process is the host: operation<<56 | inode, offset, length
	Injected  Kind = 20 // Process is the host: counts of what it hit. Text: at whom
	Healed    Kind = 21 // as Injected
	Started   Kind = 22 // process: how many of that name came before. Text: its name
	Ended     Kind = 23 // process: goroutines it had, exit status. Text: its name
	Log       Kind = 24 // Text: a line of the process's output. A is 1 for a panic
	Call      Kind = 25 // of a client, invoked or completed: its number. Text: as the history has it
	Note      Kind = 26 // Text: of the scenario or the engine
	Signalled Kind = 27 // process: signal, from outside its host. Text: its name
	Paused    Kind = 28 // process. Text: its name
	Resumed   Kind = 29 // as Paused
	Joined    Kind = 30 // Process is a new host. Text: the name of its node or client
)

var kindNames = [...]string{
	Run: "run", Go: "go", Choice: "choice", Block: "block", Wake: "wake", End: "end", Switch: "switch",
	Task: "task", TaskEnd: "task-end", Region: "region", RegionEnd: "region-end", UserLog: "annotation",
	Stream: "stream",
	Sent:   "sent", Delivered: "delivered", Dropped: "dropped", Disk: "disk",
	Injected: "injected", Healed: "healed", Started: "started", Ended: "ended",
	Log: "log", Call: "call", Note: "note",
	Signalled: "signalled", Paused: "paused", Resumed: "resumed", Joined: "joined",
}

// String returns the kind's name, or its number if it has none.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return "kind " + strconv.Itoa(int(k))
}

// Hashed reports whether events of the kind enter the run's hash. Choices and what
// goroutines do between them do not: the hashed events follow from them.
func (k Kind) Hashed() bool { return k == Run || k == Go || k >= Sent }
