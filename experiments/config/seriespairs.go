package config

import (
	"fmt"
	"strconv"
	"strings"

	"contend/netsim"
	"contend/scheduler"
)

// SeriesPair is a pair of a source and a destination whose queue pair series.csv shows: two nodes,
// or two ranks of a job.
type SeriesPair struct {
	text string // in canonical form
	// Job is the job of the ranks, NoJob for nodes.
	Job scheduler.JobID
	// From and To are nodes or ranks, which differ.
	From, To int
}

// NoJob is the Job of a pair of nodes.
const NoJob scheduler.JobID = -1

// seriesPairRight shows what a pair looks like.
const seriesPairRight = `give pairs such as "3>0", from node 3 to node 0, or "2:3>0", from rank 3 of ` +
	`job 2 to its rank 0`

// ParseSeriesPair reads a pair: FROM>TO or JOB:FROM>TO.
func ParseSeriesPair(text string) (p SeriesPair, err error) {
	job, ends, ofJob := strings.Cut(text, ":")
	if !ofJob {
		job, ends = "", text
	}
	from, to, ok := strings.Cut(ends, ">")
	number := func(text string) int {
		n, bad := strconv.ParseUint(strings.TrimSpace(text), 10, 31)
		ok = ok && bad == nil
		return int(n)
	}
	p = SeriesPair{Job: NoJob, From: number(from), To: number(to)}
	p.text = fmt.Sprintf("%d>%d", p.From, p.To)
	if ofJob {
		p.Job = scheduler.JobID(number(job))
		p.text = fmt.Sprintf("%d:%s", p.Job, p.text)
	}
	switch {
	case !ok:
		return p, fmt.Errorf("which is no pair")
	case p.From == p.To:
		return p, fmt.Errorf("which is one end twice")
	}
	return p, nil
}

// String returns the pair in canonical form.
func (p SeriesPair) String() string { return p.text }

// controlled is the condition that a congestion control holds the queue pairs of nodes back.
var controlled = when("network.congestion_control other than none",
	func(s *Spec) bool { return s.Network.Congestion != netsim.NoControl })

// oneInterface is the condition that nodes have one network interface.
var oneInterface = when("one network interface for each node",
	func(s *Spec) bool { return s.Machine.Interfaces() == 1 })

// checkSeriesPairs refuses pairs that a run does not have.
func (s *Spec) checkSeriesPairs(nodes int) error {
	seen := map[string]int{}
	for i, p := range s.SeriesPairs {
		at := fmt.Sprintf("%s[%d]", FieldSeriesPairs, i)
		first, twice := seen[p.text]
		switch {
		case twice:
			return FieldSeriesPairs.Bad("give each pair once", "%s and %s[%d] are both %q", at,
				FieldSeriesPairs, first, p.text)
		case p.Job != NoJob && TrafficWorkload.Holds(s):
			return FieldSeriesPairs.Bad(`give nodes, such as "3>0"`, "%s is %q, and traffic has no jobs", at,
				p.text)
		case p.Job == NoJob && max(p.From, p.To) >= nodes:
			return FieldSeriesPairs.Bad(fmt.Sprintf("give nodes from 0 to %d", nodes-1),
				"%s is %q, and the machine has %d nodes", at, p.text, nodes)
		}
		seen[p.text] = i
	}
	return nil
}

// RefuseSeriesPairs returns an error for a pair of ranks of which no job is, by the sizes of the
// jobs by number; nil if there is none.
func (p *Plan) RefuseSeriesPairs(sizes map[scheduler.JobID]int) error {
	for i, pair := range p.SeriesPairs {
		size, known := sizes[pair.Job]
		switch at := fmt.Sprintf("%s[%d]", FieldSeriesPairs, i); {
		case pair.Job == NoJob:
		case !known:
			return FieldSeriesPairs.Bad("jobs.csv (--jobs-csv) has their numbers", "%s is %q, and no job "+
				"has the number %d", at, pair.text, pair.Job)
		case max(pair.From, pair.To) >= size:
			return FieldSeriesPairs.Bad(fmt.Sprintf("give ranks from 0 to %d", size-1),
				"%s is %q, and job %d has %d ranks", at, pair.text, pair.Job, size)
		}
	}
	return nil
}
