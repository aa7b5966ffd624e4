package site

import (
	"bytes"
	"io"

	"contend/internal/input"
	"contend/scheduler"
)

// readLog reads the job log s.Log and sets the trace, the processors of a node and the load. Notes
// say which jobs were left out or changed. A log whose first line has '|' and is no comment of SWF
// is output of sacct and becomes an SWF trace in which a processor is a node. Others are SWF.
func (s *Site) readLog() error {
	file, err := input.Open(s.Log, input.LogLimits)
	if err != nil {
		return err
	}
	defer file.Close()
	head := make([]byte, 4096)
	n, _ := io.ReadFull(file, head) // a shorter log is no error
	line, _, _ := bytes.Cut(head[:n], []byte("\n"))
	if bytes.IndexByte(line, '|') < 0 || line[0] == ';' {
		return s.readSWF()
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	l, err := readSacct(s.Log, file)
	if err != nil {
		return err
	}
	s.processorsPerNode, s.tracePath = 1, s.swfPath()
	s.swfComments, s.swfLines = l.asSWF(len(s.slurm.Nodes()))
	jobs, err := scheduler.ReadAll(&scheduler.SWF{Lines: s.swfLines})
	if err != nil {
		return err
	}
	s.setLoad(jobs)
	s.addNote("%s: %d jobs that ran; left out are %d that never started, %d that had not ended and "+
		"%d job steps", s.Log, len(l.jobs), l.neverStarted, l.running, l.steps)
	shared := 0
	for _, j := range l.jobs {
		if j.cpus > 0 && j.cpus < l.nodeCPUs*j.nodes {
			shared++
		}
	}
	if shared > 0 {
		s.addNote("jobs take whole nodes: %d jobs used fewer than the %d CPUs of a node, and get it "+
			"alone", shared, l.nodeCPUs)
	}
	return nil
}

// readSWF takes s.Log, a file in SWF, as the trace of the study without a copy, and measures its
// load. A node has s.Cores processors or, if that is 0, as few as let the largest job fit the
// machine.
func (s *Site) readSWF() error {
	l, err := scheduler.OpenSWF(s.Log)
	if err != nil {
		return err
	}
	jobs, err := scheduler.ReadAll(l.Copy())
	if err != nil {
		return err
	}
	largest := 1
	for i := range jobs {
		largest = max(largest, jobs[i].Size)
	}
	nodes := len(s.slurm.Nodes())
	if s.processorsPerNode = s.Cores; s.processorsPerNode == 0 {
		s.processorsPerNode = (largest + nodes - 1) / nodes
	}
	s.tracePath = s.Log
	s.setLoad(jobs)
	if s.processorsPerNode > 1 {
		s.addNote("%d processors of %s make a node", s.processorsPerNode, s.Log)
	}
	return nil
}

// setLoad sets the load of the log to that of jobs, in order of submission. It rounds their
// processors up to whole nodes.
func (s *Site) setLoad(jobs []scheduler.Job) {
	s.load = logLoad{nodes: len(s.slurm.Nodes()), work: []float64{0}}
	for i := range jobs {
		size := (jobs[i].Size + s.processorsPerNode - 1) / s.processorsPerNode
		s.load.add(size, jobs[i].Submit, jobs[i].RunTime)
	}
}

// logLoad has the work of the jobs of a log, in order of submission, from which it computes their
// offered load on the machine.
type logLoad struct {
	nodes  int       // of the machine
	sizes  []int     // of the jobs, in nodes
	submit []float64 // seconds
	work   []float64 // work[i] is that of the first i jobs, in node-seconds
}

// add appends a job of size nodes, with its submission and run time in seconds. A job larger than
// the machine counts as one of its size.
func (l *logLoad) add(size int, submit, run float64) {
	done := l.work[len(l.work)-1]
	l.sizes, l.submit = append(l.sizes, size), append(l.submit, submit)
	l.work = append(l.work, done+float64(min(size, l.nodes))*run)
}

// span returns the work of n jobs, at least one, from index start on, in seconds of the whole
// machine, and the time from their first to their last submission.
func (l *logLoad) span(start, n int) (work, time float64) {
	return (l.work[start+n] - l.work[start]) / float64(l.nodes),
		l.submit[start+n-1] - l.submit[start]
}

// load returns the work of n jobs over the time of their submissions, 0 if all come at once.
func (l *logLoad) load(start, n int) float64 {
	work, time := l.span(start, n)
	if time <= 0 {
		return 0
	}
	return work / time
}

// wholeLoad returns the load of the whole log.
func (l *logLoad) wholeLoad() float64 { return l.load(0, len(l.sizes)) }
