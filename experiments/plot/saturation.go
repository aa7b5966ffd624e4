package plot

import "math"

// EndAtSaturation ends a curve over offered load at the least load that saturates the network
// and crosses out the point there. A quantity that grows with the measurement window where the
// network is saturated, such as latency, has no value from there on; others, such as accepted
// load, stay.
func (s *Series) EndAtSaturation(saturated []bool, grows bool) {
	end := math.Inf(1)
	for i, load := range s.X {
		if saturated[i] {
			end = min(end, load)
		}
	}
	s.Crossed = make([]bool, len(s.X))
	for i, load := range s.X {
		s.Crossed[i] = load == end
		if grows && load >= end {
			s.Y[i], s.Low[i], s.High[i] = math.NaN(), math.NaN(), math.NaN()
		}
	}
}
