//go:build !race

package sim

func raceErrors() int { return 0 }
