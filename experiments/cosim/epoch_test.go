package cosim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/netsim"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/scheduler"
)

// script is jobs that start at given cycles on nodes of their own, so that nothing but the
// network couples them.
type started struct {
	at    scheduler.Cycle
	job   scheduler.Job
	nodes []topology.Node
}

// drive has an executor run jobs, and returns the cycle in which each ended.
func drive(t *testing.T, x scheduler.Executor, jobs []started) map[scheduler.JobID]scheduler.Cycle {
	t.Helper()
	ends := map[scheduler.JobID]scheduler.Cycle{}
	var done []scheduler.JobID
	var now scheduler.Cycle
	var err error
	for i := 0; i < len(jobs) || len(ends) < len(jobs); {
		until := scheduler.MaxCycle
		if i < len(jobs) {
			until = jobs[i].at
		}
		if now, done, err = x.Advance(until, done[:0]); err != nil {
			t.Fatal(err)
		}
		for _, id := range done {
			ends[id] = now
		}
		for i < len(jobs) && jobs[i].at <= now {
			x.Start(&jobs[i].job, jobs[i].nodes)
			i++
		}
	}
	return ends
}

// scattered draws jobs on nodes drawn from a whole machine.
func scattered(r *rand.Rand, nodes int, mix []patterns.Config, iterations float64) (list []started) {
	perm := r.Perm(nodes)
	at := scheduler.Cycle(0)
	for id := scheduler.JobID(1); len(perm) > 8; id++ {
		n := min(len(perm), 1<<r.IntN(5))
		if r.IntN(3) == 0 {
			n = 2 + r.IntN(9)
		}
		p := r.IntN(len(mix))
		j := scheduler.Job{ID: id, Size: n, Pattern: p, Seed: r.Uint64(),
			Compute: scheduler.Cycle(r.IntN(400))}
		if per, err := patterns.MessagesPerIteration(mix[p], n, nil); err != nil || per == 0 {
			continue
		} else {
			j.Quota = int64(iterations*(0.3+r.ExpFloat64())+1) * per
		}
		j.Lead = j.Compute
		var on []topology.Node
		for _, i := range perm[:n] {
			on = append(on, topology.Node(i))
		}
		perm = perm[n:]
		list = append(list, started{at, j, on})
		at += scheduler.Cycle(r.ExpFloat64() * iterations * 100)
	}
	return list
}

func TestEpochsAgainstFullSimulation(t *testing.T) {
	mix := []patterns.Config{{Name: "all-to-all", Flits: 16}, {Name: "fft", Flits: 16},
		{Name: "near-neighbour", Flits: 16}, {Name: "n-body", Flits: 16}, {Name: "ring", Flits: 16}}
	for _, settle := range []float64{0.05, 0.02} {
		var errors []float64
		var sum, full float64
		for seed := range uint64(12) {
			r := rand.New(rand.NewPCG(seed, 1))
			machine, err := topology.NewCube(topology.CubeConfig{Dims: []int{10, 10}})
			if err != nil {
				t.Fatal(err)
			}
			c := netsim.Default(machine)
			c.PacketFlits = 16
			jobs := scattered(r, 100, mix, 1000)
			make := func() *netsim.Network {
				n, err := netsim.New(c)
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
			want := drive(t, newNetExecutor(make(), mix, scheduler.Clock{CyclesPerSecond: 1}), jobs)
			e := newEpochs(make(), mix, scheduler.Clock{CyclesPerSecond: 1}, settle, softwareCycles{})
			got := drive(t, e, jobs)
			for _, j := range jobs {
				a, b := float64(want[j.job.ID]-j.at), float64(got[j.job.ID]-j.at)
				sum += b
				full += a
				errors = append(errors, b/a-1)
			}
			fmt.Printf("seed %d: %d jobs, jumped %.2f exact %.2f courses %d cycles %d of %d\n", seed, len(jobs),
				e.sums.jumped/e.sums.service, e.sums.exact/e.sums.jumped, e.sums.courses, e.stage.cycles, e.now)
		}
		slices.SortFunc(errors, func(a, b float64) int {
			if math.Abs(a) < math.Abs(b) {
				return -1
			}
			return 1
		})
		n := len(errors)
		mean := 0.0
		for _, x := range errors {
			mean += x
		}
		fmt.Printf("settle %v: %d jobs mean %+.3f%% of sum %+.3f%% median %.3f%% p90 %.3f%% p95 %.2f%% p99 %.2f%% max %.2f%%\n", settle, n,
			100*mean/float64(n), 100*(sum/full-1), 100*errors[n/2], 100*errors[n*9/10], 100*errors[n*95/100], 100*errors[n*99/100], 100*errors[n-1])
	}
}
