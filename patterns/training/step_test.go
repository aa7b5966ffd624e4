package training

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/patterns"
	"contend/patterns/tasks"
)

// small is a dense step of one rank, one layer and one microbatch.
func small() Step {
	return Step{Tensor: 1, Pipeline: 1, Expert: 1, Layers: 1, Hidden: 64, Sequence: 32,
		Microbatches: 1, Microbatch: 1, Bucket: 1}
}

// runAlone runs a graph where a message takes perByte cycles for each byte, however many there are,
// and returns the cycle of its end.
func runAlone(g *tasks.Graph, perByte int64) (now int64) {
	type flight struct {
		m  patterns.Message
		at int64
	}
	p := tasks.Work{Graph: g}.Program(patterns.Config{FlitBytes: 1}, 1).(patterns.Waking)
	var flights []flight
	send := func(batch []patterns.Message) {
		for _, m := range batch {
			flights = append(flights, flight{m, now + perByte*int64(m.Flits)})
			p.Sent(m)
		}
	}
	p.At(0)
	send(p.Start(nil))
	for !p.Done() {
		slices.SortStableFunc(flights, func(a, b flight) int { return cmp.Compare(a.at, b.at) })
		if next := must.Have(p.Next()); len(flights) == 0 || flights[0].at > next {
			now = next
			p.At(now)
			send(p.Wake(nil))
			continue
		}
		first := flights[0]
		flights = flights[1:]
		now = max(now, first.at)
		p.At(now)
		send(p.Delivered(nil, first.m))
	}
	return now
}

// sent returns the bytes that a rank sends, by tag.
func sent(g *tasks.Graph, r int) map[axis]int64 {
	sum := map[axis]int64{}
	for _, t := range g.Ranks[r] {
		if t.Kind == tasks.Send {
			sum[axis(t.Tag)] += t.Bytes
		}
	}
	return sum
}

// The bytes that a rank sends, in closed form: Narayanan et al. (SC 2021, sec. 3.2) for tensor and
// pipeline, a ring all-reduce for data.
func TestBytesOfRanks(t *testing.T) {
	const (
		layers, microbatches   = 8, 6
		data, tensor, pipeline = 4, 2, 4
		hidden, sequence       = 64, 32
		activation             = 2 * 3 * sequence * hidden
		layer                  = 12 * hidden * hidden * 2
		perStage               = layers / pipeline
	)
	for _, expert := range []int64{1, 2, 4} {
		passed := int64(activation)
		if expert == 2 {
			passed /= tensor
		}
		s := Step{SequenceParallel: expert == 2,
			Tensor: tensor, Pipeline: pipeline, Expert: int(expert), Layers: layers,
			Hidden: hidden, Sequence: sequence, Microbatches: microbatches, Microbatch: 3, Bucket: 1}
		g := must.Have(s.Graph(data * tensor * pipeline))
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
		for r := range g.Ranks {
			stage := int64(r / (data * tensor))
			got := sent(g, r)
			want := map[axis]int64{
				tensorAxis:  perStage * microbatches * 4 * activation * 2 * (tensor - 1) / tensor,
				forwardTag:  microbatches * passed * min(1, pipeline-1-stage),
				backwardTag: microbatches * passed * min(1, stage),
				dataAxis:    perStage * layer / tensor * 2 * (data - 1) / data,
			}
			if expert > 1 {
				same := data / expert
				want[expertAxis] = perStage * microbatches * 4 * activation / tensor * (expert - 1) / expert
				want[dataAxis] /= 3
				want[sameExpertAxis] = perStage * layer / 3 * 2 / tensor * 2 * (same - 1) / same
			}
			for a := tensorAxis; a <= backwardTag; a++ {
				if got[a] != want[a] {
					t.Errorf("expert = %d, rank %d, axis %d: %d bytes, want %d", expert, r, a, got[a], want[a])
				}
			}
		}
	}
}

// The bubble of 1F1B is (p-1)/(m+p-1) of a step on a network that takes no time (Narayanan et al.,
// SC 2021, sec. 2.2.1: (p-1)/m of the ideal time).
func TestBubble(t *testing.T) {
	for p := 1; p <= 6; p++ {
		for m := 1; m <= 9; m++ {
			s := small()
			s.Pipeline, s.Layers, s.Microbatches, s.FlopRate = p, 2*p, m, 1e9
			g := must.Have(s.Graph(p))
			attention, perceptron := s.times()
			ideal := int64(m) * 2 * 3 * (attention + perceptron)
			total := runAlone(g, 0)
			if (total-ideal)*int64(m+p-1) != total*int64(p-1) {
				t.Errorf("%d stages, %d microbatches: %d cycles, %d of them busy", p, m, total, ideal)
			}
		}
	}
}

// A stage runs at most one forward pass ahead for each later stage, and never keeps the activations
// of more microbatches.
func TestActivationsOf1F1B(t *testing.T) {
	for p := 1; p <= 6; p++ {
		for m := 1; m <= 9; m++ {
			s := Step{Pipeline: p, Microbatches: m}
			for stage := range p {
				kept, most, last := 0, 0, 0
				for _, x := range s.passes(stage) {
					if kept++; x.backward {
						kept -= 2
					}
					most = max(most, kept)
					if x.last {
						last++
					}
				}
				if kept != 0 || most != min(p-stage, m) || last != 1 {
					t.Errorf("stage %d of %d, %d microbatches: %d kept at most, %d at the end, %d last passes",
						stage, p, m, most, kept, last)
				}
			}
		}
	}
}

// Gradients are summed while earlier layers are computed: a step is longer than its computations by
// the time of the last bucket if messages are fast, and not by those of all buckets.
func TestGradientsOverlap(t *testing.T) {
	s := small()
	s.Layers, s.FlopRate = 4, 1e6
	g := must.Have(s.Graph(2))
	attention, perceptron := s.times()
	layer := int64(12 * 64 * 64 * 2)
	computing, bucket := 4*3*(attention+perceptron), layer // two steps of half of it
	if bucket > 2*(attention+perceptron) {
		t.Fatal("messages are too slow for this test")
	}
	if got := runAlone(g, 1); got != computing+bucket {
		t.Errorf("%d cycles, want %d of computing and %d of one bucket", got, computing, bucket)
	}
	s.Bucket = 4 * layer // nothing to overlap with
	g = must.Have(s.Graph(2))
	if got := runAlone(g, 1); got != computing+4*bucket {
		t.Errorf("%d cycles with one bucket, want %d and %d", got, computing, 4*bucket)
	}
}

// A stage passes its last gradients of activations on before it sends its last bucket, which no other
// stage waits for.
func TestStagesWaitForNoSum(t *testing.T) {
	s := small()
	s.Data, s.Pipeline, s.Layers, s.Microbatches, s.Bucket = 4, 3, 6, 5, 1<<30
	for r, list := range must.Have(s.Graph(12)).Ranks {
		last := map[axis]int{}
		for i := range list {
			if k := &list[i]; k.Kind == tasks.Send {
				last[axis(k.Tag)] = i
			}
		}
		for i := range list[:last[backwardTag]] {
			if axis(list[i].Tag) == dataAxis && list[i].Kind == tasks.Send {
				t.Errorf("rank %d: task %d sums before task %d passes on", r, i, last[backwardTag])
			}
		}
	}
}

// Steps of all algorithms and shapes have tasks that end, and that send what they receive.
func TestStepsAreChecked(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		s := small()
		s.Tensor, s.Pipeline, s.Expert = 1+rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(3)
		s.Layers, s.Microbatches = s.Pipeline*(1+rng.IntN(3)), 1+rng.IntN(4)
		s.Bucket = 1 << rng.IntN(20)
		s.Algorithm = Algorithm(Algorithms()[rng.IntN(len(Algorithms()))])
		s.FlopRate, s.Host = float64(rng.IntN(2))*1e9, s.Tensor
		g := must.Have(s.Graph(s.Tensor * s.Pipeline * s.Expert * (1 + rng.IntN(3))))
		if err := g.Check(); err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
	}
}

// Hierarchical sums of gradients send between hosts what a ring of hosts sends of the part of a
// rank, and in all as much as a ring of all ranks.
func TestHierarchicalSums(t *testing.T) {
	const hidden = 64
	for _, c := range []struct{ data, tensor, host int }{
		{8, 1, 4}, {8, 2, 4}, {6, 2, 4}, {4, 4, 4}, {4, 2, 8}, {6, 1, 2},
	} {
		s := small()
		s.Hidden, s.Tensor = hidden, c.tensor
		s.Collectives = Collectives{Algorithm: Hierarchical, Host: c.host}
		n := c.data * c.tensor
		g := must.Have(s.Graph(n))
		size := min(c.data, c.host/c.tensor) // ranks of a group on a host
		hosts := float64(c.data / size)
		vector := 12 * hidden * hidden * 2 / float64(c.tensor)
		for r, list := range g.Ranks {
			all, across := 0., 0.
			for _, x := range list {
				if x.Kind == tasks.Send && axis(x.Tag) == dataAxis {
					all += float64(x.Bytes)
					if int(x.Peer)/c.host != r/c.host {
						across += float64(x.Bytes)
					}
				}
			}
			want := 2 * (hosts - 1) / hosts * vector / float64(size)
			total := 2 * float64(c.data-1) / float64(c.data) * vector
			if math.Abs(across-want) > 8 || math.Abs(all-total) > 8 {
				t.Errorf("%+v, rank %d: %v bytes between hosts, want %v; %v in all, want %v", c, r, across,
					want, all, total)
			}
		}
	}
}

// The memory of GPT-3 with 175 billion parameters, 96 layers of width 12288 on 8 ranks of tensor and
// 8 stages: 16 bytes of each of its 12·96·12288² parameters over 64 ranks, and 13 s b h bytes
// for each of 12 layers and 8 microbatches of 2048 tokens. Fewer microbatches than stages are all
// under way, and more are not.
func TestMemoryOfARank(t *testing.T) {
	s := Step{Tensor: 8, Pipeline: 8, Layers: 96, Hidden: 12288, Sequence: 2048, Microbatch: 1,
		Microbatches: 64, Expert: 1}
	layer := 13.0 * 2048 * 12288
	for microbatches, underWay := range map[int]float64{64: 8, 8: 8, 3: 3} {
		s.Microbatches = microbatches
		states, activations := s.Needs()
		if want := 16.0 * 12 * 96 * 12288 * 12288 / 64; states != want {
			t.Errorf("states of %v bytes, want %v", states, want)
		}
		if want := layer * 12 * underWay; activations != want {
			t.Errorf("%d microbatches: activations of %v bytes, want %v", microbatches, activations, want)
		}
	}
	s.Microbatches, s.SequenceParallel = 8, true
	if _, activations := s.Needs(); activations != 34.0/8*2048*12288*12*8 {
		t.Errorf("activations of %v bytes with sequence parallelism", activations)
	}
	s.SequenceParallel = false
	states, activations := s.Needs()
	for memory, fits := range map[float64]bool{states + activations: true, states + activations - 1: false,
		0: true} {
		s.Memory = memory
		if _, err := s.Fit(64); (err == nil) != fits {
			t.Errorf("a memory of %v bytes: %v", memory, err)
		}
	}
}

func TestWrongSteps(t *testing.T) {
	for _, c := range []struct {
		change func(s *Step)
		n      int
		size   bool
		want   string
	}{
		{func(s *Step) { s.Tensor = 3 }, 8, true, "tensor = 3 and pipeline = 1 need a multiple of 3"},
		{func(s *Step) { s.Data = 3 }, 8, true, "need 3"},
		{func(s *Step) { s.Expert = 3 }, 8, true, "expert = 3 does not divide the 8 ranks along data"},
		{func(s *Step) { s.Pipeline = 2 }, 8, false, "1 layers on 2 stages"},
		{func(s *Step) { s.Hidden, s.Sequence = 1<<20, 1<<20 }, 8, false, "at most 2147483647"},
		{func(s *Step) { s.Hidden = 1 << 15 }, 8, false, "a collective has 0 to 2147483647"},
		{func(s *Step) { s.Microbatches, s.Layers = 1<<16, 1<<16 }, 1 << 12, false, "67108864 tasks"},
		{func(s *Step) { s.Memory = 1 }, 8, false, "a rank needs "},
		{func(s *Step) { s.Algorithm = "best" }, 8, false, `algorithm "best": there are ring, doubling`},
		{func(s *Step) { s.Algorithm, s.Host = Hierarchical, 3 }, 8, true,
			"a collective of 8 ranks from 0 on has different numbers of ranks on its hosts of 3"},
	} {
		s := small()
		c.change(&s)
		_, err := s.Graph(c.n)
		var size *patterns.SizeError
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &size) != c.size {
			t.Errorf("%+v: %v, want %s", s, err, c.want)
		}
	}
}

// A pipeline goes at the pace of its slowest stage, whichever that is.
func TestStragglerPacesPipeline(t *testing.T) {
	const p, m = 4, 32
	s := small()
	s.Pipeline, s.Layers, s.Microbatches, s.FlopRate = p, p, m, 1e9
	attention, perceptron := s.times()
	each := 3 * (attention + perceptron)
	g := must.Have(s.Graph(p))
	for slow := range p {
		factors := must.Have((&Stragglers{Factor: 2, Rank: slow, All: 1}).Factors(p, nil))
		got := runAlone(&tasks.Graph{Ranks: slowed(g, factors)}, 0)
		if least := 2 * m * each; got < least || got > least+2*(p-1)*each {
			t.Errorf("rank %d: %d cycles, want %d and at most a bubble", slow, got, least)
		}
	}
}

// slowed multiplies the times of a graph.
func slowed(g *tasks.Graph, factors []float64) (ranks [][]tasks.Task) {
	for r, list := range g.Ranks {
		list = slices.Clone(list)
		for i := range list {
			list[i].Time = int64(float64(list[i].Time) * factors[r])
		}
		ranks = append(ranks, list)
	}
	return ranks
}

func TestDrawnStragglers(t *testing.T) {
	const n = 2000
	s := Stragglers{Factor: 3, Rank: -1, Share: 0.25, All: 0.5}
	draw := func(seed uint64) []float64 {
		return must.Have(s.Factors(n, rand.New(rand.NewPCG(seed, 0))))
	}
	first := draw(1)
	if !slices.Equal(first, draw(1)) || slices.Equal(first, draw(2)) {
		t.Error("the seed does not decide who is slow")
	}
	slow := 0
	for _, f := range first {
		if f == 1.5 {
			slow++
		} else if f != 0.5 {
			t.Fatalf("a factor of %v", f)
		}
	}
	if slow < n/4-100 || slow > n/4+100 { // 5 standard deviations
		t.Errorf("%d of %d ranks are slow, want about %d", slow, n, n/4)
	}
	none := Stragglers{Factor: 1, Rank: -1, All: 1}
	if f := must.Have(none.Factors(n, nil)); f != nil {
		t.Error("factors without stragglers")
	}
	if _, err := (&Stragglers{Factor: 2, Rank: n, All: 1}).Factors(n, nil); err == nil {
		t.Error("a straggler that there is not")
	}
}

// The example of the package documentation: the passes of three stages and four microbatches.
func Example() {
	s := Step{Pipeline: 3, Microbatches: 4}
	for stage := range s.Pipeline {
		fmt.Print("stage ", stage, ": ")
		for _, p := range s.passes(stage) {
			if p.backward {
				fmt.Print("B")
			} else {
				fmt.Print("F")
			}
		}
		fmt.Println()
	}
	// Output:
	// stage 0: FFFBFBBB
	// stage 1: FFBFBFBB
	// stage 2: FBFBFBFB
}
