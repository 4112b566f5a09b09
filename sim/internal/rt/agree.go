package rt

// At is the runtime's copy of choice.At, Child of choice.Key.Child, and NameKey
// of choice.NameKey. A test compares them.
func At(seed, key, index uint64) uint64 {
	if Patched {
		return at(seed, key, index)
	}
	return 0
}

// Child returns the key of a path's nth child, as the runtime has it.
func Child(path, n uint64) uint64 {
	if Patched {
		return child(path, n)
	}
	return 0
}

// NameKey returns the key of a plain name, as the runtime has it.
func NameKey(name string) uint64 {
	if Patched {
		return nameKey(name)
	}
	return 0
}
