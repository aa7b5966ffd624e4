package cosim

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"contend/experiments/spec/input"
	"contend/internal/bounded"
)

// Fits returns an error if concurrent runs of so many bytes each need more memory than is
// available.
func (s *Simulator) Fits(each int64) error {
	have := s.available()
	if have == 0 {
		return nil
	}
	if each > have {
		return &input.Error{Problem: fmt.Sprintf("a run needs about %s of memory; %s are available",
			bounded.Size(each), bounded.Size(have)),
			Right: "take a smaller machine, fewer virtual channels, smaller buffers or fewer jobs"}
	}
	if n := int64(s.AtOnce); n > 1 && each > have/n {
		return &input.Error{Problem: fmt.Sprintf(
			"%d concurrent runs need about %s of memory each; %s are available",
			n, bounded.Size(each), bounded.Size(have)),
			Right: fmt.Sprintf("give --workers %d", have/each)}
	}
	return nil
}

// available returns AvailableMemory as it was in the last second: a study asks for each of its
// points, and the system takes as long to tell as a point takes for all the rest.
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
