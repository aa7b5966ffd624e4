//go:build !invariants

package router

func (b *Routers) check() {}
