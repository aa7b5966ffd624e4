// Package scheduler simulates the queue and the nodes of a parallel machine: jobs arrive, a
// policy decides which of them start, an allocator chooses their nodes, and an executor
// decides how long they run.
//
// # Model
//
// A [Job] is rigid. It requests a fixed number of processors, or for a submesh, and keeps its nodes
// until it ends. It carries a user's estimate of its run time. Policies see the estimate and never
// the run time. Simulated time is an integer number of cycles. Only [Clock] converts the seconds of
// a workload.
//
// Times that are drawn, scaled or summed are the same on every processor: see package
// experiments/stats for why products are converted to float64 before they are added.
//
// The wait of a job is the time from submission to start, its response the time from
// submission to end. The bounded slowdown is the response divided by the undisturbed run
// time, with a lower bound on the divisor. [Record] defines all three for a job that has
// ended. [Totals] adds up a simulation.
//
// # Stages
//
// A simulation is a pipeline:
//
//   - A [Source] yields jobs in order of submission. [SWF] reads a log in the Standard
//     Workload Format. [Synthetic], [CplantStream] and [Lublin] draw jobs from models.
//     [List] yields given jobs.
//   - [Transform], [Replicate], [Shake] and [ScaleToLoad] change a workload.
//   - [Sim] submits the jobs, runs the policy and ends the jobs.
//   - A [Policy] starts waiting jobs through [State.Start], which asks the allocator for
//     nodes and takes them. [FCFS] and [SJF] never let a job overtake the first in their
//     order. [EASY] backfills around one reservation at the shadow time, and [Conservative]
//     around a reservation of every job. [Cplant] is the queue of the Cplant machines.
//   - An [Executor] runs the started jobs. [Fixed] uses the run times of the workload. An
//     executor elsewhere in the module derives them from the messages of the jobs.
//   - Sim.Record receives each job that has ended. [Schedule] turns the records into a log.
//
// At any cycle, events have a fixed order: jobs finish, nodes are repaired, nodes fail
// (Sim.Failures), jobs that pass their estimate are killed if Sim.KillOverruns is set, jobs arrive,
// and then the policy runs once. A job with a run time of zero finishes after that in the same
// cycle, and the policy runs again. A policy that implements [Waker] also runs at times without
// other events.
//
// # An EASY decision
//
// Four jobs, whose estimates are their run times, come to four nodes under [EASY] (the first story
// of testdata/easy.txt):
//
//	job      1   2   3   4
//	arrives  0   1   2   2
//	nodes    3   4   1   1
//	runs    10   5   8  20
//
// At 2, one node is free. Job 2 is the head of the queue and needs four. Its shadow time is 10,
// when job 1 ends, and leaves no extra nodes. Job 3 fits and ends at 10, not later than the shadow
// time: it goes ahead. Job 4 would end at 22 and waits, because it would delay job 2:
//
//	 0  1 starts on nodes 0-2
//	 2  3 starts on node 3
//	10  1 ends, 3 ends, 2 starts on nodes 0-3
//	15  2 ends, 4 starts on node 0
//	35  4 ends
//
// # Usage
//
// A simulation needs a source, a policy, an allocator, an executor and the free nodes:
//
//	log, err := scheduler.OpenSWF("SDSC-BLUE-2000-4.2-cln.swf.gz")
//	...
//	sim := scheduler.Sim{
//		Source:    log,
//		Policy:    &scheduler.EASY{},
//		Allocator: allocator, // such as tree.NewSequential
//		Executor:  &scheduler.Fixed{},
//		Free:      allocation.NewFreeSet(machine.Nodes()),
//		Record:    func(r *scheduler.Record) { waits = append(waits, r.Wait()) },
//	}
//	totals, err := sim.Run()
//
// A policy and an executor hold the state of one simulation. Another simulation needs new
// ones, and a [SWF.Copy] of the log. All random draws come from seeds in the configurations,
// with one stream for each purpose, so equal seeds give equal jobs.
//
// # Papers
//
// The log format is that of Chapin et al., "Benchmarks and Standards for the Evaluation of
// Parallel Job Schedulers", JSSPP 1999. The generated stream is that of Lo, Windisch, Liu and
// Nitzberg, CIS-TR-94-11, 1994, App. A. The models are those of Lublin and Feitelson, JPDC
// 63(11), 2003, and of Leung et al., CLUSTER 2002. Backfilling follows Lifka, JSSPP 1995, and
// Mu'alem and Feitelson, IEEE TPDS 12(6), 2001. Bounded slowdown is that of Feitelson et al.,
// JSSPP 1997. Kills at reservations, speed-up and load are those of Pascual, Navaridas and
// Miguel-Alonso, JSSPP 2009. The documentation of each type cites its section.
package scheduler
