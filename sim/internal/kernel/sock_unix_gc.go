package kernel

import "slices"

// carry notes that a message with descriptors came to the socket.
func (o *unixSocket) carry() {
	if !o.carries {
		o.carries = true
		o.k.carriers = append(o.k.carriers, o)
	}
}

// eachPassed calls f for each list of descriptors that came and that nobody has
// received.
func (o *unixSocket) eachPassed(f func(*passed)) {
	for i := range o.stream.runs {
		f(&o.stream.runs[i].scm)
	}
	for i := range o.packets {
		f(&o.packets[i].scm)
	}
}

// passedOn returns the descriptors that came and that nobody has received.
func (o *unixSocket) passedOn() (list []*description) {
	o.eachPassed(func(s *passed) { list = append(list, s.rights...) })
	return list
}

// collectUnix empties the sockets that only messages among themselves refer to, so
// that nobody can receive anything from them any more, which closes them. Linux looks
// for them a little after any Unix socket of the machine closes.
func (k *Kernel) collectUnix() {
	if k.collecting || len(k.carriers) == 0 {
		return
	}
	k.collecting = true
	defer func() { k.collecting = false }()
	for {
		lost := k.lostUnix()
		if len(lost) == 0 {
			return
		}
		var all []*description
		for _, o := range lost {
			all = append(all, o.passedOn()...)
			o.eachPassed(func(s *passed) { s.rights = nil })
			o.discard()
		}
		for _, d := range all {
			k.release(d)
		}
	}
}

// lostUnix returns the sockets with descriptors in their queues that nobody can reach.
func (k *Kernel) lostUnix() []*unixSocket {
	inFlight, left := map[*description]int{}, k.carriers[:0]
	for _, o := range k.carriers {
		list := o.passedOn()
		for _, d := range list {
			inFlight[d]++
		}
		if o.carries = len(list) > 0; o.carries {
			left = append(left, o)
		}
	}
	clear(k.carriers[len(left):])
	k.carriers = left
	reached := map[*unixSocket]bool{}
	for _, o := range k.carriers {
		if h := o.holder(); h.desc.refs > inFlight[h.desc] {
			h.reach(reached)
		}
	}
	return slices.DeleteFunc(slices.Clone(k.carriers), func(o *unixSocket) bool { return reached[o] })
}

// holder is the socket through which o is reached: the listener, until it is accepted.
func (o *unixSocket) holder() *unixSocket {
	if o.listener != nil {
		return o.listener
	}
	return o
}

// reach notes the socket and all that can be received through it.
func (o *unixSocket) reach(reached map[*unixSocket]bool) {
	if reached[o] {
		return
	}
	reached[o] = true
	for _, c := range o.backlog {
		c.reach(reached)
	}
	for _, d := range o.passedOn() {
		if other, ok := d.obj.(*unixSocket); ok {
			other.reach(reached)
		}
	}
}
