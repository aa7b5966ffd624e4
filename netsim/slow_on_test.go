//go:build invariants

package netsim

// slow says that every cycle looks at the whole network.
const slow = true
