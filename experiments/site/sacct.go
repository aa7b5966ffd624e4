package site

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"contend/internal/input"
	"contend/scheduler"
)

// sacctRight is the remedy for a wrong log: the command that writes one.
const sacctRight = "give the output of: sacct -a -X -P -o JobID,Submit,Start,End,Elapsed," +
	"NNodes,NCPUS,Timelimit,User,Partition,State"

// slurmLog is a log of jobs that Slurm's sacct writes with --parsable2. Its first line has the
// names of the columns, in any order.
type slurmLog struct {
	file         string
	column       map[string]int
	jobs         []slurmJob
	started      time.Time // the first submission
	steps        int       // lines of job steps
	neverStarted int       // jobs that never started
	running      int       // jobs that had not ended
	nodeCPUs     int       // maximum over jobs of CPUs of a node; 0 if the file does not say
}

// slurmJob is a job that has started and ended. Times are in seconds; limit is 0 if there is none.
type slurmJob struct {
	submit                 time.Time
	wait, run, limit       float64
	nodes, cpus            int
	user, partition, state string
}

// readSacct reads a log and sorts its jobs by submission.
func readSacct(file string, in io.Reader) (*slurmLog, error) {
	s := &slurmLog{file: file}
	lines := bufio.NewScanner(input.LogLimits.Reader(file, in))
	lines.Buffer(nil, input.LogLimits.Line+2)
	number := 0
	for lines.Scan() {
		number++
		text := strings.TrimRight(lines.Text(), "\r")
		if text == "" {
			continue
		}
		cells := strings.Split(text, "|")
		var err error
		if s.column == nil {
			err = s.readHeader(cells)
		} else {
			err = s.readLine(cells)
		}
		if err != nil {
			return nil, &input.Error{File: file, Line: number, Problem: err.Error(), Right: sacctRight}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(s.jobs) == 0 {
		return nil, &input.Error{File: file, Problem: "no job of it has started and ended",
			Right: sacctRight}
	}
	slices.SortStableFunc(s.jobs, func(a, b slurmJob) int { return a.submit.Compare(b.submit) })
	s.started = s.jobs[0].submit
	return s, nil
}

// readHeader reads the names of the columns.
func (s *slurmLog) readHeader(cells []string) error {
	s.column = map[string]int{}
	for i, name := range cells {
		s.column[strings.ToLower(strings.TrimSpace(name))] = i
	}
	for _, name := range []string{"JobID", "Submit", "Start", "Elapsed", "NNodes", "State"} {
		_, ok := s.column[strings.ToLower(name)]
		if _, raw := s.column["elapsedraw"]; !ok && !(raw && name == "Elapsed") {
			return fmt.Errorf("there is no column %s", name)
		}
	}
	return nil
}

// noLimit lists the values of Timelimit that set none.
var noLimit = []string{"", "UNLIMITED", "Partition_Limit"}

// readLine reads a job, or counts one that has not run.
func (s *slurmLog) readLine(cells []string) (err error) {
	if len(cells) != len(s.column) {
		return fmt.Errorf("the line has %d columns, and the header %d", len(cells), len(s.column))
	}
	get := func(name string) string {
		if i, ok := s.column[name]; ok {
			return strings.TrimSpace(cells[i])
		}
		return ""
	}
	state, _, _ := strings.Cut(get("state"), " ") // as in CANCELLED by 1000
	start := get("start")
	switch {
	case strings.Contains(get("jobid"), "."):
		s.steps++
		return nil
	case state == "RUNNING" || state == "SUSPENDED":
		s.running++
		return nil
	case state == "PENDING" || start == "Unknown" || start == "None":
		s.neverStarted++
		return nil
	}
	j := slurmJob{user: get("user"), partition: get("partition"), state: state}
	var errs [6]error
	var began time.Time
	began, errs[0] = parseTime(start)
	j.submit, errs[1] = parseTime(get("submit"))
	if elapsed := get("elapsed"); elapsed != "" {
		j.run, errs[2] = parseDuration(elapsed)
	} else {
		j.run, errs[2] = parseRaw("ElapsedRaw", get("elapsedraw"), 1)
	}
	j.nodes, errs[3] = parseCount("NNodes", get("nnodes"))
	if cpus := get("ncpus"); cpus != "" {
		j.cpus, errs[4] = parseCount("NCPUS", cpus)
	}
	if limit := get("timelimit"); !slices.Contains(noLimit, limit) {
		j.limit, errs[5] = parseDuration(limit)
	} else if raw := get("timelimitraw"); !slices.Contains(noLimit, raw) {
		j.limit, errs[5] = parseRaw("TimelimitRaw", raw, 60)
	}
	if err := cmp.Or(errs[:]...); err != nil {
		return err
	}
	if j.nodes == 0 || state == "CANCELLED" && j.run == 0 { // in the queue
		s.neverStarted++
		return nil
	}
	j.wait = max(0, began.Sub(j.submit).Seconds())
	s.nodeCPUs = max(s.nodeCPUs, (j.cpus+j.nodes-1)/j.nodes)
	s.jobs = append(s.jobs, j)
	return nil
}

// parseTime parses a time such as 2026-03-01T12:00:00.
func parseTime(text string) (time.Time, error) {
	t, err := time.Parse("2006-01-02T15:04:05", text)
	if err != nil {
		return t, fmt.Errorf("%q is no time such as 2026-03-01T12:00:00", text)
	}
	return t, nil
}

// parseCount parses a number from 0; name names the column in errors.
func parseCount(name, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return 0, fmt.Errorf("%s is %q and no number", name, text)
	}
	return n, nil
}

// parseRaw parses a time in a unit of so many seconds.
func parseRaw(name, text string, unit float64) (float64, error) {
	n, err := parseCount(name, text)
	return float64(n) * unit, err
}

// parseDuration parses a time such as 2-03:04:05, 03:04:05 or 04:05 and returns its seconds.
func parseDuration(text string) (float64, error) {
	days, rest, long := strings.Cut(text, "-")
	if !long {
		days, rest = "0", text
	}
	parts := strings.Split(rest, ":")
	d, err := strconv.ParseUint(days, 10, 31)
	seconds := float64(d)
	if err == nil && (len(parts) == 3 || len(parts) == 2 && !long) {
		for i, part := range parts {
			n, bad := strconv.ParseFloat(part, 64)
			if bad != nil || n < 0 || n > 1e6 {
				err = strconv.ErrRange
			}
			step := 60.0
			if i == 0 && len(parts) == 3 {
				step = 24
			}
			seconds = seconds*step + n
		}
		if err == nil {
			return seconds, nil
		}
	}
	return 0, fmt.Errorf("%q is no time such as 1-02:30:00", text)
}

// asSWF returns the log in the Standard Workload Format, in which a processor is a node.
func (s *slurmLog) asSWF(nodes int) (comments []string, lines []scheduler.SWFLine) {
	comments = []string{"; Version: 2.2", "; Note: made by contend site from " + s.file,
		"; UnixStartTime: " + strconv.FormatInt(s.started.Unix(), 10),
		"; MaxNodes: " + strconv.Itoa(nodes), "; MaxProcs: " + strconv.Itoa(nodes)}
	users, queues := nameNumbers{}, nameNumbers{}
	for i, j := range s.jobs {
		limit, status := -1.0, 0.0
		if j.limit > 0 {
			limit = j.limit
		}
		switch j.state {
		case "COMPLETED":
			status = 1
		case "CANCELLED":
			status = 5
		}
		lines = append(lines, scheduler.SWFLine{Fields: [18]float64{float64(i + 1),
			j.submit.Sub(s.started).Seconds(), j.wait, j.run, float64(j.nodes), -1, -1,
			float64(j.nodes), limit, -1, status, users.numberOf(j.user), -1, -1,
			queues.numberOf(j.partition), -1, -1, -1}})
	}
	return comments, lines
}

// nameNumbers numbers names from 1 in the order of their first use.
type nameNumbers map[string]float64

// numberOf returns the number of a name.
func (n nameNumbers) numberOf(name string) float64 {
	if n[name] == 0 {
		n[name] = float64(len(n) + 1)
	}
	return n[name]
}

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
	switch {
	case bytes.Contains(bytes.ToLower(line), []byte("switchname=")):
		return &input.Error{File: s.Log, Line: 1, Problem: "this is a topology.conf, and should be a log",
			Right: sacctRight}
	case bytes.IndexByte(line, '|') < 0 && bytes.HasPrefix(bytes.ToLower(line), []byte("jobid")):
		return &input.Error{File: s.Log, Line: 1, Problem: "there is no | between columns",
			Right: sacctRight}
	case bytes.IndexByte(line, '|') < 0 || line[0] == ';':
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
// processors up to whole nodes. A note says how many have no limit.
func (s *Site) setLoad(jobs []scheduler.Job) {
	s.load = logLoad{nodes: len(s.slurm.Nodes()), work: []float64{0}}
	unlimited := 0
	for i := range jobs {
		size := (jobs[i].Size + s.processorsPerNode - 1) / s.processorsPerNode
		s.load.add(size, jobs[i].Submit, jobs[i].RunTime)
		if jobs[i].NoEstimate {
			unlimited++
		}
	}
	if unlimited > 0 {
		s.addNote("%d of %d jobs have no limit: EASY knows their run times, so waits are too short "+
			"(key scheduler.missing_estimate)", unlimited, len(jobs))
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

// wholeLoad returns the work over the time from the first to the last submission, 0 if all come at
// once: the metric submitted_load.
func (l *logLoad) wholeLoad() float64 {
	time := l.submit[len(l.submit)-1] - l.submit[0]
	if time <= 0 {
		return 0
	}
	return l.work[len(l.work)-1] / float64(l.nodes) / time
}
