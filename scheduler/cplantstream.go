package scheduler

import (
	"io"
	"math/rand/v2"
	"slices"
)

// CplantStreamConfig describes the stream of test jobs of Leung et al., CLUSTER 2002,
// sec. 4. An error is a *FieldError.
type CplantStreamConfig struct {
	// Interarrival is the time between arrivals, in seconds. The first job arrives at
	// time zero. The mean may be 0. The paper uses the same release times in all runs
	// and does not print them.
	Interarrival Distribution
	// Service is the run time, in seconds. Without a kind the run time is 0, for jobs
	// that run until their messages have arrived.
	Service Distribution
	// Seed seeds all random streams. Any value is valid.
	Seed uint64
}

// CplantStream is a Source of 188 jobs in a fixed order: 91 of 2 processors, 33 of 5,
// 31 of 25 and 33 of 30.
//
// The paper says: "The stream starts with some large jobs to fill up the machine. Small
// jobs are interspersed among the large ones to cause fragmentation. The last job
// submitted is small". It publishes no more than that. This stream starts with
// alternating jobs of 30 and 25 processors, as many as fit the paper's 128 processors.
// The remaining jobs of all four sizes follow, evenly interleaved, and the last one is
// small.
type CplantStream struct {
	config                   CplantStreamConfig
	sizes                    []int   // of all jobs
	drawn                    int     // number of jobs drawn
	now                      float64 // submit time of the last one
	arrivals, service, seeds *rand.Rand
}

// NewCplantStream checks the configuration and returns a stream that starts at the
// first job.
func NewCplantStream(c CplantStreamConfig) (*CplantStream, error) {
	if err := c.Interarrival.checkGiven("CplantStreamConfig.Interarrival"); err != nil {
		return nil, err
	}
	if err := c.Service.check("CplantStreamConfig.Service", 0); err != nil {
		return nil, err
	}
	return &CplantStream{config: c, sizes: cplantSizes(), arrivals: stream(c.Seed, purposeArrivals),
		service: stream(c.Seed, purposeService), seeds: stream(c.Seed, purposeJobSeed)}, nil
}

// Next returns the next job, or io.EOF after the last.
func (g *CplantStream) Next() (Job, error) {
	if g.drawn == len(g.sizes) {
		return Job{}, io.EOF
	}
	if g.drawn > 0 {
		g.now += g.config.Interarrival.draw(g.arrivals)
	}
	j := Job{ID: JobID(g.drawn + 1), Submit: g.now, Size: g.sizes[g.drawn], Seed: g.seeds.Uint64()}
	j.RunTime = g.config.Service.draw(g.service)
	j.Estimate = j.RunTime
	g.drawn++
	return j, nil
}

// cplantSizes returns the sizes of the jobs in stream order.
func cplantSizes() []int {
	large := interleave(slices.Repeat([]int{30}, 33), slices.Repeat([]int{25}, 31))
	small := interleave(slices.Repeat([]int{2}, 91), slices.Repeat([]int{5}, 33))
	first, used := 0, 0
	for used+large[first] <= 128 {
		used += large[first]
		first++
	}
	return append(slices.Clone(large[:first]), interleave(small, large[first:])...)
}

// interleave spreads the elements of fewer evenly among those of more. The result
// starts and ends with an element of more.
func interleave(more, fewer []int) []int {
	n := len(more) + len(fewer)
	all := make([]int, 0, n)
	taken := 0
	for i := range n {
		if next := ((i+1)*len(fewer) + n/2) / n; next > taken {
			all, taken = append(all, fewer[taken]), next
		} else {
			all = append(all, more[i-taken])
		}
	}
	return all
}
