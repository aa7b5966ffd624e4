// Package sim simulates one run of a config.Plan. Jobs, allocator and network run under one clock,
// and the run returns metrics.
//
// Simulator.Run makes a run and takes these steps:
//
//  1. prepare makes the network, the allocator, the policy and the jobs. NewWork makes the jobs: a
//     workMaker has a method for each source of jobs. Run times of a log become messages by a
//     calibration on jobs that have the machine to themselves.
//  2. setCollector makes the metrics.Collector, which records the jobs that end.
//  3. setExecutor makes the executor of the started jobs. With messages, each job is a program of
//     package patterns whose messages travel through a netsim.Network. Otherwise jobs take their
//     run times.
//  4. simulate runs a scheduler.Sim, which submits jobs and starts those that the policy chooses,
//     and returns the metrics of the collector.
//
// Open-loop traffic has no jobs: nodes create messages at a rate that does not depend on the
// network. A run measures one load and has a loadPoint: a trafficMeter takes the latencies of
// packets and the accepted load, batch by batch, and idleLatency returns how long each message
// takes alone.
//
// A Simulator keeps what runs share, so that a study computes it once.
package sim
