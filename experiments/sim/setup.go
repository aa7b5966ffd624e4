package sim

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"contend/allocation"
	"contend/allocation/order"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/call"
	"contend/internal/input"
	"contend/internal/lifetime"
	"contend/netsim"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// Setup is the parts of a run.
type Setup struct {
	// Work is the jobs of the run and their clock.
	Work *Work

	machine config.Machine
	alloc   allocation.Allocator
	policy  scheduler.Policy
	net     *netsim.Network // nil if jobs send no messages
	jumps   *rand.Rand      // draws the jumps to check
	// decision measures a second allocator. It is nil without one.
	decision *metrics.Decision
	life     *lifetime.Run // nil where parts are only checked
}

// Prepare makes the parts of one replication of a plan, which must hold nothing but memory: no
// process of another program.
func (s *Simulator) Prepare(plan *config.Plan, replication int) (Setup, error) {
	return s.prepare(plan, replication, Setup{})
}

// prepare adds all parts.
func (s *Simulator) prepare(plan *config.Plan, replication int, u Setup) (Setup, error) {
	var err error
	if plan.Job.Run == config.RunMessages {
		if u.net, err = s.NewNetwork(plan, replication); err != nil {
			return u, err
		}
		seed, more := plan.StreamSeed(replication, "jumps")
		u.jumps = rand.New(rand.NewPCG(seed, more))
	}
	return s.prepareJobs(plan, replication, u)
}

// prepareJobs adds all parts but the network.
func (s *Simulator) prepareJobs(plan *config.Plan, replication int, u Setup) (Setup, error) {
	var err error
	u.machine = plan.Machine
	if plan.Workload.Source == config.SourceTogether {
		if u.Work, err = s.NewWork(plan, replication); err != nil {
			return u, err
		}
		u.policy, u.alloc = scheduler.FCFS{}, u.Work.places
		return u, nil
	}
	u.alloc, err = s.NewAllocator(plan, &plan.Allocator, replication, u.life)
	if err != nil {
		return u, err
	}
	if plan.Decision != nil {
		second, err := s.NewAllocator(plan, plan.Decision, replication, u.life)
		if err != nil {
			return u, err
		}
		u.decision = metrics.NewDecision(second, plan.Machine)
	}
	run := config.PolicyRun{Allocator: u.alloc, Site: siteOf(plan, u.life)}
	if u.policy, err = plan.NewPolicy(run); err != nil {
		return u, err
	}
	u.Work, err = s.NewWork(plan, replication)
	return u, err
}

// siteOf returns the machine of a plan for allocators and policies of a run.
func siteOf(plan *config.Plan, life *lifetime.Run) allocation.Site {
	return allocation.Site{Machine: plan.Machine, Kind: plan.Topology, Run: life}
}

// NewAllocator returns an allocator of a plan, with the random stream of a replication. The life of
// the run may be nil for an allocator that is only checked.
func (s *Simulator) NewAllocator(
	plan *config.Plan, a *config.AllocatorPlan, replication int, life *lifetime.Run,
) (allocation.Allocator, error) {
	site := s.site(plan, life)
	seed, more := plan.StreamSeed(replication, string(a.Field))
	site.Stream = rand.New(rand.NewPCG(seed, more))
	x, err := plan.Registry.NewAllocator(a.Call, site)
	if err != nil {
		return nil, refuseAllocator(plan, a, err)
	}
	return x, nil
}

// site is siteOf with the orders and distances that runs share.
func (s *Simulator) site(plan *config.Plan, life *lifetime.Run) allocation.Site {
	site := siteOf(plan, life)
	site.Order = func(name string, _ topology.Topology) ([]topology.Node, error) {
		return s.Order(plan, name)
	}
	site.Distances = func(machine topology.Topology) (*allocation.Distances, error) {
		return s.memos.distances.of(plan.MachineID(), func() (*allocation.Distances, error) {
			return allocation.NewDistances(machine)
		})
	}
	return site
}

// refuseAllocator says which allocators a machine takes if not that one, unless the error says
// what is right.
func refuseAllocator(plan *config.Plan, a *config.AllocatorPlan, err error) error {
	if bad := (*input.Error)(nil); errors.As(err, &bad) {
		return a.Field.Bad(bad.Right, "%s", bad.Problem)
	}
	right := ""
	if suit := plan.Registry.Suiting(plan.Machine); !slices.Contains(suit, call.Name(a.Call)) {
		right = "this machine takes " + strings.Join(suit, ", ")
	}
	return a.Field.Bad(right, "%v", err)
}

// Order returns the nodes of a plan's machine in a named order. Runs share orders, because the
// optimized order takes a search.
func (s *Simulator) Order(plan *config.Plan, name string) ([]topology.Node, error) {
	return s.memos.orders.of(orderKey{plan.MachineID(), name}, func() ([]topology.Node, error) {
		return order.New(name, plan.Machine)
	})
}

// spanOrder returns the order of the nodes along which spans are measured.
func (s *Simulator) spanOrder(plan *config.Plan) ([]topology.Node, error) {
	order, err := s.Order(plan, plan.SpanOrder)
	if err != nil {
		return nil, config.FieldSpanOrder.Bad("", "%s is %s: %v", config.FieldSpanOrder, plan.SpanOrder,
			err)
	}
	return order, nil
}

// NewNetwork returns the network of a plan. It refuses a routing that can deadlock. A routing with
// random draws has its own stream in every replication.
func (s *Simulator) NewNetwork(plan *config.Plan, replication int) (*netsim.Network, error) {
	c := plan.Network
	c.RoutingSeed, _ = plan.StreamSeed(replication, "routing")
	_, err := s.memos.deadlockFree.of(deadlockKey{plan.MachineID(), c.Routing, c.VirtualChannels},
		func() (struct{}, error) { return struct{}{}, c.CheckDeadlock() })
	if err != nil {
		var wrong *netsim.ConfigError
		if errors.As(err, &wrong) {
			return nil, config.RefuseConfig(err)
		}
		bad := config.FieldRouting.Refuse(err)
		if topology.Wraps(plan.Machine) {
			bad.Right = fmt.Sprintf("where a dimension wraps, take %s = auto and %s = 2 or more",
				config.FieldRouting, config.FieldVirtualChannels)
		}
		return nil, bad
	}
	n, err := netsim.New(c)
	if err != nil {
		return nil, config.RefuseConfig(err)
	}
	return n, nil
}

// Check returns an error if a plan cannot run. It checks the network, the allocator and the log,
// and whether each job can be placed and can communicate. Plans that differ only in the
// scheduler share the check of their jobs, because studies have hundreds of such points.
func (s *Simulator) Check(plan *config.Plan) error {
	if err := CheckJumps(plan, &metrics.Records{}); err != nil {
		return err
	}
	switch plan.Workload.Source {
	case config.SourceTraffic:
		return s.checkTraffic(plan)
	case config.SourceTogether:
	default:
		alloc, err := s.NewAllocator(plan, &plan.Allocator, 0, nil)
		if err != nil {
			return err
		}
		run := config.PolicyRun{Allocator: alloc, Site: siteOf(plan, nil)}
		if _, err := plan.NewPolicy(run); err != nil {
			return err
		}
	}
	if _, err := s.spanOrder(plan); err != nil {
		return err
	}
	_, err := s.memos.checkedJobs.of(plan.CheckID(), func() (struct{}, error) {
		return struct{}{}, s.checkJobs(plan)
	})
	return err
}

// checkJobs checks whether the jobs of a plan can be placed and can communicate.
func (s *Simulator) checkJobs(plan *config.Plan) error {
	sends := plan.Job.Run == config.RunMessages
	if sends {
		if err := s.checkNetwork(plan); err != nil {
			return err
		}
	}
	u, err := s.prepareJobs(plan, 0, Setup{})
	if err != nil {
		return err
	}
	if err := metrics.CheckTrim(plan, u.Work.Source); err != nil {
		return err
	}
	x, err := s.newMappingExecutor(plan, u.Work, nil)
	if err != nil {
		return err
	}
	mapping, _ := x.(*mappingExecutor)
	for {
		j, err := u.Work.Source.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = u.alloc.Check(j.Request())
		}
		if err == nil && sends && (j.Quota > 0 || j.Lead == 0) { // other jobs only compute
			if _, err = s.messages(u.Work, &j); err == nil {
				err = s.fitsMessages(u.Work, &j, plan.Network.PacketFlits)
			}
			if err == nil && mapping != nil {
				err = mapping.check(&j)
			}
		}
		if err != nil {
			return &input.Error{Problem: j.Wrap(s.logFile(plan.Workload.Trace), err).Error(),
				Right: otherSizes(plan, err)}
		}
	}
}

// otherSizes names the key that helps jobs of a log whose sizes their pattern does not support.
func otherSizes(plan *config.Plan, err error) string {
	var size *patterns.SizeError
	if plan.Workload.Source != config.SourceSWF || !errors.As(err, &size) {
		return ""
	}
	return fmt.Sprintf("%s = \"nearest\" rounds the sizes of the log to powers of two",
		config.FieldRoundSizes)
}

// checkNetwork checks the network of a plan, once for all plans with the same one: the seed of
// the routing decides nothing about it.
func (s *Simulator) checkNetwork(plan *config.Plan) error {
	key := networkKey{plan.MachineID(), plan.NetworkID(), plan.Network.MessageFlits,
		plan.Network.MessageMultiple}
	_, err := s.memos.networks.of(key, func() (struct{}, error) {
		_, err := s.NewNetwork(plan, 0)
		return struct{}{}, err
	})
	return err
}
