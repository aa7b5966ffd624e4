// Package fastforward is an executor of jobs that iterate. It simulates flit by flit only as much
// as it needs to estimate how fast each job makes progress, and jumps over the rest of the time.
//
// Jobs whose packets may meet, directly or through others, form a component (component.go). A
// component goes through these steps:
//
//   - Full simulation (full.go): a job begins flit by flit, beside all jobs for which no jump pays.
//   - Prospect (jump.go): at a decision the expected cost of a jump is compared with what it saves.
//   - Trajectory (isolated.go, trajectory.go): the component alone is simulated in an empty
//     network, from the present state of its jobs, until their rates in messages per cycle are
//     known: by batch means (rate.go) or exactly, where a state recurs (recurrence.go).
//   - Drawn phases: several jobs are simulated again from other phases against each other. What
//     both show are windows (windows.go), whose differences are the spread of rates (spread.go).
//   - Memory (memory.go): equal components share their windows, and a known one is recalled.
//   - Horizon (horizon.go): how long rates may be used follows from the half widths of their
//     intervals.
//   - Jump: the jobs make progress at their rates. At its end messages, flits and the variance of
//     service times are added to the sums of the run (account.go, drift.go, sums.go).
//
// When the run is over, drawn jumps (sample.go) are simulated flit by flit. That measures the
// errors of rates (check.go) and corrects how long packets wait (waits.go).
//
// Time is in cycles; times of a trajectory count from the start of its component. The model of the
// errors is described in docs/model.md.
package fastforward
