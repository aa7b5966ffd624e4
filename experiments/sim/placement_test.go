package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/must"
	"contend/internal/story"
	"contend/router/topology"
)

// placesOn places jobs of a size on a machine.
func placesOn(t *testing.T, machine, placement string, size int, seed uint64) (
	[][]topology.Node, error) {
	t.Helper()
	p, problem := config.ParsePlacement(placement)
	if problem != nil {
		t.Fatal(problem)
	}
	return PlaceJobs(p, configtest.Machine(t, machine), size, rand.New(rand.NewPCG(seed, 0)))
}

// TestPlacements runs the stories of placements. A line has a machine, a placement and the number
// of processes of a job, and what happens is the nodes of each job, in order of process.
func TestPlacements(t *testing.T) {
	story.Run(t, "testdata/placements/*.txt", func(t *testing.T, given []string) string {
		words := strings.Fields(given[0])
		places, err := placesOn(t, words[0], words[1], must.Have(strconv.Atoi(words[2])), 7)
		if err != nil {
			return err.Error()
		}
		var text strings.Builder
		for i, place := range places {
			fmt.Fprintf(&text, "job %d: %s\n", i+1, strings.Trim(fmt.Sprint(place), "[]"))
		}
		return text.String()
	})
}

// Under every placement each job has its own nodes, and there are as many jobs as blocks.
func TestPlacesAreDisjoint(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		machine := rapid.SampledFrom([]string{"tree:4x3", "tree:2x5", "tree:3x3", "fat-tree:4x3x6:2",
			"mesh:8x8", "mesh:7x5", "torus:4x4x4", "mesh:18", "hypercube:6"}).Draw(r, "machine")
		size := rapid.IntRange(2, 9).Draw(r, "size")
		kind := rapid.SampledFrom([]string{"contiguous", "away:1", "away:2", "dealt", "scattered",
			"random"}).Draw(r, "kind")
		places := must.Have(placesOn(t, machine, kind, size, rapid.Uint64().Draw(r, "seed")))
		if n := len(must.Have(placesOn(t, machine, "contiguous", size, 0))); n != len(places) || n < 1 {
			r.Fatalf("%s: room for %d jobs, contiguous %d", kind, len(places), n)
		}
		all := slices.Concat(places...)
		slices.Sort(all)
		nodes := configtest.Machine(t, machine).Nodes()
		if len(all) != size*len(places) || len(slices.Compact(all)) != size*len(places) || all[0] < 0 ||
			int(all[len(all)-1]) >= nodes {
			r.Fatalf("%v", places)
		}
	})
}

// On a tree, away:T puts exactly T processes of every job one level up, if the rest of a job is its
// greatest part.
func TestAwayOnATree(t *testing.T) {
	for _, name := range []string{"tree:4x4", "tree:2x6", "tree:4x3", "fat-tree:4x4x6x2:2:b2"} {
		meter := must.Have(allocation.NewTreeMeter(configtest.Machine(t, name)))
		for size := 3; size <= 16; size++ {
			for away := 1; away < min(5, size/3+1); away++ {
				for _, place := range must.Have(placesOn(t, name, fmt.Sprintf("away:%d", away), size, 7)) {
					if q := meter.Measure(place); q.Away != away || q.Level != q.JobLevel+1 {
						t.Errorf("%s, %d processes, away:%d: %v has %d away and is of level %d, not %d", name, size,
							away, place, q.Away, q.Level, q.JobLevel+1)
					}
				}
			}
		}
	}
}
