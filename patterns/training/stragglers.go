package training

import (
	"fmt"
	"math/rand/v2"

	"contend/patterns"
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
