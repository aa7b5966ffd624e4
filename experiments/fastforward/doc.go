// Package fastforward is an executor of jobs that iterate. It simulates flit by flit only as much
// as it needs to estimate how fast each job makes progress, and jumps over the rest of the time.
//
// Jobs whose packets may meet form a component. All jobs begin in one full simulation. Once a jump
// pays, a stage simulates the trajectory of a component: the progress of its jobs from the present
// on. From there each job makes progress at its rate, in messages per cycle. When the run is over
// some of the jumps are drawn and simulated in full, which measures the errors of the rates.
package fastforward
