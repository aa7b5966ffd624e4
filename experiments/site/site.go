// Package site makes a study of a cluster from the files that its manager has: the topology of
// Slurm and a log of its jobs. The study asks whether placement by topology is worth the wait.
package site

import (
	"bytes"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/netfile"
	"contend/experiments/spec/input"
	"contend/internal/bounded"
	"contend/scheduler"
)

// Config says what a study is made of.
type Config struct {
	// Topology is a topology.conf or topology.yaml, and Log a log: what sacct writes, or SWF.
	Topology, Log string
	// Out is the study to write. A log that sacct wrote becomes an SWF file beside it.
	Out string
	// Taper is how many nodes share a link up of their leaf switch, 1 for a full tree.
	Taper float64
	// Preset names the network, and Share is the share of its time in which a job communicates when
	// it has the machine to itself.
	Preset string
	Share  float64
	// Cores are the processors of a log in SWF that make a node; 0 for as many as its largest job
	// needs.
	Cores int
}

// These choose the windows of the log that are simulated.
const (
	mostWindows = 5
	windowJobs  = 200
	warmup      = 40
)

// maker makes a study.
type maker struct {
	Config
	slurm   *netfile.Slurm
	network *netfile.Network
	trace   string // as the study names it
	divisor int    // processors of the log for a node
	sizes   []int  // of the jobs in nodes
	load    float64
	lines   []scheduler.SWFLine // of a new SWF file, with its comments
	head    []string
	notes   []string // what was assumed
}

// Make writes a study, and the log in SWF if sacct wrote it. It returns what it assumed.
func Make(c Config) (notes []string, err error) {
	m := &maker{Config: c}
	if !(c.Taper >= 1 && c.Taper <= 1024) {
		return nil, input.Bad("", "give 1 for a full tree, 2 for one that halves", "--taper is %g",
			c.Taper)
	}
	if !(c.Share > 0 && c.Share <= 1) {
		return nil, input.Bad("", "give 0.1 for a tenth of the time", "--communication-share is %g",
			c.Share)
	}
	if m.slurm, err = netfile.ReadSlurm(c.Topology); err != nil {
		return nil, input.Unreadable(err, "give Slurm's topology.conf or topology.yaml")
	}
	if m.network, err = m.slurm.Network(c.Taper); err != nil {
		return nil, input.Unreadable(err, "give Slurm's topology.conf or topology.yaml")
	}
	if err := m.readLog(); err != nil {
		return nil, input.Unreadable(err, sacctRight)
	}
	if err := m.checkSizes(); err != nil {
		return nil, err
	}
	text := m.study()
	if m.lines != nil {
		if err := scheduler.CreateSWF(m.swfPath(), m.head, m.lines); err != nil {
			return nil, err
		}
	}
	return m.notes, input.WriteFile(c.Out, []byte(text))
}

func (m *maker) note(format string, args ...any) {
	m.notes = append(m.notes, fmt.Sprintf(format, args...))
}

// swfPath is where the log goes that sacct wrote.
func (m *maker) swfPath() string {
	return strings.TrimSuffix(m.Out, filepath.Ext(m.Out)) + ".swf"
}

// readLog reads the log, by its first bytes: only sacct begins with names between bars.
func (m *maker) readLog() error {
	file, err := bounded.Open(m.Log, bounded.Log)
	if err != nil {
		return err
	}
	defer file.Close()
	head := make([]byte, 4096)
	n, _ := io.ReadFull(file, head)
	line, _, _ := bytes.Cut(head[:n], []byte("\n"))
	if bytes.IndexByte(line, '|') < 0 || line[0] == ';' {
		return m.readSWF()
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	s, err := readSacct(m.Log, file)
	if err != nil {
		return err
	}
	m.divisor, m.trace = 1, filepath.Base(m.swfPath())
	m.head, m.lines = s.swf(len(m.slurm.Nodes()))
	jobs, err := scheduler.ReadAll(&scheduler.SWF{Lines: m.lines})
	if err != nil {
		return err
	}
	m.measure(jobs)
	m.note("%s: %d jobs that ran; left out are %d that never started, %d that had not ended and "+
		"%d job steps", m.Log, len(s.jobs), s.never, s.running, s.steps)
	shared := 0
	for _, j := range s.jobs {
		if j.cpus > 0 && j.cpus < s.cpus*j.nodes {
			shared++
		}
	}
	if shared > 0 {
		m.note("jobs take whole nodes: %d jobs used fewer than the %d CPUs of a node, and get it alone",
			shared, s.cpus)
	}
	return nil
}

// readSWF reads a log in SWF, which the study names as it is.
func (m *maker) readSWF() error {
	l, err := scheduler.OpenSWF(m.Log)
	if err != nil {
		return err
	}
	jobs, err := scheduler.ReadAll(l.Copy())
	if err != nil {
		return err
	}
	most := 1
	for i := range jobs {
		most = max(most, jobs[i].Size)
	}
	nodes := len(m.slurm.Nodes())
	if m.divisor = m.Cores; m.divisor == 0 {
		m.divisor = (most + nodes - 1) / nodes
	}
	if m.trace, err = filepath.Rel(filepath.Dir(m.Out), m.Log); err != nil {
		m.trace = m.Log
	}
	m.measure(jobs)
	if m.divisor > 1 {
		m.note("%d processors of %s make a node", m.divisor, m.Log)
	}
	return nil
}

// measure notes the sizes of jobs in nodes, and their load on the machine.
func (m *maker) measure(jobs []scheduler.Job) {
	work := 0.0
	for i := range jobs {
		nodes := (jobs[i].Size + m.divisor - 1) / m.divisor
		m.sizes = append(m.sizes, nodes)
		work += float64(nodes) * jobs[i].RunTime
	}
	if n := len(jobs); n > 0 && jobs[n-1].Submit > jobs[0].Submit {
		m.load = work / (jobs[n-1].Submit - jobs[0].Submit) / float64(len(m.slurm.Nodes()))
	}
}

// checkSizes refuses a log with too few jobs, and notes jobs that are too large.
func (m *maker) checkSizes() error {
	if len(m.sizes) < 20 {
		return &input.Error{Where: m.Log, Problem: fmt.Sprintf("%d jobs are too few for a study",
			len(m.sizes)), Right: "give some thousand"}
	}
	nodes, large := len(m.slurm.Nodes()), 0
	for _, size := range m.sizes {
		if size > nodes {
			large++
		}
	}
	if large > 0 {
		m.note("%d jobs asked for more than the %d nodes of %s, and get all of them", large, nodes,
			m.Topology)
	}
	return nil
}

// windows returns how many windows of the log there are, how many jobs each has, how many of those
// are left out, and how far apart windows are.
func (m *maker) windows() (count, jobs, left, step int) {
	n := len(m.sizes)
	jobs = min(windowJobs, n/mostWindows)
	return mostWindows, jobs, min(warmup, jobs/5), (n - jobs) / (mostWindows - 1)
}

// classes returns the least sizes of the classes by powers of two that hold at least a fiftieth of
// the jobs.
func (m *maker) classes() (least []int) {
	var count [32]int
	for _, size := range m.sizes {
		count[bits.Len(uint(min(size, len(m.slurm.Nodes()))))-1]++
	}
	for k, n := range count {
		if 50*n >= len(m.sizes) {
			least = append(least, 1<<k)
		}
	}
	return least
}

// allocators are the three that the study compares, the site's own first.
func (m *maker) allocators() []string {
	own := "slurm-tree"
	if m.slurm.Blocks() {
		own = fmt.Sprintf("slurm-block:%d,0", m.slurm.BlockSize())
	}
	return []string{own, "one-switch", "random"}
}

// name is the name of the study.
func (m *maker) name() string {
	return strings.TrimSuffix(filepath.Base(m.Out), filepath.Ext(m.Out))
}

// Exists returns an error if a file that Make would write is there.
func (c Config) Exists() error {
	m := maker{Config: c}
	for _, path := range slices.Compact([]string{c.Out, m.swfPath()}) {
		if _, err := os.Stat(path); err == nil && path != c.Log {
			return &input.Error{Where: path, Problem: "the file is there already", Right: "give another " +
				"name with -o, or remove it"}
		}
	}
	return nil
}
