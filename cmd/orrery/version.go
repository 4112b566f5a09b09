package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

const module = "github.com/orrery-sim/orrery"

// version is that of this command, its Go and its platform.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Path == module && info.Main.Version != "" {
			v = info.Main.Version
		}
		for _, dep := range info.Deps {
			if dep.Path == module {
				v = dep.Version
			}
		}
	}
	return fmt.Sprintf("orrery %s %s %s/%s", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
