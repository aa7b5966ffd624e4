package metrics

import (
	"math"

	"contend/router"
	"contend/scheduler"
)

const (
	// seriesBins is the greatest number of bins of a time series. A run of more than half as many
	// cycles has more than half as many bins.
	seriesBins = 512
	// binsPerLoad is the number of bins of a time series in a bin of load.csv.
	binsPerLoad = 8
)

// channelBins counts, for each channel and bin of time, the cycles in which the channel carried
// flits. Nobody knows the length of a run in advance. So bins begin one cycle wide, and where a
// flit lies behind the last, each two become one of twice the width. The counts are integers, and
// a bin of the final width holds the same whatever the order of the flits.
//
// channelBins implements router.Recorder.
type channelBins struct {
	links int
	shift uint     // a bin is 1 << shift cycles wide
	busy  []uint32 // cycles, by bin and link; as many bins as flits have reached
	// now returns the current cycle. Flits behind it stay in ahead, since the run may end before.
	now     func() int64
	ahead   []flitsAhead
	countAt int // length of ahead at which those of past cycles are counted
}

// flitsAhead are flits that an engine reported before their cycle.
type flitsAhead struct {
	link         router.Link
	from, cycles int64
}

// minAhead is the least length of ahead at which the flits of past cycles are counted.
const minAhead = 1 << 12

// newChannelBins returns empty bins for a number of channels.
func newChannelBins(links int, now func() int64) *channelBins {
	return &channelBins{links: links, now: now, countAt: minAhead}
}

// Carried implements router.Recorder.
func (b *channelBins) Carried(l router.Link, from, cycles int64) {
	if from+cycles <= b.now() {
		b.count(l, from, cycles)
		return
	}
	if n := len(b.ahead); n > 0 && b.ahead[n-1].link == l &&
		b.ahead[n-1].from+b.ahead[n-1].cycles == from { // the next flit of a packet
		b.ahead[n-1].cycles += cycles
		return
	}
	if b.ahead = append(b.ahead, flitsAhead{l, from, cycles}); len(b.ahead) < b.countAt {
		return
	}
	kept := b.ahead[:0]
	for _, f := range b.ahead {
		if f.from+f.cycles <= b.now() {
			b.count(f.link, f.from, f.cycles)
		} else {
			kept = append(kept, f)
		}
	}
	b.ahead, b.countAt = kept, max(minAhead, 2*len(kept))
}

// countAhead counts the flits ahead up to the end of the run.
func (b *channelBins) countAhead(end int64) {
	for _, f := range b.ahead {
		if cycles := min(f.cycles, end-f.from); cycles > 0 {
			b.count(f.link, f.from, cycles)
		}
	}
	b.ahead = nil
}

// count adds the cycles from one on in which a channel carries flits to their bins.
func (b *channelBins) count(l router.Link, from, cycles int64) {
	for until := from + cycles; from < until; {
		bin := from >> b.shift
		if bin >= seriesBins {
			b.double()
			continue
		}
		end := min(until, (bin+1)<<b.shift)
		i := int(bin)*b.links + int(l)
		if n := (int(bin) + 1) * b.links; n > len(b.busy) {
			b.busy = append(b.busy, make([]uint32, n-len(b.busy))...)
		}
		b.busy[i] = addBusy(b.busy[i], uint64(end-from))
		from = end
	}
}

// double joins each two bins to one of twice the width.
func (b *channelBins) double() {
	bins := len(b.busy) / b.links
	for bin := range bins {
		from, to := b.busy[bin*b.links:][:b.links], b.busy[bin/2*b.links:][:b.links]
		if bin%2 == 0 {
			copy(to, from)
			continue
		}
		for l := range to {
			to[l] = addBusy(to[l], uint64(from[l]))
		}
	}
	b.busy = b.busy[:(bins+1)/2*b.links]
	b.shift++
}

// addBusy adds busy cycles to a count. It panics on an overflow: a channel that is busy for 2^32
// cycles of one bin takes minutes of simulation.
func addBusy(count uint32, more uint64) uint32 {
	sum := uint64(count) + more
	if sum > math.MaxUint32 {
		panic("metrics: a channel is busy for more than 2^32 cycles of one bin of series.csv")
	}
	return uint32(sum)
}

// widen makes bins at least 1 << shift cycles wide.
func (b *channelBins) widen(shift uint) {
	for b.shift < shift {
		b.double()
	}
}

// busyIn returns the cycles in which each channel was busy in a bin, nil if no flit reached the
// bin.
func (b *channelBins) busyIn(bin int) []uint32 {
	if (bin+1)*b.links > len(b.busy) {
		return nil
	}
	return b.busy[bin*b.links:][:b.links]
}

// binsOf returns the width of the bins of a run that ends in a cycle, as a power of two, and their
// number, at most seriesBins.
func binsOf(end scheduler.Cycle) (shift uint, bins int) {
	for end > seriesBins<<shift {
		shift++
	}
	return shift, int((end + 1<<shift - 1) >> shift)
}
