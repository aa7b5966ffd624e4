package training

import (
	"fmt"
	"math"
	"math/rand/v2"

	"contend/patterns"
)

// Step describes a training step: the model, and how ranks share the work. All sizes are at least
// 1.
type Step struct {
	// Data, Tensor and Pipeline are the ranks along each axis of the grid. Data of 0 means the number
	// for which a job has ranks.
	Data, Tensor, Pipeline int
	// SequenceParallel says that each rank along tensor has a part of the tokens between layers.
	SequenceParallel bool
	// Expert is the number of ranks, and of experts, of a group along data; 1 for a dense model.
	Expert int
	// Layers is the number of layers of the model, a multiple of Pipeline. Hidden is its width, and
	// Sequence the number of tokens of a sequence.
	Layers, Hidden, Sequence int
	// Microbatches is the number of microbatches of a step, and Microbatch the number of sequences
	// of a microbatch.
	Microbatches, Microbatch int
	// Bucket is the minimum number of bytes of gradients that are summed at once, except for the
	// last ones.
	Bucket int64
	Collectives
	// Memory is the memory of a rank in bytes, above which a step does not fit; 0 for any.
	Memory float64
	// FlopRate is the rate at which a rank computes, in flop/s, at least 0; 0 for computations that
	// take no time.
	FlopRate float64
}

// numberBytes is the length of a number: activations and gradients in 16 bits.
const numberBytes = 2

// Fit returns the step with its ranks along data, for a job of n ranks. The error is a
// *patterns.SizeError if the other axes do not divide n.
func (s Step) Fit(n int) (Step, error) {
	if s.Layers%s.Pipeline != 0 {
		return s, fmt.Errorf("%d layers on %d stages of a pipeline: each stage needs as many layers, so "+
			"take a multiple", s.Layers, s.Pipeline)
	}
	each := s.Tensor * s.Pipeline
	switch {
	case s.Data == 0 && n%each != 0:
		return s, patterns.NewSizeError(fmt.Sprintf("%d ranks: tensor = %d and pipeline = %d need a "+
			"multiple of %d", n, s.Tensor, s.Pipeline, each))
	case s.Data != 0 && s.Data*each != n:
		return s, patterns.NewSizeError(fmt.Sprintf("%d ranks: data = %d, tensor = %d and pipeline = %d "+
			"need %d", n, s.Data, s.Tensor, s.Pipeline, s.Data*each))
	case s.Data == 0:
		s.Data = n / each
	}
	if s.Data%s.Expert != 0 {
		return s, patterns.NewSizeError(fmt.Sprintf("%d ranks: expert = %d does not divide the %d ranks "+
			"along data", n, s.Expert, s.Data))
	}
	if b := s.activation(); b > MaxCollectiveBytes {
		return s, fmt.Errorf("a microbatch has activations of %d bytes: at most %d are possible, so "+
			"take a shorter sequence or fewer sequences", b, int64(MaxCollectiveBytes))
	}
	if states, activations := s.Needs(); s.Memory > 0 && states+activations > s.Memory {
		return s, fmt.Errorf("a rank needs %.3g GB of states and %.3g GB of activations, and memory is "+
			"%.3g GB: take more ranks of tensor or pipeline", states/1e9, activations/1e9, s.Memory/1e9)
	}
	return s, nil
}

// stateBytes are those of a parameter under Adam in mixed precision: the parameter and its gradient
// in 16 bits, and parameter, momentum and variance in 32 bits (Rajbhandari et al., SC 2020, sec.
// 3.1).
const stateBytes = 16

// Needs returns the memory of a rank of the first stage in bytes: of parameters, gradients and
// optimizer states, none of which are divided along data, and of the activations of the microbatches
// that are under way in 1F1B (Narayanan et al., SC 2021, sec. 2.2.1), sbh(10 + 24/t) bytes a layer
// and microbatch, or 34sbh/t with sequence parallelism (Korthikanti et al., MLSys 2023, table 2,
// without those of attention that selective recomputation or fused attention leaves out).
// Embeddings, buffers and fragments are left out.
func (s *Step) Needs() (states, activations float64) {
	attention, perceptron := s.gradients()
	layers := float64(s.stageLayers())
	states = stateBytes / numberBytes * layers * float64(attention+perceptron)
	whole, divided := 10.0, 24.0
	if s.SequenceParallel {
		whole, divided = 0, 34
	}
	activations = layers * float64(min(s.Pipeline, s.Microbatches)) *
		float64(s.activation()/numberBytes) * (whole + divided/float64(s.Tensor))
	return states, activations
}

// Ranks returns the number of ranks of a step that fits.
func (s *Step) Ranks() int { return s.Data * s.Tensor * s.Pipeline }

// stageLayers is the number of layers of a stage.
func (s *Step) stageLayers() int { return s.Layers / s.Pipeline }

// activation is the length of the activations of a microbatch between two layers, in bytes.
func (s *Step) activation() int64 {
	return numberBytes * int64(s.Microbatch) * int64(s.Sequence) * int64(s.Hidden)
}

// passed is the length of what a rank sends to the next stage of a microbatch, in bytes.
func (s *Step) passed() int64 {
	if s.SequenceParallel {
		return max(1, s.activation()/int64(s.Tensor))
	}
	return s.activation()
}

// gradients returns the bytes of the gradients of the attention and of the perceptron of a layer at
// a rank.
func (s *Step) gradients() (attention, perceptron int64) {
	square := int64(s.Hidden) * int64(s.Hidden) * numberBytes / int64(s.Tensor)
	return 4 * square, 8 * square
}

// times returns the times of attention and perceptron of a layer in a forward pass, in
// nanoseconds.
func (s *Step) times() (attention, perceptron int64) {
	if s.FlopRate == 0 {
		return 0, 0
	}
	time := func(flop float64) int64 {
		return int64(math.Round(min(flop/float64(s.Tensor)/s.FlopRate*1e9, 1<<50)))
	}
	a, p := s.operations()
	return time(a), time(p)
}

// operations returns the floating-point operations of attention and perceptron of a layer in a
// forward pass, of all ranks along tensor.
func (s *Step) operations() (attention, perceptron float64) {
	tokens, hidden := float64(s.Microbatch)*float64(s.Sequence), float64(s.Hidden)
	return 8*tokens*hidden*hidden + 4*tokens*float64(s.Sequence)*hidden, 16 * tokens * hidden * hidden
}

// fullRate is the time in nanoseconds in which a rank does its operations of a step at FlopRate, 0
// without one. A backward pass has twice the operations of a forward pass.
func (s *Step) fullRate() float64 {
	if s.FlopRate == 0 {
		return 0
	}
	attention, perceptron := s.operations()
	passes := 3 * float64(s.stageLayers()) * float64(s.Microbatches)
	return passes * (attention + perceptron) / float64(s.Tensor) / s.FlopRate * 1e9
}

// place is the position of a rank in the grid.
type place struct{ tensor, data, stage int }

// placeOf returns the place of a rank.
func (s *Step) placeOf(r int) place {
	return place{r % s.Tensor, r / s.Tensor % s.Data, r / (s.Tensor * s.Data)}
}

// rankAt is the inverse of placeOf.
func (s *Step) rankAt(p place) patterns.Rank {
	return patterns.Rank(p.tensor + s.Tensor*(p.data+s.Data*p.stage))
}

// axis returns the process group of a rank along an axis, and the rank's number in it.
func (s *Step) axis(p place, of axis) (g Group, member int) {
	if of == tensorAxis {
		for t := range s.Tensor {
			g = append(g, s.rankAt(place{t, p.data, p.stage}))
		}
		return g, p.tensor
	}
	first, end, step := 0, s.Data, 1 // along data
	switch of {
	case expertAxis:
		first = p.data - p.data%s.Expert
		end = first + s.Expert
	case sameExpertAxis:
		first, step = p.data%s.Expert, s.Expert
	}
	for d := first; d < end; d += step {
		g = append(g, s.rankAt(place{p.tensor, d, p.stage}))
	}
	return g, (p.data - first) / step
}

// axis is a kind of process group. Its number is the tag of its messages: the collectives of a
// group follow each other. Two ranks may be in groups of different kinds that communicate at the
// same time only along data and among those with the same expert.
type axis int32

const (
	tensorAxis axis = iota
	expertAxis
	dataAxis
	sameExpertAxis // ranks with the same expert
	forwardTag     // messages to the next stage
	backwardTag    // messages to the stage before
)

// Stragglers select the ranks of a job that compute more slowly than others. Factors are at least
// 0.
type Stragglers struct {
	// Factor multiplies the times of a straggler's computations; 1 means no stragglers.
	Factor float64
	// Rank is a straggler, or -1 for none in particular.
	Rank int
	// Share is the probability with which each rank is drawn to be a straggler.
	Share float64
	// All multiplies the times of computations of all ranks.
	All float64
}

// Draws reports whether the stragglers are drawn.
func (s *Stragglers) Draws() bool { return s.Share > 0 && s.Factor != 1 }

// Factors returns the factor of each rank of a job, or nil if all are 1. The stream may be nil if
// nothing is drawn.
func (s *Stragglers) Factors(n int, stream *rand.Rand) ([]float64, error) {
	if s.Rank >= n {
		return nil, patterns.NewSizeError(fmt.Sprintf("%d ranks: the straggler is rank %d, and ranks "+
			"are 0 to %d", n, s.Rank, n-1))
	}
	factors := make([]float64, n)
	plain := true
	for r := range factors {
		factors[r] = s.All
		drawn := s.Draws() && stream != nil && stream.Float64() < s.Share
		if drawn || r == s.Rank {
			factors[r] *= s.Factor
		}
		plain = plain && factors[r] == 1
	}
	if plain {
		return nil, nil
	}
	return factors, nil
}
