package crdt

// A Slot is what one replica has added: ups and downs apart, so that both only grow.
type Slot struct{ Up, Down int }

// A Counter is the slot of each replica, by its name (a PN-counter: Shapiro and
// others, 2011).
type Counter map[string]Slot

// Value is the number.
func (c Counter) Value() (sum int) {
	for _, s := range c {
		sum += s.Up - s.Down
	}
	return sum
}

// merge returns what two replicas know of one slot, in any order and however often.
func (s Slot) merge(other Slot) Slot {
	return Slot{max(s.Up, other.Up), max(s.Down, other.Down)}
}

func (s Slot) add(amount int) Slot {
	if amount < 0 {
		s.Down -= amount
	} else {
		s.Up += amount
	}
	return s
}
