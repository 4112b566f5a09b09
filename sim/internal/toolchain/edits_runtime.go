package toolchain

// runtimeEdits are the edits of package runtime that make a synctest bubble a
// world. docs/runtime.md has the reason for each.
var runtimeEdits = []edit{
	// The world's state.
	{name: "goroutine state", file: "runtime/runtime2.go", op: afterField("g", "bubble"), code: "; orrery orreryG"},
	{name: "world state", file: "runtime/synctest.go", op: afterField("synctestBubble", "active"), code: "; orrery orreryWorld"},
	{name: "timer state", file: "runtime/time.go", op: afterField("timer", "rand"), code: "; orrery orreryTimer"},
	{name: "mark of a patched runtime", file: "runtime/panic.go", op: afterField("PanicNilError", "_"), code: "; _ uintptr"},

	// The root: it holds the token while it queues the first goroutine and fires timers.
	{name: "world starts", file: "runtime/synctest.go", fn: "synctestRun", op: after("bubble.now = synctestBaseTime"), code: "bubble.orreryInit()"},
	{name: "first goroutine", file: "runtime/synctest.go", fn: "synctestRun", op: replaceStmt("runqput(pp, bubble.main, true)"), code: "if bubble.orrery.on { bubble.orreryMain() } else { runqput(pp, bubble.main, true) }"},
	{name: "root collects", file: "runtime/synctest.go", fn: "synctestRun", op: beforeNth("systemstack(__)", 2, 2), code: "if bubble.orrery.on { orreryCollect(gp) }"},
	{name: "root stands still", file: "runtime/synctest.go", fn: "synctestRun", op: after("gopark(synctestidle_c, nil, waitReasonSynctestRun, traceBlockSynctest, 0)"), code: "for bubble.orreryStand() { gopark(synctestidle_c, nil, waitReasonSynctestRun, traceBlockSynctest, 0) }"},
	{name: "root moves time", file: "runtime/synctest.go", fn: "synctestRun", op: before("next := bubble.timers.wakeTime()"), code: "if bubble.orrery.on { bubble.orrery.cur.set(gp); if !bubble.orreryTick() { break }; continue }"},
	{name: "world may end with goroutines left", file: "runtime/synctest.go", fn: "synctestRun", op: replaceExpr("total != 1"), code: "total != 1 && !bubble.orrery.on"},
	{name: "root always parks", file: "runtime/synctest.go", fn: "synctestidle_c", op: atEntry(), code: "if gp.bubble.orrery.on { return true }"},
	{name: "no count of running goroutines", file: "runtime/synctest.go", fn: "(*synctestBubble).changegstatus", op: atEntry(), code: "if bubble.orrery.on { return }"},
	{name: "no count of activity up", file: "runtime/synctest.go", fn: "(*synctestBubble).incActive", op: atEntry(), code: "if bubble.orrery.on { return }"},
	{name: "no count of activity down", file: "runtime/synctest.go", fn: "(*synctestBubble).decActive", op: atEntry(), code: "if bubble.orrery.on { return }"},
	{name: "a world is no bubble to programs", file: "runtime/synctest.go", fn: "synctest_isInBubble", op: replaceExpr("getg().bubble != nil"), code: "getg().bubble != nil && !getg().bubble.orrery.on"},
	{name: "a world is acquired by nobody", file: "runtime/synctest.go", fn: "synctest_acquire", op: replaceExpr("bubble != nil"), code: "bubble != nil && !bubble.orrery.on"},

	// The token.
	{name: "status of a goroutine", file: "runtime/proc.go", fn: "casgstatus", op: before("if gp.bubble != nil { __ }"), code: "if gp.bubble != nil && gp.bubble.orrery.on { return }"},
	{name: "ready queues in the world", file: "runtime/proc.go", fn: "ready", op: replaceStmt("runqput(mp.p.ptr(), gp, next)"), code: "if !orreryReady(gp) { runqput(mp.p.ptr(), gp, next); wakep() }"},
	{name: "ready wakes nobody", file: "runtime/proc.go", fn: "ready", op: replaceStmt("wakep()"), code: ""},
	{name: "new goroutine queues in the world", file: "runtime/proc.go", fn: "newproc", op: replaceStmt("runqput(pp, newg, true)"), code: "if !orreryReady(newg) { runqput(pp, newg, true) }"},
	{name: "new goroutine wakes nobody", file: "runtime/proc.go", fn: "newproc", op: replaceExpr("mainStarted"), code: "mainStarted && newg.bubble == nil"},
	{name: "new goroutine is named", file: "runtime/proc.go", fn: "newproc1", op: after("newg.bubble = callergp.bubble"), code: "newg.orreryBorn(callergp)"},
	{name: "park gives the token up", file: "runtime/proc.go", fn: "park_m", op: beforeLast("schedule()"), code: "if bubble != nil { orreryParked(bubble, gp) }"},
	{name: "exit remembers the world", file: "runtime/proc.go", fn: "goexit0", op: before("gdestroy(gp)"), code: "bubble := gp.bubble; orreryNoteEnd(gp, 0)"},
	{name: "exit gives the token up", file: "runtime/proc.go", fn: "goexit0", op: after("gdestroy(gp)"), code: "orreryExited(bubble, gp)"},
	{name: "dead goroutine has no state", file: "runtime/proc.go", fn: "gdestroy", op: after("gp.bubble = nil"), code: "gp.orrery = orreryG{}"},
	{name: "Gosched gives the token up", file: "runtime/proc.go", fn: "goschedImpl", op: after("dropg()"), code: "if !preempted && orreryYield(gp) { gp.bubble.orreryNext() }"},
	{name: "yield gives the token up", file: "runtime/proc.go", fn: "goyield_m", op: after("dropg()"), code: "if orreryYield(gp) { gp.bubble.orreryNext() }"},
	{name: "coroutine switch moves the token", file: "runtime/coro.go", fn: "coroswitch_m", op: before("setGNoWB(&mp.curg, gnext)"), code: "if bubble != nil && bubble.orrery.on { bubble.orreryCoro(gnext) }"},
	{name: "mutexes never spin", file: "runtime/proc.go", fn: "internal_sync_runtime_canSpin", op: atEntry(), code: "if orreryIn() { return false }"},
	{name: "the runtime's semaphores keep the token", file: "runtime/sema.go", fn: "semacquire", op: replaceStmt("semacquire1(addr, false, 0, 0, waitReasonSemacquire)"), code: "gp := getg(); bubble := gp.bubble; gp.bubble = nil; semacquire1(addr, false, 0, 0, waitReasonSemacquire); gp.bubble = bubble"},
	{name: "GC keeps the token", file: "runtime/mgc.go", fn: "GC", op: atEntry(), code: "if gp := getg(); gp.bubble != nil && gp.bubble.orrery.on { bubble := gp.bubble; gp.bubble = nil; defer func() { gp.bubble = bubble }() }"},
	{name: "channels belong to nobody", file: "runtime/chan.go", fn: "makechan", op: replaceExpr("b != nil"), code: "b != nil && !b.orrery.on"},

	// Time.
	{name: "wall clock", file: "runtime/time.go", fn: "time_runtimeNow", op: atEntry(), code: "if b := getg().bubble; b != nil && b.orrery.on { return orreryWallNow(b) } else if b == nil && orreryWorker { return orreryBase / 1e9, 0, orreryBase }"},
	{name: "monotonic clock", file: "runtime/time.go", fn: "time_runtimeNano", op: atEntry(), code: "if b := getg().bubble; b != nil && b.orrery.on { orreryLook(); return orreryMono(b) } else if b == nil && orreryWorker { return orreryBase }"},
	{name: "readings are monotonic", file: "runtime/time.go", fn: "time_runtimeIsBubbled", op: replaceExpr("getg().bubble != nil"), code: "getg().bubble != nil && !getg().bubble.orrery.on"},
	{name: "nanotime", file: "runtime/time_nofake.go", fn: "nanotime", op: atEntry(), code: "if t, ok := orreryVirtual(); ok { return t }"},
	{name: "sleep by the process's clock", file: "runtime/time.go", fn: "timeSleep", op: replaceStmt("now = bubble.now"), code: "now = bubble.now; if bubble.orrery.on { now = time_runtimeNano() }"},
	{name: "sleep before the world", file: "runtime/time.go", fn: "timeSleep", op: replaceStmt("now = nanotime()"), code: "now = time_runtimeNano()"},
	{name: "timer belongs to who arms it", file: "runtime/time.go", fn: "(*timer).modify", op: atEntry(), code: "when = orreryArm(t, when, &period)"},
	{name: "timer ties are choices", file: "runtime/time.go", fn: "(*timer).maybeAdd", op: replaceStmt("t.rand = cheaprand()"), code: "t.rand = orreryTie(t)"},
	{name: "timer ties by order of arming", file: "runtime/time.go", fn: "timerWhen.less", op: before("return tw.timer.rand < other.timer.rand"), code: "if tw.timer.rand == other.timer.rand { return tw.timer.orrery.seq < other.timer.orrery.seq }"},
	{name: "timer runs as who armed it", file: "runtime/time.go", fn: "(*timer).unlockAndRun", op: after("gp.bubble = bubble"), code: "gp.orrery.proc = t.orrery.proc; gp.orrery.path = t.orrery.path; gp.orrery.kids = 0"},
	{name: "timer channels belong to nobody", file: "runtime/time.go", fn: "(*timer).maybeRunChan", op: replaceExpr("t.isFake && getg().bubble != c.bubble"), code: "t.isFake && getg().bubble != c.bubble && !orreryIn()"},
	{name: "late timer runs in the world", file: "runtime/time.go", fn: "(*timer).maybeRunChan", op: replaceNth("c.bubble", 2, 2), code: "orreryChanBubble(c)"},
	{name: "timer channels may be waited on", file: "runtime/time.go", fn: "blockTimerChan", op: replaceExpr("t.isFake && c.bubble != getg().bubble"), code: "t.isFake && c.bubble != getg().bubble && !orreryIn()"},

	// Polling.
	{name: "a receive that finds nothing is paid for", file: "runtime/chan.go", fn: "selectnbrecv", op: replaceStmt("return chanrecv(c, elem, false)"), code: "if selected, received = chanrecv(c, elem, false); !selected { orreryPolled() }; return"},
	{name: "a send that finds nobody is paid for", file: "runtime/chan.go", fn: "selectnbsend", op: replaceStmt("return chansend(c, elem, false, sys.GetCallerPC())"), code: "if selected = chansend(c, elem, false, sys.GetCallerPC()); !selected { orreryPolled() }; return"},
	{name: "a default of a select is paid for", file: "runtime/select.go", fn: "selectgo", op: replaceStmtNth("casi = -1", 1, 2), code: "casi = -1; orreryPolled()"},

	// Randomness.
	{name: "constant seed of a worker", file: "runtime/rand.go", fn: "randinit", op: before("globalRand.state.Init(*seed)"), code: "orrerySeed(seed)"},
	{name: "is this a worker", file: "runtime/rand.go", fn: "randinit", op: atEntry(), code: "orreryWorkerInit()"},
	{name: "rand from the goroutine's stream", file: "runtime/rand.go", fn: "rand", op: atEntry(), code: "if gp := getg(); gp.bubble != nil && gp.bubble.orrery.on && gp == gp.m.curg && gp != gp.bubble.root { return orreryRand(gp) }"},
	{name: "maps have a stream of their own", file: "runtime/rand.go", fn: "maps_rand", op: replaceExpr("rand()"), code: "orreryMapRand()"},
	{name: "select order", file: "runtime/select.go", fn: "selectgo", op: replaceExpr("cheaprandn(uint32(norder + 1))"), code: "orrerySelect(uint32(norder + 1))"},
	{name: "constant hash keys of a worker", file: "runtime/alg.go", fn: "alginit", op: atEntry(), code: "if orreryHashKeys(hashkey[:]) { return }", until: "1.26"},
	{name: "no AES in a worker", file: "internal/runtime/maps/runtime_alg.go", fn: "AlgInit", op: after("for i := range hashkey { __ }"), code: "if OrreryNoAES { return }", since: "1.27"},
	{name: "switch of AES", file: "internal/runtime/maps/runtime_alg.go", op: appendDecl(), code: "\n// OrreryNoAES makes hashes the same on every processor.\nvar OrreryNoAES bool\n", since: "1.27"},
	{name: "worker hashes without AES", file: "runtime/proc.go", fn: "schedinit", op: before("maps.AlgInit()"), code: "maps.OrreryNoAES = orreryWorker", since: "1.27"},
	{name: "fixed heap base", file: "runtime/malloc.go", op: initialiser("randomizeHeapBase"), code: "false"},
	{name: "vgetrandom", file: "runtime/vgetrandom_linux.go", fn: "vgetrandom", op: atEntry(), code: "if orreryIn() || orreryEarly() { orreryRandom(p); return len(p), true }"},
	{name: "no type assertion cache", file: "runtime/iface.go", fn: "typeAssert", op: replaceExpr("cheaprand()&1023 != 0"), code: "orreryWorker || cheaprand()&1023 != 0"},
	{name: "no interface switch cache", file: "runtime/iface.go", fn: "interfaceSwitch", op: replaceExpr("cheaprand()&1023 != 0"), code: "orreryWorker || cheaprand()&1023 != 0"},

	// Workers.
	{name: "huge pages of a worker's heap", file: "runtime/mem_linux.go", fn: "sysMapOS", op: after("setVMAName(p, n, vmaName)"), code: "if orreryWorker && vmaName == \"heap\" { sysHugePageOS(v, n) }"},
	{name: "Ms made ahead", file: "runtime/proc.go", fn: "main", op: before("if haveSysmon { __ }"), code: "orreryMsInit()"},
	{name: "no sysmon in a worker", file: "runtime/proc.go", fn: "main", op: replaceExpr("haveSysmon"), code: "haveSysmon && !orreryWorker"},
	{name: "Ms from those made ahead", file: "runtime/proc.go", fn: "allocm", op: before("mp := &new(mPadded).m"), code: "if mp := orreryM(); mp != nil { mp.mstartfn = fn; if pp == gp.m.p.ptr() { releasep() }; releasem(gp.m); allocmLock.runlock(); return mp }"},

	// The guard against system calls past the world.
	{name: "guarded calls are taken", file: "runtime/signal_unix.go", fn: "sighandler", op: after("c := &sigctxt{info, ctxt}"), code: "if sig == _SIGSYS && orreryGuarded(c, gp) { return }"},
	{name: "assembly enters no call", file: "runtime/proc.go", fn: "entersyscall", op: atEntry(), code: "if orreryCallOn() { return }"},
	{name: "assembly leaves no call", file: "runtime/proc.go", fn: "exitsyscall", op: atEntry(), code: "if orreryCallOn() { return }"},

	// The runtime's fcntl is that of internal/syscall/unix.
	{name: "fcntl", file: "runtime/os_linux.go", fn: "fcntl", op: atEntry(), code: "if orreryCallOn() { return orreryFcntl(fd, cmd, arg) }"},

	// Poller.
	{name: "poll descriptor opens", file: "runtime/netpoll.go", fn: "poll_runtime_pollOpen", op: replaceStmt("errno := netpollopen(fd, pd)"), code: "var errno uintptr; if on := orreryCallOn(); on { pd.rt.isFake, pd.wt.isFake = true, true; errno = orreryPollOpen(fd, pd) } else { pd.rt.isFake, pd.wt.isFake = false, false; errno = netpollopen(fd, pd) }"},
	{name: "poll descriptor closes", file: "runtime/netpoll.go", fn: "poll_runtime_pollClose", op: replaceStmt("netpollclose(pd.fd)"), code: "if orreryCallOn() { orreryPollClose(pd) } else { netpollclose(pd.fd) }"},

	// Annotations.
	{name: "tasks", file: "runtime/traceruntime.go", fn: "trace_userTaskCreate", op: atEntry(), code: "if orreryIn() { orreryAnnotate(orreryEvTask, id, parentID, taskType); return }"},
	{name: "ends of tasks", file: "runtime/traceruntime.go", fn: "trace_userTaskEnd", op: atEntry(), code: "if orreryIn() { orreryAnnotate(orreryEvTaskEnd, id, 0, \"\"); return }"},
	{name: "regions", file: "runtime/traceruntime.go", fn: "trace_userRegion", op: atEntry(), code: "if orreryIn() { orreryAnnotate(orreryEvRegion+uint32(mode), id, 0, name); return }"},
	{name: "logs", file: "runtime/traceruntime.go", fn: "trace_userLog", op: atEntry(), code: "if orreryIn() { orreryAnnotate(orreryEvUserLog, id, 0, category); orreryAnnotate(orreryEvUserLog, id, 1, message); return }"},

	// Ends.
	{name: "a panic ends the process", file: "runtime/panic.go", fn: "fatalpanic", op: before("var docrash bool"), code: "orreryPanic(msgs, pc, sp)"},
	{name: "a fatal error ends the process", file: "runtime/panic.go", fn: "fatal", op: atEntry(), code: "orreryFatal(s, sys.GetCallerPC(), sys.GetCallerSP())"},
	{name: "a fault on a bus ends the process", file: "runtime/signal_unix.go", fn: "sigpanic", op: beforeNth("throw(\"fault\")", 1, 2), code: "orreryFault(sys.GetCallerPC(), sys.GetCallerSP())"},
	{name: "a fault of memory ends the process", file: "runtime/signal_unix.go", fn: "sigpanic", op: beforeNth("throw(\"fault\")", 2, 2), code: "orreryFault(sys.GetCallerPC(), sys.GetCallerSP())"},
	{name: "a stack overflow ends the process", file: "runtime/stack.go", fn: "newstack", op: before("throw(\"stack overflow\")"), code: "orreryOverflow(gp)"},
	{name: "stacks are capped", file: "runtime/stack.go", fn: "newstack", op: replaceExpr("newsize > maxstacksize"), code: "newsize > maxstacksize || newsize > orreryStackMax && gp.bubble != nil && gp.bubble.orrery.on"},
	{name: "print is to the process's standard error", file: "runtime/print.go", fn: "gwrite", op: before("recordForPanic(b)"), code: "if orreryPrints() { orreryPrint(b); return }"},
	{name: "print is written when it is whole", file: "runtime/print.go", fn: "printunlock", op: after("unlock(&debuglock)"), code: "orreryPrintedOut()"},
	{name: "exit ends the process", file: "runtime/runtime.go", fn: "syscall_Exit", op: atEntry(), code: "if orreryCallOn() { orreryExitProcess(code) }"},
	{name: "exit hooks stay", file: "runtime/proc.go", fn: "os_beforeExit", op: atEntry(), code: "if orreryIn() { return }"},
	{name: "no finalizers", file: "runtime/mfinal.go", fn: "SetFinalizer", op: replaceExpr("debug.sbrk != 0"), code: "debug.sbrk != 0 || orreryIn()"},
	{name: "no cleanups", file: "runtime/mcleanup.go", fn: "AddCleanup", op: replaceExpr("debug.sbrk != 0"), code: "debug.sbrk != 0 || orreryIn()"},

	// The jump of an empty loop has no line of its own, which shows as line 1.
	{name: "an empty loop has a line", file: "runtime/symtab.go", fn: "funcline1", op: after("line, _ = pcvalue(f, f.pcln, targetpc, strict)"), code: "for line == 1 && targetpc > f.entry() { targetpc--; line, _ = pcvalue(f, f.pcln, targetpc, strict) }"},

	// What programs reconfigure or read.
	{name: "stacks of the process", file: "runtime/mprof.go", fn: "Stack", op: replaceStmt("tracebackothers(gp)"), code: "if b := gp.bubble; b != nil && b.orrery.on { orreryStackOthers(gp) } else { tracebackothers(gp) }"},
	{name: "stacks name no bubble", file: "runtime/traceback.go", fn: "goroutineheader", op: replaceStmt("print(\", synctest bubble \", bubble.id)"), code: "if !bubble.orrery.on { print(\", synctest bubble \", bubble.id) }"},
	{name: "stacks tell no durable wait", file: "runtime/traceback.go", fn: "goroutineheader", op: replaceStmt("print(\" (durable)\")"), code: "if !bubble.orrery.on { print(\" (durable)\") }"},
	{name: "profile of the process", file: "runtime/mprof.go", fn: "goroutineProfileWithLabels", op: atEntry(), code: "if orreryIn() { return orreryGoroutineProfile(p, labels) }"},
	{name: "GOMAXPROCS", file: "runtime/debug.go", fn: "GOMAXPROCS", op: atEntry(), code: "if orreryIn() { return orreryGOMAXPROCS(n) }"},
	{name: "SetDefaultGOMAXPROCS", file: "runtime/debug.go", fn: "SetDefaultGOMAXPROCS", op: atEntry(), code: "if orreryIn() { orreryGOMAXPROCS(orreryCPUs); return }"},
	{name: "NumCPU", file: "runtime/debug.go", fn: "NumCPU", op: atEntry(), code: "if orreryIn() || orreryEarly() { return orreryCPUs }"},
	{name: "NumGoroutine", file: "runtime/debug.go", fn: "NumGoroutine", op: atEntry(), code: "if orreryIn() { return orreryCount() }"},
	{name: "SetGCPercent", file: "runtime/mgcpacer.go", fn: "setGCPercent", op: atEntry(), code: "if orreryIn() { return orrerySetGCPercent(in) }"},
	{name: "SetMemoryLimit", file: "runtime/mgcpacer.go", fn: "setMemoryLimit", op: atEntry(), code: "if orreryIn() { return 1<<63 - 1 }"},
	{name: "SetMaxStack", file: "runtime/rdebug.go", fn: "setMaxStack", op: atEntry(), code: "if orreryIn() { return orreryStackMax }"},
	{name: "SetMaxThreads", file: "runtime/proc.go", fn: "setMaxThreads", op: atEntry(), code: "if orreryIn() { return 10000 }"},
	{name: "ReadMemStats", file: "runtime/mstats.go", fn: "ReadMemStats", op: after("startTheWorld(stw)"), code: "if orreryIn() { orreryMaskStats(m) }"},
	{name: "ReadGCStats", file: "runtime/mstats.go", fn: "readGCStats", op: after("systemstack(__)"), code: "if orreryIn() { orreryMaskGCStats(*pauses) }"},
	{name: "metrics", file: "runtime/metrics.go", fn: "readMetrics", op: after("readMetricsLocked(samplesp, len, cap)"), code: "if orreryIn() { orreryMaskMetrics(samplesp, len) }"},
	{name: "ticks of channels", file: "runtime/chan.go", op: replaceAll("cputicks", 0), code: "orreryTicks"},
	{name: "ticks of select", file: "runtime/select.go", op: replaceAll("cputicks", 0), code: "orreryTicks"},
	{name: "ticks of semaphores", file: "runtime/sema.go", op: replaceAll("cputicks", 0), code: "orreryTicks"},
	{name: "ticks are nanoseconds", file: "runtime/runtime.go", fn: "ticksPerSecond", op: atEntry(), code: "if orreryIn() || orreryWorker { return 1e9 }"},
	{name: "samples of blocking", file: "runtime/mprof.go", fn: "blocksampled", op: replaceExpr("cheaprand64()"), code: "orrerySample()"},
	{name: "samples of mutexes", file: "runtime/mprof.go", fn: "mutexevent", op: replaceExpr("cheaprand64()"), code: "orrerySample()"},
	{name: "no heap dump", file: "runtime/heapdump.go", fn: "runtime_debug_WriteHeapDump", op: atEntry(), code: "if orreryIn() { orreryRefused(512); return }"},
	{name: "LockOSThread", file: "runtime/proc.go", fn: "LockOSThread", op: atEntry(), code: "if orreryIn() { return }"},
	{name: "UnlockOSThread", file: "runtime/proc.go", fn: "UnlockOSThread", op: atEntry(), code: "if orreryIn() { return }"},
}
