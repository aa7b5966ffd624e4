// Package service answers lines of JSON from other programs: requests for nodes (contend allocate,
// Decisions), and the jobs and messages of other schedulers (contend network, Network).
package service
