package executor

import (
	"math/rand/v2"
	"testing"

	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// scripts is work of processes that run lists. It records when each message is received, by tag.
type scripts struct {
	lists patterns.Lists
	times map[int32]int64
}

func (scripts) Messages() int64 { return 1 }

func (s scripts) Program(patterns.Config, int64) patterns.Program {
	return &timedScripts{patterns.NewProcesses(len(s.lists), s.lists.Part), s.times, 0}
}

type timedScripts struct {
	*patterns.Processes
	times map[int32]int64
	now   int64
}

func (s *timedScripts) At(cycle int64) { s.now = cycle; s.Processes.At(cycle) }

func (s *timedScripts) Delivered(dst []patterns.Message, m patterns.Message) []patterns.Message {
	s.times[m.Tag] = s.now
	return s.Processes.Delivered(dst, m)
}

// step is one of a script: a process computes, or sends a message with the step's number as tag.
type step struct {
	from, to patterns.Rank // both the same for a computation
	cycles   int64
	flits    int32
}

// listsOf returns the script of each process.
func listsOf(steps []step, processes int) patterns.Lists {
	lists := make(patterns.Lists, processes)
	for tag, s := range steps {
		if s.from == s.to {
			lists[s.from] = append(lists[s.from], patterns.Compute(s.cycles))
			continue
		}
		lists[s.from] = append(lists[s.from], patterns.Send(s.to, s.flits, int32(tag)))
		lists[s.to] = append(lists[s.to], patterns.Receive(s.from, int32(tag)))
	}
	return lists
}

// pathsOf finds what may be on the critical path of steps whose messages are received in these
// cycles, and when the job ends: each process does one step after the other. Steps are in an order
// in which a message is sent before it is received.
func pathsOf(
	steps []step, times map[int32]int64, processes int,
) (all map[pathSums]bool, end int64) {
	at := make([]int64, processes)
	to := make([]map[pathSums]bool, processes)
	for r := range to {
		to[r] = map[pathSums]bool{{}: true}
	}
	all = map[pathSums]bool{}
	for tag, s := range steps {
		if s.from == s.to {
			more := map[pathSums]bool{}
			for k := range to[s.from] {
				more[pathSums{k.cycles, k.computing + s.cycles, k.messages}] = true
			}
			at[s.from] += s.cycles
			to[s.from] = more
			continue
		}
		arrived := times[int32(tag)]
		if arrived > at[s.to] { // the process has waited
			at[s.to], to[s.to] = arrived, map[pathSums]bool{}
		}
		for k := range to[s.from] {
			k.messages++
			if arrived == at[s.to] {
				to[s.to][k] = true
			}
			if arrived > end {
				all, end = map[pathSums]bool{}, arrived
			}
			if arrived == end {
				all[k] = true
			}
		}
	}
	return all, end
}

// TestPathsOfScripts: the critical paths of drawn scripts, beside another job, are those that go
// through the processes step by step.
func TestPathsOfScripts(t *testing.T) {
	computing, only := 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 42))
		steps := make([]step, 5+rng.IntN(40))
		for i := range steps {
			s := step{from: patterns.Rank(rng.IntN(4)), to: patterns.Rank(rng.IntN(4)),
				cycles: 1 + rng.Int64N(120), flits: 1 + rng.Int32N(30)}
			if rng.IntN(3) == 0 {
				s.to = s.from
			}
			steps[i] = s
		}
		steps = append(steps, step{from: 0, to: 1, flits: 1})
		work := scripts{listsOf(steps, 4), map[int32]int64{}}
		x := New(meshNetwork(t, 4, 2), []patterns.Config{{Name: "script",
			Work: func(int, []int, *rand.Rand) (patterns.Work, error) { return work, nil }},
			{Name: "ring", Flits: 24, ComputeCycles: 10}}, scheduler.Clock{})
		path := followPath(x)
		x.Start(&scheduler.Job{ID: 1, Size: 4, Quota: 1}, []topology.Node{0, 3, 5, 6})
		x.Start(&scheduler.Job{ID: 2, Size: 4, Pattern: 1, Quota: 1 << 40},
			[]topology.Node{1, 2, 7, 4})
		now, done, err := x.Advance(1<<40, nil)
		if err != nil || len(done) != 1 {
			t.Fatalf("ended at %d with %v, %v", now, done, err)
		}
		all, end := pathsOf(steps, work.times, 4)
		on := pathSums{computing: path.computing, messages: path.messages}
		if end != int64(now) || path.cycles != end || !all[on] {
			t.Errorf("seed %d: ends at %d, by hand at %d; the path is %+v; by hand %v", seed, now, end,
				path, all)
		}
		computing += int(min(1, on.computing))
		if len(all) == 1 {
			only++
		}
	}
	if computing < 150 || only < 150 {
		t.Errorf("%d paths have computing, %d are the only one", computing, only)
	}
}
