// Package fastforward is an executor of jobs that iterate. It simulates flit by flit only as much
// as it needs to estimate how fast each job makes progress, and jumps over the rest of the time.
//
// Jobs whose packets may meet, directly or through others, form a component (component.go). From
// one moment at which one of its jobs starts or ends to the next it goes through these steps:
//
//   - Recall (recall in jump.go): the forecast of an equal component is known.
//   - Simulation (full.go): otherwise its jobs are simulated with all others in one network, until
//     their rates are known by batch means or exactly, where a state recurs (rates.go).
//   - Audit (audit.go): if the jump is drawn, the simulation continues and is compared with the
//     forecast.
//   - Jump (jump.go): the jobs make progress as forecast, and their messages are added to the sums
//     of the run (component.go). Jobs that have not ended return to the network.
//
// The errors of audits are a random sample of the errors of all jumps. Intervals of service times
// and of waits follow from them (halfOf in audit.go), as docs/model.md describes.
//
// Time is in cycles; times of a period count from its beginning.
package fastforward
