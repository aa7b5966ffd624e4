//go:build !invariants

package netsim

const slow = false
