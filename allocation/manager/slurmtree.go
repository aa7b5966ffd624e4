package manager

import (
	"cmp"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// slurmTree places jobs of whole nodes as slurmctld does with select/cons_tres and topology/tree,
// for jobs that name no nodes and no number of switches, where nodes have equal weights. Nodes
// that lack the resources a job asks for, such as too few GPUs that are free, count as busy.
//
// A job gets free nodes of leaf switches, one after the other, the first ones of each, until
// it has enough. Each leaf switch is the best of those that have free nodes and were not used yet:
// they are compared in the order of their definition, and one replaces the best before it
//
//   - if it is fitter and as many hops away from the leaf switches used so far (the sum of hops to
//     each of them), or
//   - if it is nearer and has room for all that is missing, or so has the switch above it that
//     decides the comparison of the two.
//
// Of two switches that both have room for all that is missing the one with fewer free nodes is
// fitter; if only one has, that one. If neither has, the switches above them are compared, unless
// they are one and the same; then the switch with more free nodes is fitter, and else the lower
// one. Free nodes below upper switches are those that the job has left.
//
// Slurm before 24.05.3 differs: a nearer leaf switch replaces the best if it is not less fit, and
// upper switches keep the number of free nodes that they had before the job took any.
//
// The rule was compared with slurmctld 22.05.8 and 25.05.8 in random states, without a difference.
// Slurm's comparison of leaf switches at different depths reads past the root, and is not followed
// there: ours ends at the root.
type slurmTree struct {
	whole
	old        bool      // the rule before 24.05.3
	hopsToUsed []int32   // of each switch: its hops to all leaf switches used, added up
	hops       []int32   // of each switch, set by hopsFrom
	queue      []int32   // memory of hopsFrom
	left       []int     // of each switch: free nodes below it less those of the job
	down       [][]int32 // the switches below each
}

// Versions lists the versions of Slurm whose rules differ.
func Versions() []allocation.Info {
	return []allocation.Info{{Name: "24.05.3", Doc: "Slurm 24.05.3 and later"},
		{Name: "22.05", Doc: "Slurm before 24.05.3"}}
}

// NewSlurmTree returns slurm-tree of one of Versions, "" for the first of them.
func NewSlurmTree(machine topology.Topology, version string) (*slurmTree, error) {
	a, err := newSlurmTree("slurm-tree", machine)
	if err != nil {
		return nil, err
	}
	a.old = version == Versions()[1].Name
	return a, nil
}

// newSlurmTree returns the current rule on a tree of switches. Errors have the name.
func newSlurmTree(name string, machine topology.Topology) (*slurmTree, error) {
	s, err := newWhole(name, machine)
	if err != nil {
		return nil, err
	}
	n := len(s.level)
	a := &slurmTree{whole: s, hopsToUsed: make([]int32, n),
		hops: make([]int32, n), left: s.free, down: make([][]int32, n)}
	for i, up := range s.up {
		for _, above := range up {
			a.down[above] = append(a.down[above], int32(i))
		}
	}
	return a, nil
}

// Allocate implements Allocator. Ranks are in node order.
func (a *slurmTree) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	if !a.count(free, req) {
		return dst, false
	}
	return a.fill(dst, free, req), true
}

// fill appends the nodes of a job, chosen from those counted as free.
func (a *slurmTree) fill(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) []topology.Node {
	clear(a.hopsToUsed)
	from := len(dst)
	for missing := req.Size; missing > 0; {
		leaf := a.best(missing)
		n := min(missing, a.left[leaf])
		dst = free.AppendOf(dst, a.nodes[leaf], n)
		if missing -= n; missing > 0 {
			a.exclude(leaf)
		}
	}
	slices.Sort(dst[from:])
	return dst
}

// best returns the leaf switch to use next, of those with free nodes left.
func (a *slurmTree) best(missing int) int {
	best := -1
	for _, leaf := range a.leaves {
		i := int(leaf)
		if a.left[i] == 0 {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		fitter, fits := a.compare(i, best, missing)
		if a.old {
			fits = fitter >= 0
		}
		nearer := cmp.Compare(a.hopsToUsed[best], a.hopsToUsed[i])
		if nearer > 0 && fits || nearer == 0 && fitter > 0 {
			best = i
		}
	}
	return best
}

// compare returns 1 if switch i is fitter than j, -1 if j is, and 0 if neither is. It reports
// whether i, or the switch above it that decides, has room for what is missing.
func (a *slurmTree) compare(i, j, missing int) (fitter int, fits bool) {
	for {
		fits = a.left[i] >= missing
		other := a.left[j] >= missing
		switch {
		case fits && other && a.left[i] != a.left[j]:
			return cmp.Compare(a.left[j], a.left[i]), true
		case fits != other && fits:
			return 1, true
		case fits != other:
			return -1, false
		}
		p, q := a.parent(i), a.parent(j)
		if fits || p == q || p < 0 || q < 0 {
			break
		}
		i, j = p, q
	}
	if a.left[i] != a.left[j] {
		return cmp.Compare(a.left[i], a.left[j]), fits
	}
	return cmp.Compare(a.level[j], a.level[i]), fits
}

// exclude sets the free nodes left at a leaf switch to 0, and adds the hops to it to hopsToUsed.
func (a *slurmTree) exclude(leaf int) {
	a.hopsFrom(int32(leaf))
	for i, h := range a.hops {
		a.hopsToUsed[i] += h
	}
	n := a.left[leaf]
	a.left[leaf] = 0
	if a.old {
		return
	}
	for i := a.parent(leaf); i >= 0; i = a.parent(i) {
		a.left[i] = max(0, a.left[i]-n)
	}
}

// hopsFrom sets hops to the numbers of links between a switch and all others, breadth first.
func (a *slurmTree) hopsFrom(from int32) {
	for i := range a.hops {
		a.hops[i] = -1
	}
	a.hops[from] = 0
	a.queue = append(a.queue[:0], from)
	for at := 0; at < len(a.queue); at++ {
		i := a.queue[at]
		for _, list := range [2][]int32{a.up[i], a.down[i]} {
			for _, peer := range list {
				if a.hops[peer] < 0 {
					a.hops[peer] = a.hops[i] + 1
					a.queue = append(a.queue, peer)
				}
			}
		}
	}
}
