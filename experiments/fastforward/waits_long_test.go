//go:build long

package fastforward

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// Waits for packets of other jobs are near those of the full simulation: in sum over studies of
// jobs that meet seldom within 10%, once trajectories have been checked. Without, they are too low
// by a quarter and more.
func TestLongForeignBlockingAgainstFullSimulation(t *testing.T) {
	const fft, ring = 1, 4
	for _, pattern := range []int{fft, ring} {
		var full, estimated, corrected float64
		alone := map[int]float64{}
		for seed := range uint64(12) {
			jobs := seldom(t, rand.New(rand.NewPCG(seed, 3)), pattern, 200, alone)
			x := executor.New(grid(t, 8), mixed, clock)
			drive(t, x, jobs)
			full += float64(x.Net.Totals().Foreign)
			e := jumping(t, 8, 0.05)
			e.checks = newChecks(40, 0.05, rand.New(rand.NewPCG(seed, 4)))
			drive(t, e, jobs)
			must.Have(0, e.Finish())
			estimated += e.sums.messages[foreign]
			corrected += e.checks.waits.correct(e.sums.messages)[foreign]
			if e.checks.differing > 0 || e.checks.reproduced == 0 {
				t.Errorf("seed %d: of %d jobs of exact jumps %d are not", seed,
					e.checks.reproduced+e.checks.differing, e.checks.differing)
			}
		}
		t.Logf("%s: %+.1f%%, without checks %+.1f%%", mixed[pattern].Name, 100*(corrected/full-1),
			100*(estimated/full-1))
		if math.Abs(corrected/full-1) > 0.1 {
			t.Errorf("%s: waits for other jobs are %.1f%% off", mixed[pattern].Name,
				100*(corrected/full-1))
		}
	}
}

// seldom draws jobs of one pattern that compute for most of their time: they send for about 12%
// of it. Equal jobs have iterations of nearly equal lengths, so that jobs that meet meet for long.
func seldom(t *testing.T, r *rand.Rand, pattern, iterations int, alone map[int]float64) []started {
	t.Helper()
	var list []started
	perm := r.Perm(64)
	at := scheduler.Cycle(0)
	for id := scheduler.JobID(1); len(perm) > 8; id++ {
		n := min(len(perm), 1<<(1+r.IntN(4)))
		per, err := patterns.MessagesPerIteration(mixed[pattern], n, nil)
		if err != nil || n&(n-1) != 0 { // what is left
			n = 4
			per, err = patterns.MessagesPerIteration(mixed[pattern], n, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		j := scheduler.Job{ID: id, Size: n, Pattern: pattern, Seed: r.Uint64()}
		s := started{at: at, job: j}
		if alone[n] == 0 {
			j.Quota = 8 * per
			x := executor.New(grid(t, 8), mixed, clock)
			first := started{job: j, nodes: nodesOf(n)}
			alone[n] = float64(drive(t, x, []started{first})[id]) / 8
		}
		s.job.Compute = scheduler.Cycle(math.Round(7 * alone[n]))
		s.job.Lead = s.job.Compute
		s.job.Quota = int64(float64(iterations)*(0.3+r.ExpFloat64())+1) * per
		for _, i := range perm[:n] {
			s.nodes = append(s.nodes, nodesOf(64)[i])
		}
		perm = perm[n:]
		list = append(list, s)
		at += scheduler.Cycle(2.5 * r.ExpFloat64() * float64(iterations) * alone[n])
	}
	return list
}

// nodesOf returns the first nodes of a machine.
func nodesOf(n int) (list []topology.Node) {
	for i := range n {
		list = append(list, topology.Node(i))
	}
	return list
}
