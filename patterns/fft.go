package patterns

import "math/bits"

// FFT is the communication of a fast Fourier transform (Lo et al., CIS-TR-94-11, sec.
// 4.2). It is the binary-exchange algorithm of their source, Kumar et al. (1994): log2
// n exchanges between i and i xor 2^b, from the highest bit down. Each process sends
// one message in a phase, n log2 n messages in all. FFT panics unless n is a power of
// two.
func FFT(n int, flits int32) Pattern { return newFFT(n, flits, false) }

// newFFT returns an FFT, from the lowest bit up if lowestFirst is set, as in decimation in time.
func newFFT(n int, flits int32, lowestFirst bool) Pattern {
	if !powerOfTwo(n) {
		panic("patterns: an FFT has a power of two of processes")
	}
	return fft{newGroup(n, flits), lowestFirst}
}

type fft struct {
	group
	lowestFirst bool
}

func (p fft) Phases() int     { return bits.TrailingZeros32(uint32(p.n)) }
func (p fft) Messages() int64 { return int64(p.n) * int64(p.Phases()) }

func (p fft) Phase(dst []Message, k int) []Message {
	bit := p.Phases() - 1 - k
	if p.lowestFirst {
		bit = k
	}
	for from := range p.n {
		dst = p.send(dst, from, from^1<<bit)
	}
	return dst
}

// powerOfTwo reports whether n is 1, 2, 4, ...
func powerOfTwo(n int) bool { return n > 0 && n&(n-1) == 0 }
