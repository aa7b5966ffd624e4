package metrics

import (
	"contend/scheduler"
)

// Steps describes the iterations of a job without its network.
type Steps struct {
	// Count is the number of iterations.
	Count float64
	// BusBytes is patterns.BusBytes of an iteration, 0 for jobs that are no collectives.
	BusBytes float64
	// FullRate is the time in seconds in which a mean rank does the operations of an iteration at its
	// full rate, 0 if unknown.
	FullRate float64
	// Unhindered is the time of all iterations if messages take no time, 0 for jobs that are no
	// graphs of tasks, or compute nothing.
	Unhindered scheduler.Cycle
}

// stepMeans are means over the jobs that count.
type stepMeans struct{ flops, exposed, bus Mean }

// add adds a job with its iterations. seconds is the length of a cycle, 0 if unknown.
func (m *stepMeans) add(r *scheduler.Record, s Steps, seconds float64) {
	cycles := float64(r.Service())
	if cycles == 0 {
		return
	}
	if s.Unhindered > 0 {
		m.exposed.Add(100 * (1 - float64(s.Unhindered+r.Job.Lead)/cycles))
	}
	if took := cycles * seconds; took > 0 && s.FullRate > 0 {
		m.flops.Add(100 * s.Count * s.FullRate / took)
	}
	if took := cycles * seconds; took > 0 && s.BusBytes > 0 {
		m.bus.Add(s.Count * s.BusBytes / took / 1e9)
	}
}
