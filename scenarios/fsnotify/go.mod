module github.com/orrery-sim/orrery/scenarios/fsnotify

go 1.26.0

require (
	github.com/fsnotify/fsnotify v1.10.1
	github.com/orrery-sim/orrery v0.0.0
)

require golang.org/x/sys v0.50.0 // indirect

replace github.com/orrery-sim/orrery => ../..
