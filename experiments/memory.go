package experiments

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
	"contend/scheduler"
)

// mostPoints is the most points a study may have: each is kept, checked and a
// row of tables.
const mostPoints = 1 << 17

// checkCount refuses axes with more combinations than anybody runs.
func (st *Study) checkCount() *InputError {
	n := 1.0
	for _, a := range st.Axes {
		n *= float64(len(a.Values))
	}
	if n > mostPoints {
		return badInput("axes", "make several studies of it",
			"the axes have %.0f combinations, more than %d", n, mostPoints)
	}
	return nil
}

// What a run keeps, in bytes, next to the places in buffers: see router.Bank,
// router.Wiring and Simulator.Run. A test holds the sum against the heap.
const (
	bytesNode    = 160
	bytesLink    = 80
	bytesChannel = 140 // the check for deadlock included
	bytesQueue   = 64  // of a virtual channel whose flits are moved one by one
	bytesPlace   = 12  // for a flit in such a channel
	bytesJob     = 3 * int64(unsafe.Sizeof(scheduler.Job{}))
)

// Memory estimates how many bytes a run of the spec takes, its log left out: the
// network by its channels and buffers, and the jobs that are generated at once.
func (s *Spec) Memory() int64 {
	nodes, links := s.Machine.count()
	bytes := nodes * bytesNode
	if s.Workload.Source == "lublin" || s.Workload.Source == "cplant-stream" { // others are streams
		bytes += float64(s.Workload.Start+s.Workload.count()) * float64(bytesJob)
	}
	if s.Job.Run == "messages" {
		n := &s.Network
		ports, perLink := float64(max(1, n.InjectionPorts)), float64(max(1, n.VirtualChannels))
		if n.VirtualChannels == 0 && s.Machine.Topology == "torus" {
			perLink = 2
		}
		perNode := float64(n.NodeVirtualChannels)
		if perNode == 0 {
			perNode = perLink
		}
		channels := links*perLink + nodes*(1+ports)*perNode
		bytes += (links+nodes*(1+ports))*bytesLink + channels*bytesChannel
		if perLink > 1 || ports > 1 || !n.closedForm() {
			bytes += channels * float64(bytesQueue+bytesPlace*n.BufferFlits)
		}
	}
	return int64(min(bytes, math.MaxInt64/2))
}

// closedForm tells whether the engine may do without body flits, as far as that
// hangs on the keys alone: see router.ClosedFormIsExact.
func (n *NetworkSpec) closedForm() bool {
	return n.Engine != "cycle" && n.Switching == "wormhole" && n.PacketFlits%n.BufferFlits == 0 &&
		n.BufferFlits*n.FlitCycles >= n.LinkCycles+n.CreditCycles
}

// count returns the nodes and the links between routers of a machine, or more.
func (m *MachineSpec) count() (nodes, links float64) {
	if m.Topology == "tree" {
		arity := float64(m.Arity)
		nodes = math.Pow(arity, float64(m.Levels))
		return nodes, 2 * arity * float64(m.Levels) * nodes / arity
	}
	sides := m.sides()
	if m.Topology == "hypercube" {
		routers := math.Pow(2, float64(sides[0]))
		return routers * float64(max(1, m.Concentration)), routers * float64(sides[0])
	}
	routers := 1.0
	for _, side := range sides {
		routers *= float64(side)
	}
	return routers * float64(max(1, m.Concentration)), 2 * float64(len(sides)) * routers
}

// fits refuses a spec whose runs, as many as are made at a time, need more
// memory than there is.
func (s *Simulator) fits(spec *Spec) error {
	each, have := spec.Memory(), availableMemory()
	if have == 0 {
		return nil
	}
	if each > have {
		return &InputError{Problem: fmt.Sprintf("a run needs about %s of memory, and there are %s",
			bounded.Size(each), bounded.Size(have)),
			Right: "take a smaller machine, fewer virtual channels, smaller buffers or fewer jobs"}
	}
	if n := int64(s.AtOnce); n > 1 && each > have/n {
		return &InputError{Problem: fmt.Sprintf("%d runs at a time need about %s of memory each, and there are %s", n, bounded.Size(each), bounded.Size(have)),
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
	need := size / textOfLine * (9*int64(unsafe.Sizeof(scheduler.SWFLine{}))/4 + bytesJob)
	if need > have {
		return &InputError{Problem: fmt.Sprintf("%s needs about %s of memory, and there are %s", path,
			bounded.Size(need), bounded.Size(have)),
			Right: "take a part of the log"}
	}
	return nil
}

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
