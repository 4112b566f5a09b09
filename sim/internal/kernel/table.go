package kernel

// table is the system calls that there are, by number. A family registers its
// own in an init of its file: see register.
var table [512]handler

// register enters a family of calls into the table. Two handlers of one number
// are a mistake of ours.
func register(family map[uintptr]handler) {
	for nr, h := range family {
		if table[nr] != nil {
			panic("kernel: two handlers for one system call")
		}
		table[nr] = h
	}
}
