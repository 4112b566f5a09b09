package toolchain

// stdEdits are the edits of the packages above the runtime.
var stdEdits = []edit{
	// System calls.
	{name: "RawSyscall6", file: "syscall/syscall_linux.go", fn: "RawSyscall6", op: atEntry(), code: "if orreryCallOn() { r, e := orreryCall(trap, a1, a2, a3, a4, a5, a6); return r, orrerySecond(a2, a3, e), Errno(e) }"},
	{name: "Syscall", file: "syscall/syscall_linux.go", fn: "Syscall", op: atEntry(), code: "if orreryCallOn() { r, e := orreryCall(trap, a1, a2, a3, 0, 0, 0); return r, orrerySecond(a2, a3, e), Errno(e) }"},
	{name: "Syscall6", file: "syscall/syscall_linux.go", fn: "Syscall6", op: atEntry(), code: "if orreryCallOn() { r, e := orreryCall(trap, a1, a2, a3, a4, a5, a6); return r, orrerySecond(a2, a3, e), Errno(e) }"},
	{name: "calls without errors", file: "syscall/zsyscall_linux_amd64.go", op: replaceAll("rawSyscallNoError", 0), code: "orreryNoError"},
	{name: "calls without errors on arm64", file: "syscall/zsyscall_linux_arm64.go", op: replaceAll("rawSyscallNoError", 0), code: "orreryNoError"},
	{name: "gettimeofday is declared", file: "syscall/syscall_linux_amd64.go", fn: "gettimeofday", op: renameFunc("orreryRealTime")},
	{name: "gettimeofday", file: "syscall/asm_linux_amd64.s", fn: "gettimeofday", op: renameFunc("orreryRealTime")},
	{name: "calls on all threads", file: "syscall/syscall_linux.go", fn: "AllThreadsSyscall", op: atEntry(), code: "if orreryCallOn() { return ^uintptr(0), 0, ENOSYS }"},
	{name: "calls with six arguments on all threads", file: "syscall/syscall_linux.go", fn: "AllThreadsSyscall6", op: atEntry(), code: "if orreryCallOn() { return ^uintptr(0), 0, ENOSYS }"},
	{name: "no child processes", file: "syscall/exec_unix.go", fn: "forkExec", op: atEntry(), code: "if orreryCallOn() { return 0, orreryRefuse(SYS_EXECVE) }"},
	{name: "no exec", file: "syscall/exec_unix.go", fn: "Exec", op: atEntry(), code: "if orreryCallOn() { return orreryRefuse(SYS_EXECVE) }"},
	{name: "no pidfd", file: "os/pidfd_linux.go", fn: "checkPidfd", op: atEntry(), code: "if orreryIn() { return NewSyscallError(\"pidfd_open\", syscall.ENOSYS) }"},

	{name: "host name before the world", file: "os/sys.go", fn: "Hostname", op: atEntry(), code: "if orreryEarly() { return \"localhost\", nil }"},

	{name: "services of the process", file: "net/port_unix.go", fn: "readServices", op: atEntry(), code: "if orreryIn() { services = orreryServices() }"},

	// Signals come from the world.
	{name: "the signal loop", file: "os/signal/signal_unix.go", fn: "loop", op: atEntry(), code: "if orreryIn() { orreryLoop() }"},
	{name: "signals are caught", file: "os/signal/signal_unix.go", fn: "enableSignal", op: atEntry(), code: "if orreryIn() { orreryAsk(orreryCatch, sig); return }"},
	{name: "signals are not caught", file: "os/signal/signal_unix.go", fn: "disableSignal", op: atEntry(), code: "if orreryIn() { orreryAsk(orreryDefault, sig); return }"},
	{name: "signals are ignored", file: "os/signal/signal_unix.go", fn: "ignoreSignal", op: atEntry(), code: "if orreryIn() { orreryAsk(orreryIgnore, sig); return }"},
	{name: "are signals ignored", file: "os/signal/signal_unix.go", fn: "signalIgnored", op: atEntry(), code: "if orreryIn() { return orreryAsk(orreryIgnored, sig) != 0 }"},
	{name: "signals are seen", file: "os/signal/signal.go", fn: "Stop", op: replaceStmt("signalWaitUntilIdle()"), code: "if orreryIn() { orreryWaitUntilIdle() } else { signalWaitUntilIdle() }"},
	{name: "nobody reads standard output", file: "os/file_unix.go", fn: "epipecheck", op: replaceStmt("sigpipe()"), code: "if orreryIn() { orrerySigpipe() } else { sigpipe() }"},

	// Profiles of real time; annotations are always taken.
	{name: "no execution trace", file: "runtime/trace/trace.go", fn: "Start", op: atEntry(), code: "if orreryIn() { return orreryRefuse() }"},
	{name: "no flight recorder", file: "runtime/trace/flightrecorder.go", fn: "(*FlightRecorder).Start", op: atEntry(), code: "if orreryIn() { return orreryRefuse() }"},
	{name: "no CPU profile", file: "runtime/pprof/pprof.go", fn: "StartCPUProfile", op: atEntry(), code: "if orreryIn() { return orreryRefuse() }"},
	{name: "no crash output", file: "runtime/debug/stack.go", fn: "SetCrashOutput", op: atEntry(), code: "if orreryIn() && f != nil { return orreryRefuse() }"},
	{name: "regions are taken", file: "runtime/trace/annotation.go", fn: "StartRegion", op: replaceExpr("!IsEnabled()"), code: "!IsEnabled() && !orreryIn()"},
	{name: "logs are taken", file: "runtime/trace/annotation.go", fn: "Logf", op: replaceExpr("IsEnabled()"), code: "(IsEnabled() || orreryIn())"},
	// Polling.
	{name: "a lock that is held is paid for", file: "sync/mutex.go", fn: "(*Mutex).TryLock", op: replaceStmt("return m.mu.TryLock()"), code: "if m.mu.TryLock() { return true }; orreryPolled(); return false"},
	{name: "a look at a Value is counted", file: "sync/atomic/value.go", fn: "(*Value).Load", op: replaceExpr("LoadPointer(&vp.typ)"), code: "orreryLoadPointer(&vp.typ)"},

	// A worker, which has one thread, tells its coverage in any mode.
	{name: "counters in any mode", file: "internal/coverage/cfile/apis.go", fn: "WriteCounters", op: replaceExpr("cmode != coverage.CtrModeAtomic"), code: "cmode != coverage.CtrModeAtomic && os.Getenv(\"ORRERY_WORKER\") != \"1\""},
	{name: "counters of a test", file: "internal/coverage/cfile/apis.go", fn: "WriteMeta", op: replaceExpr("!finalHashComputed"), code: "!orreryHashed()"},
	{name: "counters of a test: when they are asked for", file: "internal/coverage/cfile/apis.go", op: appendDecl(), code: "\nfunc orreryHashed() bool {\n\tif os.Getenv(\"ORRERY_WORKER\") == \"1\" && !finalHashComputed {\n\t\tprepareForMetaEmit()\n\t}\n\treturn finalHashComputed\n}\n"},
	{name: "counters in any mode: import", file: "internal/coverage/cfile/apis.go", op: addImport("os")},

	// sync.Pool: of the world, and of the process.
	{name: "pool state", file: "sync/pool.go", op: afterField("Pool", "victimSize"), code: "; orrery *orreryPool"},
	{name: "pool put", file: "sync/pool.go", fn: "(*Pool).Put", op: beforeNth("if race.Enabled { __ }", 1, 2), code: "if orreryIn() { p.orreryPut(x); return }"},
	{name: "pool get", file: "sync/pool.go", fn: "(*Pool).Get", op: atEntry(), code: "if orreryIn() { return p.orreryGet() }"},
}

// atomicEdits have the methods of the types of sync/atomic count looks at shared
// memory. Its functions are beyond reach: the compiler makes instructions of them.
var atomicEdits = func() (out []edit) {
	for _, op := range []string{"Load", "CompareAndSwap", "Swap"} {
		for _, of := range []string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr", "Pointer"} {
			name := op + of
			out = append(out, edit{name: "methods count their " + name, file: "sync/atomic/type.go", op: replaceAll(name, 0), code: "orrery" + name})
		}
	}
	return out
}()

// processVars are the variables of the standard library that a process owns.
var processVars = []processVar{
	{pkg: "syscall", file: "env_unix.go", name: "env", fresh: "="},
	{pkg: "syscall", file: "env_unix.go", name: "envs", fresh: "="},
	{pkg: "os", file: "file.go", name: "Stdin"},
	{pkg: "os", file: "file.go", name: "Stdout"},
	{pkg: "os", file: "file.go", name: "Stderr"},
	{pkg: "os", file: "proc.go", name: "Args", fresh: "="},
	{pkg: "os", file: "getwd.go", name: "getwdCache"},
	{pkg: "os/signal", file: "signal.go", name: "handlers"},
	{pkg: "os/signal", file: "signal.go", name: "watchSignalLoopOnce"},
	{pkg: "log", file: "log.go", name: "std"},
	{pkg: "log/slog", file: "logger.go", name: "defaultLogger", fresh: "="},
	{pkg: "flag", file: "flag.go", name: "CommandLine", fresh: "orreryCommandLine()"},
	{pkg: "flag", file: "flag.go", name: "Usage", fresh: "="},
	{pkg: "time", file: "zoneinfo.go", name: "localLoc", fresh: "="},
	{pkg: "time", file: "zoneinfo.go", name: "localOnce", fresh: "="},
	{pkg: "time", file: "zoneinfo.go", name: "Local", fresh: "="},
	{pkg: "net", file: "dnsclient_unix.go", name: "resolvConf"},
	{pkg: "net", file: "hosts.go", name: "hosts"},
	{pkg: "net", file: "lookup.go", name: "DefaultResolver"},
	{pkg: "net", file: "conf.go", name: "confOnce"},
	{pkg: "net", file: "conf.go", name: "confVal"},
	{pkg: "net", file: "nss.go", name: "nssConfig"},
	{pkg: "net", file: "ipsock.go", name: "ipStackCaps"},
	{pkg: "net", file: "net.go", name: "listenerBacklogCache"},
	{pkg: "net", file: "lookup.go", name: "services", fresh: "="},
	{pkg: "net", file: "port_unix.go", name: "onceReadServices"},
	{pkg: "net/rpc", file: "server.go", name: "DefaultServer", fresh: "orreryServer(DefaultServer)"},
	{pkg: "net/http", file: "transport.go", name: "envProxyOnce"},
	{pkg: "net/http", file: "transport.go", name: "envProxyFuncValue"},
	{pkg: "net/http", file: "transport.go", name: "DefaultTransport"},
	{pkg: "net/http", file: "client.go", name: "DefaultClient"},
	{pkg: "net/http", file: "server.go", name: "DefaultServeMux", fresh: "orreryServeMux(DefaultServeMux)"},
	{pkg: "expvar", file: "expvar.go", name: "vars", fresh: "*orreryExpvars(&vars)"},
	{pkg: "math/rand", file: "rand.go", name: "globalRandGenerator", fresh: "*orreryGlobal(&globalRandGenerator)"},
	{pkg: "crypto/x509", file: "root.go", name: "once", fresh: "="},
	{pkg: "crypto/x509", file: "root.go", name: "systemRootsMu", fresh: "="},
	{pkg: "crypto/x509", file: "root.go", name: "systemRoots", fresh: "="},
	{pkg: "crypto/x509", file: "root.go", name: "systemRootsErr", fresh: "="},
	{pkg: "crypto/x509", file: "root.go", name: "fallbacksSet", fresh: "="},
	{pkg: "crypto/x509", file: "root.go", name: "useFallbackRoots", fresh: "="},
	{pkg: "mime", file: "type.go", name: "once", fresh: "="},
	{pkg: "mime", file: "type.go", name: "extensionsMu", fresh: "="},
	{pkg: "mime", file: "type.go", name: "mimeTypes", fresh: "*orreryTypes(&mimeTypes)"},
	{pkg: "mime", file: "type.go", name: "mimeTypesLower", fresh: "*orreryTypes(&mimeTypesLower)"},
	{pkg: "mime", file: "type.go", name: "extensions", fresh: "*orreryTypes(&extensions)"},
}
