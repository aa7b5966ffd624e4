package sim

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"contend/experiments/config/configtest"
	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// limited returns a simulator for which so many bytes are available.
func limited(bytes int64) *Simulator {
	return &Simulator{memory: bytes, memoryAt: time.Now().Add(time.Hour)}
}

// Copies of a log are refused if their jobs do not fit.
func TestMemoryOfReplicatedLog(t *testing.T) {
	jobs := make([][3]float64, 1000)
	for i := range jobs {
		jobs[i] = [3]float64{float64(500 * i), 1000, 2}
	}
	s := logSpec(writeLog(t, jobs), "ring")
	s.Job.Run, s.Workload.Replication = "fixed", 1000
	plan := configtest.Plan(t, s)
	err := limited(1<<24).Check(t.Context(), plan)
	if !contains(err, "1000 jobs 1000 times (workload.replication_factor) need about") {
		t.Error(err)
	}
	s.Workload.Replication = 2
	if err := limited(1<<24).Check(t.Context(), configtest.Plan(t, s)); err != nil {
		t.Error(err)
	}
}

// The estimate of the messages that a job releases at once holds what they take, of one packet
// and of several.
func TestMemoryOfReleasedMessages(t *testing.T) {
	for _, flits := range []int{8, 16} {
		s := configtest.Net(flits, 16, 16)
		s.Network.PacketFlits = 8
		sim := new(Simulator)
		net := must.Have(sim.NewNetwork(configtest.Plan(t, s), 0))
		p := patterns.Config{Name: "all-to-all", Flits: flits, Iterations: 1}
		nodes := make([]topology.Node, 256)
		for i := range nodes {
			nodes[i] = topology.Node(i)
		}
		j := scheduler.Job{Size: len(nodes), Quota: 1 << 40}
		x := executor.New(net, []patterns.Config{p}, scheduler.Clock{})
		before := heapBytes()
		x.Start(&j, nodes)
		took := heapBytes() - before
		work := &Work{patterns: []patterns.Config{p}}
		if err := limited(took/4).fitsMessages(work, &j, 8); err == nil {
			t.Errorf("%d flits: %d bytes fit into a quarter", flits, took)
		}
		if err := limited(took-1).fitsMessages(work, &j, 8); err == nil {
			t.Errorf("%d flits: %d bytes fit into one less", flits, took)
		}
		if err := limited(4*took).fitsMessages(work, &j, 8); err != nil {
			t.Errorf("%d flits: %d bytes: %v", flits, took, err)
		}
		runtime.KeepAlive(x)
	}
}

func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A value whose computation panics is no value for the callers that come later either.
func TestMemoPanicsEveryTime(t *testing.T) {
	var s memo[string, int]
	for i := range 2 {
		func() {
			defer func() {
				if p := recover(); p != "no value" {
					t.Errorf("call %d: panic %v", i, p)
				}
			}()
			n, err := s.of("a", func() (int, error) { panic("no value") })
			t.Errorf("call %d returned %d, %v", i, n, err)
		}()
	}
}

// A value and an error are computed once, but for the error of a computation that was stopped.
func TestMemoComputesOnce(t *testing.T) {
	var s memo[string, int]
	calls, failure := 0, errors.New("failure")
	for range 2 {
		if n, err := s.of("a", func() (int, error) { calls++; return 7, nil }); n != 7 || err != nil {
			t.Errorf("got %d, %v", n, err)
		}
		if n, err := s.of("b", func() (int, error) { calls++; return 8, failure }); n != 0 ||
			err != failure {
			t.Errorf("got %d, %v", n, err)
		}
	}
	if calls != 2 {
		t.Errorf("%d calls", calls)
	}
	s.of("c", func() (int, error) { return 0, fmt.Errorf("job 1: %w", scheduler.ErrStopped) })
	if n, err := s.of("c", func() (int, error) { return 9, nil }); n != 9 || err != nil {
		t.Errorf("after a computation that was stopped %d, %v", n, err)
	}
}
