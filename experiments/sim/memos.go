package sim

import (
	"context"
	"errors"
	"sync"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/router/topology"
	"contend/scheduler"
)

// memo keeps values that are computed once, by the first caller that requests them. The zero value
// is empty and ready for use. Several goroutines may use it at the same time.
type memo[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]func() (V, error) // each computes its value once
}

// of returns the value of a key, or its error, which the first call for the key computes. The error
// of a computation that was stopped is not kept: the next caller computes anew. Where the
// computation panics, every call panics: otherwise the runs after the first would go on without a
// value.
func (s *memo[K, V]) of(key K, compute func() (V, error)) (V, error) {
	s.mu.Lock()
	if s.values == nil {
		s.values = map[K]func() (V, error){}
	}
	f := s.values[key]
	if f == nil {
		f = sync.OnceValues(compute)
		s.values[key] = f
	}
	s.mu.Unlock()
	value, err := f()
	if errors.Is(err, scheduler.ErrStopped) {
		s.mu.Lock()
		delete(s.values, key)
		s.mu.Unlock()
	}
	if err != nil {
		var none V
		return none, err
	}
	return value, nil
}

// until is of for a computation that a context stops. If a caller whose context has ended stopped
// it, the others compute anew.
func (s *memo[K, V]) until(ctx context.Context, key K, compute func() (V, error)) (V, error) {
	for {
		value, err := s.of(key, compute)
		if !errors.Is(err, scheduler.ErrStopped) || ctx.Err() != nil {
			return value, err
		}
	}
}

// memos are the values that the runs of a simulator share.
type memos struct {
	checkedJobs  memo[config.Identity, struct{}] // jobs that can be placed and communicate
	networks     memo[networkKey, struct{}]      // networks that can be made
	deadlockFree memo[deadlockKey, struct{}]
	logs         memo[logKey, *scheduler.SWF]
	batsims      memo[string, *scheduler.Batsim] // by path
	orders       memo[orderKey, []topology.Node] // of machines' nodes
	distances    memo[config.Identity, *allocation.Distances]
	works        memo[config.Identity, *Work] // of replication 0
	messages     memo[messagesKey, int64]     // of an iteration
	iterations   memo[iterationKey, float64]  // mean cycles of an iteration of a job alone
	aloneTimes   memo[aloneJobKey, metrics.Uncertain]
	pairTimes    memo[pairKey, [2]scheduler.Cycle]
	aloneMeans   memo[aloneMeanKey, aloneMean]
	notes        memo[config.Identity, planNotes]
}

// deadlockKey identifies the properties of a network on which its freedom of deadlock depends.
type deadlockKey struct {
	machine  config.Identity
	routing  string
	channels int
	fail     bool // links fail
}

// networkKey identifies the configuration of a network without its seed.
type networkKey struct {
	machine, network    config.Identity
	messages, multiples int // flits of messages
	fail                bool
}

// logKey identifies a log that was read.
type logKey struct {
	path   string
	format scheduler.SWFFormat
}

// orderKey identifies an order of a machine's nodes.
type orderKey struct {
	machine config.Identity
	order   string
}
