package router

// Recorder receives the times at which links carry flits. They may lie ahead of the current cycle,
// and come in any order.
type Recorder interface {
	// Carried reports that link l carries flits without a break for some cycles, the first of them
	// from. A flit takes Timing.Flit cycles.
	Carried(l Link, from, cycles int64)
}

// Record reports to r the times of all flits sent from now on. It replaces Trace. The closed form,
// which moves no body flits, reports none.
func (b *Routers) Record(r Recorder) { b.trace = &sentFlits{r, b} }

// sentFlits is a Tracer that reports flits to a Recorder.
type sentFlits struct {
	to Recorder
	of *Routers
}

// Sent implements Tracer.
func (s *sentFlits) Sent(cycle int64, c Channel, _ int64, _ int32, _ int64) {
	s.to.Carried(s.of.w.LinkOf(c), cycle, s.of.flitTime(c))
}
