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
//   - Jump (jump.go): the clock of the component stands. Its flits, programs and timers stay as
//     they are, frozen, while those of others move on.
//   - Change of links (links.go): all jumps end, and all jobs are one component until no packet from
//     before is left.
//   - Catching up: when the jump ends, the component goes on from that state, some iterations of
//     each job later. An exact jump is whole periods; the rest of the time is simulated.
//
// Example: two jobs on one line of nodes each send round a ring of four processes. An iteration of
// job 1 takes 29 cycles alone, and it does 1000. Job 2 does 300, from cycle 10000 on:
//
//	cycle     0  Job 1 starts and is simulated.
//	         30  Its first iteration has ended. It is alone, so all others are equal: it jumps,
//	             exactly, to the beginning of its last iterations in 28942.
//	      10000  Job 2 starts. The jump ends, with 343 periods: the last 23 cycles before are
//	             simulated. Both jobs are one component.
//	      10126  The state of the network has recurred: both jump, exactly.
//	      19597  Job 2 has ended, as in the full simulation. Job 1 is a component of its own again.
//	      19646  Its last iteration began in an idle network: it jumps.
//	      29911  Job 1 ends, as in the full simulation. Some 470 of 29911 cycles were simulated.
//
// The errors of audits are a random sample of the errors of all jumps. Intervals of service times
// and of waits follow from them (addErrors in audit.go, and package experiments), as docs/model.md
// describes.
//
// Time is in cycles; times of a period count from its beginning.
package fastforward
