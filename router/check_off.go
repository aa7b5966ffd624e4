//go:build !invariants

package router

// choosesThreads says that routers step in one thread where that is as fast.
const choosesThreads = true

// check does nothing without the tag invariants.
func (b *Routers) check() {}
