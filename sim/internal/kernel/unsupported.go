package kernel

// refused tells of a call that the simulation does not do, whatever it answers.
func (k *Kernel) refused(c *Call) {
	if k.Refused != nil {
		k.Refused(c.Nr, c.Caller)
	}
}
