package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"contend/allocation"
	"contend/experiments/config"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/router/topology"
	"contend/scheduler"
)

// makeTogether makes jobs that start together on the places that the plan gives them. With a
// background, only the first job has job.pattern. The others continue without end, and the run ends
// with the first job.
func (m *workMaker) makeTogether() error {
	plan, k := m.plan, &m.plan.Workload.Together
	a, b := plan.StreamSeed(m.replication, "placement")
	places, err := PlaceJobs(plan.Workload.Placement, plan.Machine, plan.Workload.Processes,
		rand.New(rand.NewPCG(a, b)))
	if err != nil {
		return err
	}
	places = places[:min(len(places), plan.Workload.Jobs)]
	m.addPattern(plan.Job.Patterns[0].Config)
	m.setClock(1)
	quota, err := exactQuota(plan, m.patterns[0])
	if err != nil {
		return err
	}
	for i := range k.Others {
		m.addPattern(k.Others[i].Config)
		m.lastEnd = 1
		if err := m.checkEndless(k.Others[i].Config, plan.Workload.Processes); err != nil {
			return config.FieldBackground.Bad("give same, idle or patterns",
				"%s is %s: %v", config.FieldBackground, k.Background, err)
		}
	}
	if k.Alone {
		places = places[:1]
	}
	jobs := make([]scheduler.Job, len(places))
	for i := range jobs {
		jobs[i] = scheduler.Job{ID: scheduler.JobID(i + 1), Size: plan.Workload.Processes,
			Quota: quota,
			Seed:  m.seed + uint64(i)}
		if k.Others != nil && i > 0 {
			jobs[i].Pattern, jobs[i].Quota = 1+(i-1)%len(k.Others), endless
		}
	}
	m.Source, m.places = &scheduler.List{Jobs: jobs}, &plannedPlaces{places: places}
	return nil
}

// checkEndless returns an error if a pattern cannot be that of n processes that go on without end.
func (m *workMaker) checkEndless(p patterns.Config, n int) error {
	if _, err := patterns.MessagesPerIteration(p, n, nil); err != nil || p.Work == nil {
		return err
	}
	w, err := p.Work(n, nil, nil)
	if t, ok := w.(tasks.Work); ok && err == nil {
		if r := t.Instant(m.plan.Job.SendCycles > 0); r != tasks.AnyRank {
			err = fmt.Errorf("rank %d waits for nothing, and would repeat its tasks at once without end", r)
		}
	}
	return err
}

// exactQuota returns the quota of a job without random draws, from whole iterations or a number of
// messages.
func exactQuota(plan *config.Plan, p patterns.Config) (int64, error) {
	q, n := &plan.Job.Quota, plan.Workload.Processes
	if !q.Whole() {
		return int64(math.Ceil(q.Messages)), nil
	}
	per, err := patterns.MessagesPerIteration(p, n, nil)
	switch {
	case err != nil:
		return 0, config.FieldPattern.Refuse(err)
	case per == 0:
		return 0, config.FieldProcesses.Bad("take more",
			"%d processes of %s have nothing to send", n, p.Name)
	}
	return quotaOf(int64(math.Ceil(q.IterationsOf(p))), per), nil
}

// plannedPlaces is an allocator that gives each job its planned place, in the order of requests.
type plannedPlaces struct {
	places [][]topology.Node
	next   int
}

// Check implements allocation.Allocator.
func (p *plannedPlaces) Check(allocation.Request) error { return nil }

// Allocate implements allocation.Allocator.
func (p *plannedPlaces) Allocate(
	dst []topology.Node, free *allocation.FreeSet, req allocation.Request,
) ([]topology.Node, bool) {
	place := p.places[p.next]
	if len(place) != req.Size {
		panic("sim: a place of another size than the job")
	}
	if slices.ContainsFunc(place, func(n topology.Node) bool { return !free.Free(n) }) {
		return dst, false // another job has them
	}
	p.next++
	return append(dst, place...), true
}

// PlaceJobs returns the nodes of jobs of one size. Their number is the number that fits under every
// placement. Process i of a job runs on the i-th of its nodes.
func PlaceJobs(
	p config.Placement, m config.Machine, size int, rng *rand.Rand,
) ([][]topology.Node, error) {
	b, err := newBlocks(m, size)
	if err != nil {
		return nil, err
	}
	switch p.Kind {
	case config.PlaceAway:
		return b.exchange(p.Away, rng)
	case config.PlaceDealt:
		return b.deal(nil), nil
	case config.PlaceScattered:
		return b.deal(rng), nil
	case config.PlaceRandom:
		if size%p.Together > 0 || m.Nodes()%p.Together > 0 {
			return nil, config.FieldPlacement.Bad("take a divisor of both", "%s is %s, for jobs of %d "+
				"processes on %d nodes", config.FieldPlacement, p, size, m.Nodes())
		}
		each := p.Together
		if each > 1 {
			copy(b.order, firstNodes(m.Nodes()))
		}
		rng.Shuffle(len(b.order)/each, func(i, j int) {
			for k := range each {
				b.order[i*each+k], b.order[j*each+k] = b.order[j*each+k], b.order[i*each+k]
			}
		})
		for i := range b.jobs {
			b.jobs[i] = b.order[i*size : (i+1)*size]
		}
	}
	return b.jobs, nil
}

// ContiguousNodes returns the first contiguous place for a job, in the order of node numbers: the
// box most like a cube on a grid, a part of the smallest subtree on a tree, elsewhere the first
// nodes.
func ContiguousNodes(m config.Machine, size int) []topology.Node {
	if b, err := newBlocks(m, size); err == nil && len(b.jobs) > 0 {
		return b.jobs[0]
	}
	return firstNodes(size)
}

// deal gives the nodes to the jobs in rounds. In each round every job gets one node, in order or,
// with rng, at random. Nodes that are left over in a round stay free.
func (b *blocks) deal(rng *rand.Rand) [][]topology.Node {
	round := len(b.order) / b.size
	places := make([][]topology.Node, len(b.jobs))
	for i := range b.size {
		nodes := b.order[i*round : (i+1)*round]
		if rng != nil {
			rng.Shuffle(round, func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
		}
		for j := range places {
			places[j] = append(places[j], nodes[j])
		}
	}
	return places
}

// exchange moves random processes of each job to blocks of its family. In each round one process of
// every job moves to the node that a process of another job has left.
func (b *blocks) exchange(away int, rng *rand.Rand) ([][]topology.Node, error) {
	if away > b.size {
		return nil, config.FieldPlacement.Bad(fmt.Sprintf("at most %d", b.size),
			"%d processes away of jobs of %d", away, b.size)
	}
	leave := make([][]int, len(b.jobs))
	places := make([][]topology.Node, len(b.jobs))
	for i := range b.jobs {
		leave[i] = rng.Perm(b.size)[:away]
		places[i] = append(places[i], b.jobs[i]...)
	}
	for first := 0; first < len(b.jobs); first += b.familyJobs {
		n := min(b.familyJobs, len(b.jobs)-first)
		others := n/b.blockJobs - 1 // blocks of the family beside a job's own
		if n%b.blockJobs != 0 || others < 1 {
			return nil, config.FieldPlacement.Bad("take smaller jobs, or a larger machine",
				"jobs of %d processes have no place to go that is away: %s", b.size, b.loneBlock)
		}
		for i := range n {
			for r, process := range leave[first+i] {
				to := first + (i+b.blockJobs*(1+r%min(others, b.partners)))%n
				places[first+i][process] = b.jobs[to][leave[to][r]]
			}
		}
	}
	return places, nil
}

// blocks is a machine divided into places for jobs of one size.
type blocks struct {
	// size is the number of processes of a job.
	size int
	// order holds all nodes, block by block.
	order []topology.Node
	// jobs holds the nodes of each job, block by block.
	jobs [][]topology.Node
	// blockJobs is the number of jobs in a block. A family is a group of blocks in which processes
	// can change places. It has familyJobs jobs, and each block exchanges processes with the
	// partners blocks that follow it.
	blockJobs, familyJobs, partners int
	// loneBlock says why a family may have only one block.
	loneBlock string
}

// gridPartners is the number of blocks of a grid with which a block exchanges processes.
const gridPartners = 3

// newBlocks divides a machine into blocks for jobs of a size.
func newBlocks(m config.Machine, size int) (*blocks, error) {
	if size > m.Nodes() {
		return nil, config.FieldProcesses.Bad(fmt.Sprintf("at most %d", m.Nodes()),
			"jobs of %d processes on a machine of %d nodes", size, m.Nodes())
	}
	b := &blocks{size: size}
	switch t := m.(type) {
	case *topology.FatTree:
		b.divideTree(t, func(level int) int {
			if level == t.Levels() {
				return 1 // the whole tree has no others beside it
			}
			return t.Children(level)
		})
		return b, nil
	case topology.Hierarchy:
		b.divideTree(t, func(int) int { return t.Arity() })
		return b, nil
	case topology.Grid:
		return b, b.divideGrid(t)
	}
	b.divideInOrder(m.Nodes())
	return b, nil
}

// divideTree makes a block of every subtree of the lowest level whose subtrees have room for a job
// (Pascual et al. 2009, sec. 3). Subtrees with a common parent are a family. children returns the
// number of subtrees, or nodes, below a router of a level.
func (b *blocks) divideTree(t topology.Topology, children func(level int) int) {
	span, level := 1, 0
	for ; span < b.size; level++ {
		span *= children(level)
	}
	b.blockJobs = span / b.size
	siblings := children(level)
	b.familyJobs, b.partners = siblings*b.blockJobs, siblings-1
	b.loneBlock = "the subtree one level up has no other"
	b.order = firstNodes(t.Nodes())
	for first := 0; first < t.Nodes(); first += span {
		for j := range b.blockJobs {
			if from := first + j*b.size; from+b.size <= t.Nodes() {
				b.jobs = append(b.jobs, slices.Clone(b.order[from:from+b.size])) // order may be shuffled
			}
		}
	}
}

// divideInOrder divides the nodes, in order of number, into blocks of the size of a job: on a
// dragonfly or a HyperX they fill router after router, and group after group. All are one family.
func (b *blocks) divideInOrder(nodes int) {
	b.order = firstNodes(nodes)
	for first := 0; first+b.size <= nodes; first += b.size {
		b.jobs = append(b.jobs, slices.Clone(b.order[first:first+b.size]))
	}
	b.oneFamily()
}

// divideGrid tiles a mesh, torus or hypercube with boxes of routers, the first dimension fastest.
// Each box is the block of one job, and all are one family.
func (b *blocks) divideGrid(t topology.Grid) error {
	_, each := t.NodesAt(0)
	if t.Routers()*each != t.Nodes() {
		return config.FieldServiceRows.Bad("leave it out",
			"jobs cannot be placed in blocks on a machine with routers that carry no nodes")
	}
	dims := t.Dims()
	sides := cubeLikeBox(dims, (b.size+each-1)/each)
	taken := make([]bool, t.Nodes())
	corner := make([]int, len(dims))
	for {
		place := boxNodes(t, corner, sides)[:b.size]
		b.jobs = append(b.jobs, place)
		b.order = append(b.order, place...)
		for _, n := range place {
			taken[n] = true
		}
		if !nextCorner(corner, sides, dims) {
			break
		}
	}
	for n := range topology.Node(t.Nodes()) {
		if !taken[n] {
			b.order = append(b.order, n)
		}
	}
	b.oneFamily()
	return nil
}

// oneFamily makes one family of all blocks, each of one job.
func (b *blocks) oneFamily() {
	b.blockJobs, b.familyJobs, b.partners = 1, len(b.jobs), gridPartners
	b.loneBlock = "the machine has room for one"
}

// firstNodes returns the n nodes of the lowest numbers, in order.
func firstNodes(n int) []topology.Node {
	nodes := make([]topology.Node, n)
	for i := range nodes {
		nodes[i] = topology.Node(i)
	}
	return nodes
}

// boxNodes returns the nodes of a box of routers, the first dimension fastest.
func boxNodes(t topology.Grid, corner, sides []int) []topology.Node {
	var nodes []topology.Node
	at, step := make([]int, len(sides)), make([]int, len(sides))
	for d := range step {
		step[d] = 1
	}
	router := make([]int, len(sides))
	for {
		for d := range at {
			router[d] = corner[d] + at[d]
		}
		first, n := t.NodesAt(t.At(router...))
		for i := range n {
			nodes = append(nodes, first+topology.Node(i))
		}
		if !nextCorner(at, step, sides) {
			return nodes
		}
	}
}

// nextCorner moves at to the next whole step within the limits. After the last one it returns to
// the start and reports false.
func nextCorner(at, step, limit []int) bool {
	for d := range at {
		if at[d] += step[d]; at[d]+step[d] <= limit[d] {
			return true
		}
		at[d] = 0
	}
	return false
}

// cubeLikeBox returns the sides of the box of at least n routers that is most like a cube: the box
// with the least sum of sides, among those with the fewest routers, and then with the longest first
// sides.
// The machine must have n routers.
func cubeLikeBox(dims []int, n int) []int {
	var best []int
	bestSum, bestProduct := 0, 0
	sides := make([]int, len(dims))
	var extend func(d, sum, product int)
	extend = func(d, sum, product int) {
		if d == len(dims) {
			if product >= n && (best == nil || sum < bestSum || sum == bestSum && product < bestProduct) {
				best, bestSum, bestProduct = append(best[:0], sides...), sum, product
			}
			return
		}
		for side := min(dims[d], (n+product-1)/product); side >= 1; side-- {
			if best != nil && sum+side+len(dims)-d-1 > bestSum {
				continue
			}
			sides[d] = side
			extend(d+1, sum+side, product*side)
		}
	}
	extend(0, 0, 1)
	return best
}
