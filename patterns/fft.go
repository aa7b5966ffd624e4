package patterns

import "math/bits"

// fft makes the communication of a fast Fourier transform (Lo et al., CIS-TR-94-11, sec.
// 4.2). It is the binary-exchange algorithm of their source, Kumar et al. (1994): log2
// n exchanges between i and i xor 2^b, from the highest bit down or, with bits = lowest-first, from
// the lowest up. Each process sends one message in a phase, n log2 n messages in all.
func fft(s setting) Pattern {
	phases := bits.TrailingZeros32(uint32(s.n))
	return phased{phases, int64(s.n) * int64(phases), func(dst []Message, k int) []Message {
		bit := phases - 1 - k
		if s.Bits == "lowest-first" {
			bit = k
		}
		for from := range s.n {
			dst = s.send(dst, from, from^1<<bit)
		}
		return dst
	}}
}

// powerOfTwo reports whether n is 1, 2, 4, ...
func powerOfTwo(n int) bool { return n > 0 && n&(n-1) == 0 }
