package sim

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// Fits returns an error if a run that takes each bytes, or Simulator.AtOnce such runs, need more
// memory than is available. Each thread of a run has a copy of most of what a network takes.
func (s *Simulator) Fits(each int64) error {
	each *= int64(max(1, s.Threads))
	err := s.Room("a run needs", float64(each),
		"take a smaller machine, fewer virtual channels, smaller buffers or fewer jobs")
	have := s.available()
	if err != nil || have == 0 {
		return err
	}
	if n := int64(s.AtOnce); n > 1 && each > have/n {
		return &input.Error{Problem: fmt.Sprintf(
			"%d concurrent runs need about %s of memory each; %s are available",
			n, input.SizeText(each), input.SizeText(have)),
			Right: fmt.Sprintf("give --workers %d", have/each)}
	}
	return nil
}

// Room returns an error if more bytes are needed than are available. The error begins with what,
// such as "a run needs", and recommends right.
func (s *Simulator) Room(what string, bytes float64, right string) error {
	have := s.available()
	if have == 0 || bytes <= float64(have) {
		return nil
	}
	return &input.Error{Problem: fmt.Sprintf("%s about %s of memory; %s are available", what,
		input.SizeText(int64(min(bytes, math.MaxInt64/2))), input.SizeText(have)), Right: right}
}

// fitsMessages returns an error if the messages that a job releases at once need more memory than
// is available while all wait at their sources.
func (s *Simulator) fitsMessages(w *Work, j *scheduler.Job, packetFlits int) error {
	p := w.patterns[j.Pattern]
	n, err := patterns.ReleasedAtOnce(p, j.Size, j.Shape)
	if err != nil {
		return err
	}
	each := bytesReleased
	if p.Flits > packetFlits {
		each += bytesOfPackets
	}
	return s.Room(fmt.Sprintf("pattern %s of %d processes releases %d messages at once, which need",
		p.Name, j.Size, n), float64(n)*float64(each),
		"give jobs fewer processes, or take a pattern that sends in several phases")
}

// Memory of a message that its pattern has released and the network has not taken yet, in bytes.
// A test compares both with the heap.
const (
	bytesReleased  = 100 // of each message
	bytesOfPackets = 130 // in addition, of a message with several packets
)

// available returns AvailableMemory, measured at most a second ago. A study needs it for each of
// its points, and reading it takes as long as all other checks of a point.
func (s *Simulator) available() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.Sub(s.memoryAt) > time.Second {
		s.memoryAt, s.memory = now, AvailableMemory()
	}
	return s.memory
}

// AvailableMemory returns the number of bytes that the program may take: GOMEMLIMIT, or the
// memory that the system has left. It returns 0 if neither is known.
func AvailableMemory() int64 {
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		return limit
	}
	have := systemMemory("/proc/meminfo")
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 &&
			(have == 0 || n < have) {
			return n
		}
	}
	return have
}

// systemMemory returns MemAvailable of a file like /proc/meminfo in bytes, 0 if it is missing.
func systemMemory(meminfo string) int64 {
	file, err := os.Open(meminfo)
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) == 3 && fields[0] == "MemAvailable:" && fields[2] == "kB" {
			n, _ := strconv.ParseInt(fields[1], 10, 64)
			return n << 10
		}
	}
	return 0
}

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

// has reports whether the value of a key is known, or being computed.
func (s *memo[K, V]) has(key K) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[key] != nil
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
	nominalJobs  memo[config.Identity, struct{}] // the same, as far as no measurement decides
	networks     memo[networkKey, struct{}]      // networks that can be made
	deadlockFree memo[deadlockKey, struct{}]
	logs         memo[logKey, *scheduler.SWF]
	batsims      memo[string, *scheduler.Batsim] // by path
	orders       memo[orderKey, []topology.Node] // of machines' nodes
	distances    memo[config.Identity, *allocation.Distances]
	works        memo[config.Identity, *Work] // of replication 0
	messages     memo[messagesKey, int64]     // of an iteration
	iterations   memo[iterationKey, float64]  // mean cycles of an iteration of a job alone
	counted      sync.Map                     // keys of iterations that a run counts as its work
	aloneTimes   memo[aloneJobKey, metrics.Uncertain]
	pairTimes    memo[pairKey, [2]scheduler.Cycle]
	steps        memo[stepsKey, metrics.Steps]
	aloneMeans   memo[aloneMeanKey, aloneMean]
	drawnAlone   memo[aloneMeanKey, struct{}] // of jobs that can be measured
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
