// Package disk is the disk of one host: a file system with a page cache over
// durable blocks, its crashes and its faults. It is a pure state machine without
// a clock: the caller passes times in and waits out the delays it is given.
//
// What a write changes is in the page cache, and becomes durable by [Disk.Fsync] or
// [Disk.SyncAll]. What changes names, explicit sizes and extended attributes is an
// operation in a journal until it is durable. [Disk.Crash] leaves the durable
// state and, of the rest, a subset that the seed chooses within what the [Mode]
// promises. The neutral choice of a crash is that everything unsynced is lost.
//
// Modes and times of files are durable at once: no crash is told by them. So is
// what [Disk.Collapse] and [Disk.Insert] move, and before it all that the file holds.
// A hole that is punched is as a write of zeros. Of a file without a name nothing is
// left after a crash, unless it got its name before and that was kept.
package disk
