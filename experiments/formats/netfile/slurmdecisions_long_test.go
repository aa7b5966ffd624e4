//go:build long

package netfile_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"contend/allocation"
	"contend/router/topology"
)

// drawTree draws a topology.conf of leaf switches of different sizes below one to three levels of
// others. The names of the nodes are not in the order of the file.
func drawTree(stream *rand.Rand) string {
	var text strings.Builder
	leaves := 3 + stream.IntN(10)
	var names, below []string
	for i := range 100 {
		names = append(names, fmt.Sprint("n", i+1))
	}
	if stream.IntN(2) == 0 {
		stream.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	}
	for i := range leaves {
		n := 1 + stream.IntN(8)
		fmt.Fprintf(&text, "SwitchName=s%d Nodes=%s\n", i, strings.Join(names[:n], ","))
		names = names[n:]
		below = append(below, fmt.Sprint("s", i))
	}
	for level := range stream.IntN(3) {
		var above []string
		for len(below) > 0 {
			n := min(len(below), 1+stream.IntN(4))
			above = append(above, fmt.Sprintf("u%d-%d", level, len(above)))
			fmt.Fprintf(&text, "SwitchName=%s Switches=%s LinkSpeed=100\n", above[len(above)-1],
				strings.Join(below[:n], ","))
			below = below[n:]
		}
		below = above
	}
	if len(below) > 1 {
		fmt.Fprintf(&text, "SwitchName=root Switches=%s\n", strings.Join(below, ","))
	}
	return text.String()
}

// slinkyTree is a tree of 96 nodes as an open-source operator writes it.
const slinkyTree = "SwitchName=core Switches=spine.[1-6]\n" +
	"SwitchName=spine.1 Switches=leaf.[1-2]\nSwitchName=spine.2 Switches=leaf.[3-4]\n" +
	"SwitchName=spine.3 Switches=leaf.[5-6]\nSwitchName=spine.4 Switches=leaf.[7-8]\n" +
	"SwitchName=spine.5 Switches=leaf.[9-10]\nSwitchName=spine.6 Switches=leaf.[11-12]\n" +
	"SwitchName=leaf.1 Nodes=srv[1101-1108]\nSwitchName=leaf.2 Nodes=srv[1201-1208]\n" +
	"SwitchName=leaf.3 Nodes=srv[2101-2108]\nSwitchName=leaf.4 Nodes=srv[2201-2208]\n" +
	"SwitchName=leaf.5 Nodes=srv[3101-3108]\nSwitchName=leaf.6 Nodes=srv[3201-3208]\n" +
	"SwitchName=leaf.7 Nodes=srv[4101-4108]\nSwitchName=leaf.8 Nodes=srv[4201-4208]\n" +
	"SwitchName=leaf.9 Nodes=srv[5101-5108]\nSwitchName=leaf.10 Nodes=srv[5201-5208]\n" +
	"SwitchName=leaf.11 Nodes=srv[6101-6108]\nSwitchName=leaf.12 Nodes=srv[6201-6208]\n"

// older reports whether a version of Slurm is older than another one.
func older(version string, year, month, micro int) bool {
	var y, m, u int
	fmt.Sscanf(version, "%d.%d.%d", &y, &m, &u)
	return slices.Compare([]int{y, m, u}, []int{year, month, micro}) < 0
}

// treeRule is the short form of slurm-tree for the version of Slurm at hand.
func treeRule(version string) string {
	if older(version, 24, 5, 3) {
		return "slurm-tree:22.05"
	}
	return "slurm-tree"
}

// slurm-tree chooses the nodes that slurmctld chooses, in 1,000 random states.
func TestLongSlurmTreeIsSlurms(t *testing.T) {
	stream, short := rand.New(rand.NewPCG(31, 3)), treeRule(slurmVersion(t))
	placed := 0
	for i := range 21 {
		conf := slinkyTree
		if i > 0 {
			conf = drawTree(stream)
		}
		s := startSlurm(t, "tree", conf)
		a := slurmAllocator(t, conf, short)
		placed += s.compare(a, stream, 50)
		if i%5 == 0 {
			s.startOne(a, stream)
		}
		if t.Failed() {
			t.Fatalf("with topology.conf\n%s", conf)
		}
	}
	if placed < 1000 {
		t.Errorf("only %d states had free nodes", placed)
	}
	t.Logf("%d decisions of Slurm %s", placed, slurmVersion(t))
}

// slurm-block chooses the nodes that slurmctld chooses, with segments and without. Slurm has
// topology/block since 23.11, and --segment since 24.05; Debian's 22.05 has neither.
func TestLongSlurmBlockIsSlurms(t *testing.T) {
	if v := slurmVersion(t); older(v, 24, 5, 0) {
		t.Skipf("Slurm %s has no topology/block with segments: needs 24.05 or later", v)
	}
	stream := rand.New(rand.NewPCG(31, 4))
	decisions, refused := 0, 0
	for range 20 {
		conf, size := drawBlocks(stream)
		s := startSlurm(t, "block", conf)
		for _, segment := range []int{0, 1 + stream.IntN(size)} {
			args := []string{}
			if segment > 0 {
				args = append(args, fmt.Sprint("--segment=", segment))
			}
			a := slurmAllocator(t, conf, fmt.Sprintf("slurm-block:%d,%d", size, segment))
			for range 30 {
				f := s.set(drawFree(stream, len(s.nodes)))
				k := 1 + stream.IntN(max(1, f.Count()))
				if segment > 0 { // Slurm refuses others, and ignores segments of smaller jobs
					k = segment * (1 + stream.IntN(1+k/segment))
				}
				if k > f.Count() {
					continue
				}
				s.compareOne(a, f, k, append([]string{"--exclusive"}, args...)...)
				decisions++
				if _, ok := a.Allocate(nil, f, allocation.Request{Size: k}); !ok {
					refused++
				}
			}
		}
		if t.Failed() {
			t.Fatalf("with topology.conf\n%s", conf)
		}
	}
	if decisions < 1000 || refused < 50 {
		t.Errorf("only %d decisions, and %d jobs that wait", decisions, refused)
	}
	t.Logf("%d decisions of Slurm %s, %d of them to wait", decisions, slurmVersion(t), refused)
}

// drawBlocks draws a topology.conf of blocks, and returns their planning size.
func drawBlocks(stream *rand.Rand) (conf string, size int) {
	var text strings.Builder
	size = 2 + stream.IntN(7)
	nodes, next := size+stream.IntN(3), 1
	for i := range 2 + stream.IntN(11) {
		n := nodes
		if stream.IntN(4) == 0 {
			n = size
		}
		fmt.Fprintf(&text, "BlockName=b%d Nodes=n[%d-%d]\n", i, next, next+n-1)
		next += n
	}
	sizes := []string{fmt.Sprint(size)}
	for l := 1; l < 5; l++ {
		if stream.IntN(2) == 0 {
			sizes = append(sizes, fmt.Sprint(size<<l))
		}
	}
	fmt.Fprintf(&text, "BlockSizes=%s\n", strings.Join(sizes, ","))
	return text.String(), size
}

// Nodes with fewer free GPUs than a job requests count as busy. Running jobs hold the other GPUs.
func TestLongSlurmGresLeavesNodesOut(t *testing.T) {
	stream := rand.New(rand.NewPCG(31, 5))
	s := startSlurm(t, "tree", slinkyTree)
	a := slurmAllocator(t, slinkyTree, treeRule(s.version))
	left := make([]int, len(s.nodes)) // free GPUs
	for n, name := range s.nodes {
		left[n] = 4
		if held := stream.IntN(5); held > 0 {
			s.submit(fmt.Sprint("--gres=gpu:", held), "-w", name, "-N1")
			left[n] -= held
		}
	}
	s.started()
	leaving := func(ask int) *allocation.FreeSet {
		f := allocation.NewFreeSet(len(left))
		for n, gpus := range left {
			if gpus < ask {
				f.Take([]topology.Node{topology.Node(n)})
			}
		}
		return f
	}
	for range 60 {
		ask := 1 + stream.IntN(4)
		f := leaving(ask)
		s.compareOne(a, f, 1+stream.IntN(f.Count()), fmt.Sprint("--gres=gpu:", ask),
			"--ntasks-per-node=1")
	}
}

// submit submits a job and returns its number.
func (s *slurmctld) submit(args ...string) string {
	s.t.Helper()
	out, err := s.run("sbatch", append([]string{"--parsable", "--wrap=true"}, args...)...)
	if err != nil {
		s.t.Fatalf("sbatch %v: %s", args, out)
	}
	return strings.TrimSpace(out)
}

// started waits until no job waits.
func (s *slurmctld) started() {
	s.t.Helper()
	for range 200 {
		if out, err := s.run("squeue", "-h", "-t", "PD"); err == nil && out == "" {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.t.Fatal("jobs do not start")
}
