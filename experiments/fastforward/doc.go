// Package fastforward is an executor of jobs that iterate. It simulates flit by flit only as much
// as it needs to know how fast each job makes progress, and jumps over the rest of the time.
//
// Jobs whose packets may meet form a component. A stage simulates its trajectory: what its jobs do
// from a cycle on. From there on each job makes progress at its rate. Some of the jumps are drawn
// and simulated in full when the run is over, which tells how far the rates are off.
package fastforward
