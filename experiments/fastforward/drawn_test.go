package fastforward

import (
	"math/rand/v2"

	"pgregory.net/rapid"

	"contend/experiments/config"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// routedMachine is a machine with a routing and a number of virtual channels.
type routedMachine struct {
	machine, routing string
	virtual          int
}

// drawnRoutes draws a network of one of these, of any engine, and whether its routing draws.
func drawnRoutes(r *rapid.T, machines []routedMachine) (c netsim.Config, draws bool) {
	k := rapid.SampledFrom(machines).Draw(r, "machine")
	s := config.Defaults()
	if bad := s.Assign("machine.topology", k.machine); bad != nil {
		r.Fatal(bad)
	}
	c = netsim.Default(must.Have(config.NewMachine(&s.Spec.Machine)))
	c.Routing, c.VirtualChannels = k.routing, k.virtual
	c.PacketFlits = rapid.SampledFrom([]int{2, 8}).Draw(r, "packet")
	c.BufferFlits = rapid.SampledFrom([]int{1, 2, 8}).Draw(r, "buffer")
	c.FlitCycles = rapid.IntRange(1, 2).Draw(r, "flit")
	c.RoutingSeed = rapid.Uint64().Draw(r, "routing seed")
	c.Arbiter = rapid.SampledFrom([]router.Arbiter{router.FirstCome, router.RoundRobin}).
		Draw(r, "arbiter")
	selects := []router.VCSelect{router.SelectMostCredits, router.SelectRoundRobin}
	c.VCSelect = rapid.SampledFrom(selects).Draw(r, "vc select")
	n := must.Have(netsim.New(c))
	return c, n.DrawsPaths()
}

// drawnJobs draws jobs of which some are long, on blocks of nodes or on nodes drawn from the whole
// machine.
func drawnJobs(r *rapid.T, nodes int, mix []patterns.Config) (list []started) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "jobs"), 5))
	order := make([]int, nodes)
	for i := range order {
		order[i] = i
	}
	if rapid.Bool().Draw(r, "scattered") {
		order = rng.Perm(nodes)
	}
	at, gap := scheduler.Cycle(0), rapid.SampledFrom([]int{400, 4000, 40000}).Draw(r, "gap")
	for id := scheduler.JobID(1); ; id++ {
		size := 2 + rng.IntN(min(6, nodes/3))
		if len(order) < size || id > 8 {
			return list
		}
		j := scheduler.Job{ID: id, Size: size, Pattern: rng.IntN(len(mix)), Seed: rng.Uint64(),
			Compute: scheduler.Cycle(rng.IntN(300))}
		j.Lead = j.Compute
		per, err := patterns.MessagesPerIteration(mix[j.Pattern], size, nil)
		if err != nil || per == 0 {
			continue
		}
		j.Quota = per * int64(1+rng.IntN(12))
		if rng.IntN(2) == 0 {
			j.Quota *= 30
		}
		s := started{at: at, job: j}
		for _, i := range order[:size] {
			s.nodes = append(s.nodes, topology.Node(i))
		}
		order = order[size:]
		list = append(list, s)
		at += scheduler.Cycle(rng.IntN(gap))
	}
}
