package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	"contend/router/topology"
	"contend/scheduler"
)

// Setup is the parts of a run of jobs.
type Setup struct {
	// Work is the jobs of the run and their clock.
	Work *Work

	machine config.Machine
	alloc   allocation.Allocator
	policy  scheduler.Policy
	net     *netsim.Network // nil if jobs send no messages
	jumps   *rand.Rand      // draws the jumps to check
	// places has the nodes of jobs that run when a window of a log begins. It is nil for others.
	places *givenPlaces
	// decision measures a second allocator. It is nil without one.
	decision *metrics.Decision
	life     *lifetime.Run // nil where parts are only checked
}

// Prepare makes the parts of one replication of a plan. Allocators and policies must not be other
// programs, which Run ends with the run.
func (s *Simulator) Prepare(plan *config.Plan, replication int) (Setup, error) {
	return s.prepare(context.Background(), plan, replication, nil)
}

// prepare makes all parts. Other programs among them live as long as the run.
func (s *Simulator) prepare(
	ctx context.Context, plan *config.Plan, replication int, life *lifetime.Run,
) (u Setup, err error) {
	var net *netsim.Network
	if plan.Job.Run == config.RunMessages {
		if net, err = s.newFailingNetwork(plan, replication); err != nil {
			return u, err
		}
	}
	if u, err = s.prepareJobs(ctx, plan, replication, life, false); err != nil {
		return u, err
	}
	seed, more := plan.StreamSeed(replication, "jumps")
	u.net, u.jumps = net, rand.New(rand.NewPCG(seed, more))
	return u, nil
}

// prepareJobs makes all parts but the network, with nominal jobs if they are only checked.
func (s *Simulator) prepareJobs(
	ctx context.Context, plan *config.Plan, replication int, life *lifetime.Run, nominal bool,
) (u Setup, err error) {
	u.machine, u.life = plan.Machine, life
	if err := s.setScheduler(&u, plan, replication); err != nil {
		return u, err
	}
	if u.Work, err = s.makeWork(ctx, plan, replication, nominal); err != nil {
		return u, err
	}
	switch {
	case nominal:
	case plan.Workload.WarmStart:
		err = s.startWarm(ctx, &u, plan, replication, life)
	case plan.Workload.Snapshots:
		err = s.startSnapshot(ctx, &u, plan, replication, life)
	}
	if u.Work.places != nil {
		u.policy, u.alloc = scheduler.FCFS{}, u.Work.places
	}
	return u, err
}

// setScheduler sets allocator, policy and the allocator of scheduler.decision, unless the jobs have
// their places.
func (s *Simulator) setScheduler(u *Setup, plan *config.Plan, replication int) (err error) {
	if plan.Workload.Source == config.SourceTogether || config.IsPlaced(plan.Workload.Listed) {
		return nil
	}
	if u.alloc, err = s.NewAllocator(plan, &plan.Allocator, replication, u.life); err != nil {
		return err
	}
	if plan.Decision != nil {
		second, err := s.NewAllocator(plan, plan.Decision, replication, u.life)
		if err != nil {
			return err
		}
		u.decision = metrics.NewDecision(second, plan.Machine)
	}
	u.policy, err = plan.NewPolicy(config.PolicyRun{Allocator: u.alloc, Site: siteOf(plan, u.life)})
	return err
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
	site := s.sharedSite(plan, life)
	seed, more := plan.StreamSeed(replication, string(a.Field))
	site.Stream = rand.New(rand.NewPCG(seed, more))
	x, err := plan.Registry.NewAllocator(a.Call, site)
	if err != nil {
		return nil, refuseAllocator(plan, a, err)
	}
	return x, nil
}

// sharedSite is siteOf with the orders and distances that runs share.
func (s *Simulator) sharedSite(plan *config.Plan, life *lifetime.Run) allocation.Site {
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

// refuseAllocator returns the error for an allocator that the machine of a plan does not take.
// Unless err says what would be right, it lists the allocators that the machine takes.
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

// newFailingNetwork returns the network of a run, which may have failures. That on which jobs are
// alone has none.
func (s *Simulator) newFailingNetwork(
	plan *config.Plan, replication int,
) (*netsim.Network, error) {
	failing := *plan
	c := &failing.Network
	c.Drops, c.LinksFail = plan.FailsNodes(), plan.FailsLinks()
	for i := range plan.Failures {
		if share := plan.Failures[i].Bandwidth; share > 0 {
			c.SlowestBandwidth = min(share, cmp.Or(c.SlowestBandwidth, 1))
		}
	}
	return s.NewNetwork(&failing, replication)
}

// newStopping is NewNetwork for a simulation that ends with scheduler.ErrStopped when the context
// ends.
func (s *Simulator) newStopping(
	ctx context.Context, plan *config.Plan, replication int,
) (*netsim.Network, error) {
	net, err := s.NewNetwork(plan, replication)
	if err == nil {
		stopBy(net, func() bool { return ctx.Err() != nil })
	}
	return net, err
}

// stopBy has a simulation on a network end with scheduler.ErrStopped once stop reports true.
func stopBy(net *netsim.Network, stop func() bool) {
	net.Poll(func() error {
		if stop() {
			return scheduler.ErrStopped
		}
		return nil
	})
}

// NewNetwork returns the network of a plan. It refuses a routing that can deadlock. A routing with
// random draws has its own stream in every replication.
func (s *Simulator) NewNetwork(plan *config.Plan, replication int) (*netsim.Network, error) {
	c := plan.Network
	if c.Snapshots = plan.FastForward > 0; !c.Snapshots {
		c.Threads = s.Threads
	}
	c.RoutingSeed, _ = plan.StreamSeed(replication, "routing")
	key := deadlockKey{plan.MachineID(), c.Routing, c.VirtualChannels, c.LinksFail}
	_, err := s.memos.deadlockFree.of(key,
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
