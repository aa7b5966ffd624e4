// Package cosim makes one run of a spec.Plan: jobs, allocator and network under one
// clock, and the metrics of what happened. Simulator keeps what runs share.
package cosim
