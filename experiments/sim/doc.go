// Package sim simulates one run of a config.Plan. Jobs, allocator and network run under one clock,
// and the run returns metrics.
//
// Simulator.Run takes these steps:
//
//  1. Prepare makes the network, the allocator, the policy and the source of jobs. Run times of a
//     log become messages, calibrated on jobs that have the machine to themselves.
//  2. scheduler.Sim submits jobs, starts those that the policy chooses, and records those that end.
//  3. An executor runs the started jobs. With messages, each job is a program of package patterns
//     whose messages travel through a netsim.Network. Otherwise jobs take their run times.
//  4. A collector accumulates the metrics of MetricInfos and of the registry.
//
// Open-loop traffic has no jobs: nodes create messages at a rate that does not depend on the
// network. A run measures one load and has a loadPoint: a trafficMeter takes the latencies of
// packets and the accepted load, batch by batch, and idleLatency returns how long each message
// takes alone.
//
// A Simulator keeps what runs share, so that a study computes it once.
package sim
