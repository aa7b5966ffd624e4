//go:build invariants

package netsim

// slow says that every cycle checks the whole network.
const slow = true
