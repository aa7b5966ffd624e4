package netsim_test

import (
	"testing"

	"pgregory.net/rapid"

	"contend/netsim"
	"contend/netsim/reference"
	"contend/router"
)

// linkCycle is a cycle of a physical channel.
type linkCycle struct {
	link  router.Link
	cycle int64
}

// busyCycles counts the flits by channel and cycle. It is a router.Recorder.
type busyCycles map[linkCycle]int

// Carried implements router.Recorder.
func (b busyCycles) Carried(l router.Link, from, cycles int64) {
	for t := range cycles {
		b[linkCycle{l, from + t}]++
	}
}

// record runs the scenario of an engine and records its flits.
func record(s reference.Scenario) (busyCycles, *netsim.Network, error) {
	n, err := netsim.New(s.Config)
	if err != nil {
		return nil, nil, err
	}
	busy := busyCycles{}
	n.Record(busy)
	for _, m := range s.Messages {
		for n.Now() < m.At {
			if _, _, err := n.Advance(m.At); err != nil {
				return nil, nil, err
			}
		}
		n.Send(m.Message)
	}
	for n.Pending() > 0 {
		if _, _, err := n.Advance(n.Now() + 1_000_000); err != nil {
			return nil, nil, err
		}
	}
	return busy, n, nil
}

// All engines tell a Recorder of the flits that the reference sends, cycle for cycle. The closed
// form, which moves no body flits, does so too.
func TestRecordedFlitsAreThoseOfTheReference(t *testing.T) {
	closed := 0
	rapid.Check(t, func(r *rapid.T) {
		s := drawScenario(r)
		plain, err := s.Plainly()
		if err != nil {
			r.Fatal(err)
		}
		engines, err := s.Engines()
		if err != nil {
			r.Fatal(err)
		}
		for _, e := range engines {
			got, n, err := record(e)
			if err != nil {
				r.Fatal(err)
			}
			want := busyCycles{}
			for _, k := range plain.Sent {
				want.Carried(n.Wiring().LinkOf(k.On), k.Cycle, int64(s.Config.FlitCycles))
			}
			for k, flits := range want {
				if got[k] != flits {
					r.Fatalf("%+v: %d flits on link %d in cycle %d, the reference has %d", e.Config,
						got[k], k.link, k.cycle, flits)
				}
			}
			if len(got) != len(want) {
				r.Fatalf("%+v: %d busy cycles, the reference has %d", e.Config, len(got), len(want))
			}
			checkCut(r, e, want)
			if run, err := e.Simulate(); err == nil && run.ClosedForm {
				closed++
			}
		}
	})
	if closed == 0 {
		t.Error("no scenario had a closed form")
	}
}

// checkCut stops a scenario at a drawn cycle. After RecordRest, the flits before it are known.
func checkCut(r *rapid.T, s reference.Scenario, want busyCycles) {
	cut := rapid.Int64Range(1, 400).Draw(r, "cut")
	n, err := netsim.New(s.Config)
	if err != nil {
		r.Fatal(err)
	}
	got := busyCycles{}
	n.Record(got)
	for _, m := range s.Messages {
		for n.Now() < min(m.At, cut) {
			if _, _, err := n.Advance(min(m.At, cut)); err != nil {
				r.Fatal(err)
			}
		}
		if n.Now() < cut {
			n.Send(m.Message)
		}
	}
	for n.Now() < cut {
		if _, _, err := n.Advance(cut); err != nil {
			r.Fatal(err)
		}
	}
	n.RecordRest()
	for k, flits := range want {
		if k.cycle < cut && got[k] != flits {
			r.Fatalf("%+v, cut at %d: %d flits on link %d in cycle %d, the reference has %d", s.Config,
				cut, got[k], k.link, k.cycle, flits)
		}
	}
	for k, flits := range got {
		if k.cycle < cut && want[k] != flits {
			r.Fatalf("%+v, cut at %d: %d flits on link %d in cycle %d, the reference has %d", s.Config,
				cut, flits, k.link, k.cycle, want[k])
		}
	}
}
