package router

// Summarize has the engine of narrowSwitch go through a summary of its words, or through all of
// them. It reports whether that engine is used.
func (b *Routers) Summarize(summary bool) bool {
	if b.switches == nil {
		return false
	}
	b.switches.few = !summary
	return true
}
