package cosim

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"unsafe"

	"contend/experiments/bounded"
	"contend/experiments/spec"
	"contend/scheduler"
)

// Fits refuses runs that take so many bytes each where those made at a time need
// more memory than there is.
func (s *Simulator) Fits(each int64) error {
	have := availableMemory()
	if have == 0 {
		return nil
	}
	if each > have {
		return &spec.InputError{Problem: fmt.Sprintf("a run needs about %s of memory, and there are %s",
			bounded.Size(each), bounded.Size(have)),
			Right: "take a smaller machine, fewer virtual channels, smaller buffers or fewer jobs"}
	}
	if n := int64(s.AtOnce); n > 1 && each > have/n {
		return &spec.InputError{Problem: fmt.Sprintf("%d runs at a time need about %s of memory each, and there are %s", n, bounded.Size(each), bounded.Size(have)),
			Right: fmt.Sprintf("give --workers %d", have/each)}
	}
	return nil
}

// What the text of a log becomes: lines have some seventy characters, and gzip
// leaves an eighth of them.
const (
	textOfLine = 70
	packed     = 8
)

// fitsLog refuses a log that takes more memory than there is: its lines, which
// move while they become more, and its jobs.
func fitsLog(path string) error {
	info, err := os.Stat(path)
	have := availableMemory()
	if err != nil || have == 0 {
		return nil // reading it says what is wrong
	}
	size := info.Size()
	if strings.HasSuffix(path, ".gz") {
		size *= packed
	}
	need := size / textOfLine * (9*int64(unsafe.Sizeof(scheduler.SWFLine{}))/4 + spec.BytesJob)
	if need > have {
		return &spec.InputError{Problem: fmt.Sprintf("%s needs about %s of memory, and there are %s", path,
			bounded.Size(need), bounded.Size(have)),
			Right: "take a part of the log"}
	}
	return nil
}

// AvailableMemory returns how many bytes the program may take, 0 where that is
// not known.
func AvailableMemory() int64 { return availableMemory() }

// availableMemory returns how many bytes the program may take: GOMEMLIMIT, or
// what the system has left, or 0 where nobody tells.
func availableMemory() int64 {
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

// systemMemory reads MemAvailable, 0 where there is none.
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
