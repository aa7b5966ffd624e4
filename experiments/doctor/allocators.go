package doctor

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"contend/allocation"
	"contend/allocation/byname"
	"contend/netsim/topology"
)

// freeSets is the number of random free sets for each allocator.
const freeSets = 100

// allocators requests nodes of random free sets from every allocator. The granted
// nodes must be free and different, and as many as requested or more. An allocator
// must grant every request on an empty machine and, if counts alone decide, every
// request that is not above the number of free nodes.
func (p Parts) allocators(ctx context.Context) (Finding, error) {
	f := Finding{Unit: "requests"}
	wrong := 0
	names := byname.Names()
	for _, info := range names {
		c, err := byname.Parse(info.Name)
		if err != nil {
			return f, err
		}
		if c.Name == "optimal" {
			c.Limit = 2000 // the best placement found so far is a valid answer
		}
		a, nodes, err := p.anywhere(c)
		if err != nil {
			return f, fmt.Errorf("%s: %w", info.Name, err)
		}
		rng := rand.New(rand.NewPCG(5, 6))
		for k := range freeSets {
			free := allocation.NewFreeSet(nodes)
			if k%10 > 0 { // one in ten machines is empty
				free = drawFree(rng, nodes, 1+rng.IntN(nodes))
			}
			req := allocation.Request{Size: 1 + rng.IntN(min(free.Count(), 20))}
			if a.Check(req) != nil {
				continue
			}
			f.Cases++
			if bad := refusedOrWrong(a, free, req); bad != "" {
				wrong++
				f.blame("%s, request of %d, %d free: %s", info.Name, req.Size, free.Count(), bad)
			}
		}
		if ctx.Err() != nil {
			return f, ctx.Err()
		}
	}
	f.Compared = fmt.Sprintf("nodes granted by %d allocators on random free sets: as many as "+
		"requested, each free, each once", len(names))
	f.Worst = fmt.Sprintf("%d wrong answers", wrong)
	return f, nil
}

// anywhere makes an allocator for the first of some machines that it supports.
func (p Parts) anywhere(c byname.Config) (a allocation.Allocator, nodes int, err error) {
	site := allocation.Site{Stream: rand.New(rand.NewPCG(1, 2))}
	for _, m := range []machine{cube(false, 8, 8), tree(4, 3), dragonfly(4, 2), hyperX(2, 4, 4),
		cube(false, 4, 4)} {
		site.Machine = m
		if a, err = p.Allocator(c, site); err == nil {
			return a, m.Nodes(), nil
		}
	}
	return nil, 0, err
}

// drawFree draws a set with count free nodes.
func drawFree(r *rand.Rand, nodes, count int) *allocation.FreeSet {
	free := allocation.NewFreeSet(nodes)
	var busy []topology.Node
	for _, n := range r.Perm(nodes)[count:] {
		busy = append(busy, topology.Node(n))
	}
	free.Take(busy)
	return free
}

// refusedOrWrong returns the error in an allocator's answer, "" if it is right.
func refusedOrWrong(a allocation.Allocator, free *allocation.FreeSet,
	req allocation.Request) string {
	got, ok := a.Allocate(nil, free, req)
	switch {
	case !ok && allocation.CountDecides(a):
		return "refused, although enough are free"
	case !ok && free.Count() == free.Nodes():
		return "refused on an empty machine"
	case !ok:
		return ""
	case len(got) < req.Size:
		return fmt.Sprintf("%d nodes granted", len(got))
	}
	seen := map[topology.Node]bool{}
	for _, n := range got {
		if n < 0 || int(n) >= free.Nodes() || !free.Free(n) {
			return fmt.Sprintf("node %d is not free", n)
		}
		if seen[n] {
			return fmt.Sprintf("node %d is granted twice", n)
		}
		seen[n] = true
	}
	return ""
}

// leastDistances compares the allocator optimal with all subsets of random free
// sets, and checks that no heuristic finds a smaller sum.
func (p Parts) leastDistances(ctx context.Context) (Finding, error) {
	f := Finding{Unit: "requests", Compared: "sums of pairwise distances by optimal against all " +
		"subsets of random free nodes of 4x4 and 3x3x2; heuristics never below"}
	worst := 0
	for _, m := range []machine{cube(false, 4, 4), cube(false, 3, 3, 2)} {
		rng := rand.New(rand.NewPCG(9, 10))
		for range 60 {
			free := drawFree(rng, m.Nodes(), 6+rng.IntN(m.Nodes()-6))
			nodes := free.AppendTo(nil)
			size := 2 + rng.IntN(min(5, len(nodes)-1))
			least := p.LeastSum(distances(m, nodes), size)
			for _, name := range []string{"optimal", "mm-inc", "mm", "gen-alg", "mc1x1"} {
				a, err := p.Allocator(byname.Config{Name: name}, allocation.Site{Machine: m})
				if err != nil {
					return f, err
				}
				got, ok := a.Allocate(nil, free, allocation.Request{Size: size})
				if !ok || len(got) != size {
					f.blame("%s: %d of %d nodes granted", name, len(got), size)
					continue
				}
				f.Cases++
				sum := pairs(distances(m, got))
				if name == "optimal" {
					worst = max(worst, sum-least, least-sum)
				}
				if sum < least || name == "optimal" && sum != least {
					f.blame("%s: %d of %v free: a sum of %d, by exhaustion %d", name, size,
						nodes, sum, least)
				}
			}
		}
		if ctx.Err() != nil {
			return f, ctx.Err()
		}
	}
	f.Worst = fmt.Sprintf("worst difference %d hops", worst)
	return f, nil
}

// distances returns the table of distances between nodes.
func distances(m topology.Metric, nodes []topology.Node) [][]int {
	table := make([][]int, len(nodes))
	for i, a := range nodes {
		for _, b := range nodes {
			table[i] = append(table[i], m.Distance(a, b))
		}
	}
	return table
}

// pairs returns the sum of distances over all pairs.
func pairs(distances [][]int) int {
	sum := 0
	for i, row := range distances {
		for _, d := range row[:i] {
			sum += d
		}
	}
	return sum
}

// leastSum returns the least sum of pairwise distances of any subset of the given
// size. It tries all subsets.
func leastSum(distances [][]int, size int) int {
	least := math.MaxInt
	var chosen []int
	var try func(from, sum int)
	try = func(from, sum int) {
		if len(chosen) == size {
			least = min(least, sum)
			return
		}
		for i := from; i < len(distances); i++ {
			more := 0
			for _, j := range chosen {
				more += distances[i][j]
			}
			chosen = append(chosen, i)
			try(i+1, sum+more)
			chosen = chosen[:len(chosen)-1]
		}
	}
	try(0, 0)
	return least
}
