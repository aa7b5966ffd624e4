package site

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/internal/input"
)

// Numbers of moments of a log. Fewer than minMoments give too wide intervals: sizes of messages are
// left out before. More than maxMoments narrow little.
const (
	minMoments = 8
	maxMoments = 40
)

// secondsPerPacket is the pace of the forecast, of one processor: with 96 and 384 nodes runs took 1
// to 4 microseconds a packet. It is a constant, so that the same files give the same study on every
// machine.
const secondsPerPacket = 2e-6

// Cost is the expected number of packets of a moment of the log with a size of messages, under all
// allocators, loads and networks.
type Cost struct {
	Size    string
	Packets float64
}

// Fit keeps as many moments as fit into a time in seconds with all sizes of messages. If the fewest
// do not fit, it leaves out the sizes that take longest, but never all. It says what it left out,
// and if the fewest moments take longer.
func (s *Site) Fit(costs []Cost, limit float64) (notes []string) {
	kept := slices.SortedStableFunc(slices.Values(costs), func(a, b Cost) int {
		return cmp.Compare(a.Packets, b.Packets)
	})
	time := func() (seconds float64) { // of a moment
		for _, c := range kept {
			seconds += c.Packets * secondsPerPacket
		}
		return seconds
	}
	all := time()
	for len(kept) > 1 && minMoments*time() > limit {
		kept = kept[:len(kept)-1]
	}
	each := max(time(), 1e-9)
	s.Moments = int(min(maxMoments, max(minMoments, limit/each)))
	var left []string
	s.MessageSizes = slices.DeleteFunc(slices.Clone(s.MessageSizes), func(size string) bool {
		out := !slices.ContainsFunc(kept, func(c Cost) bool { return c.Size == size })
		if out {
			left = append(left, size)
		}
		return out
	})
	if s.leftOut = left; len(left) > 0 {
		notes = append(notes, fmt.Sprintf("messages of %s are left out: %d moments of all sizes take "+
			"--minutes %s", strings.Join(left, " and "), minMoments, minutes(minMoments*all)))
	}
	switch {
	case minMoments*each > limit:
		notes = append(notes, fmt.Sprintf("%d moments, the fewest, take about %s minutes, more than "+
			"--minutes %g", minMoments, minutes(minMoments*each), limit/60))
	case s.Moments < maxMoments:
		notes = append(notes, fmt.Sprintf("%d moments fit into --minutes %g; %d, with narrower "+
			"intervals, take --minutes %s", s.Moments, limit/60, maxMoments, minutes(maxMoments*each)))
	}
	return notes
}

// minutes returns seconds in minutes, rounded up to two digits.
func minutes(seconds float64) string {
	if seconds < 600 {
		return strconv.FormatFloat(math.Ceil(seconds/6)/10, 'f', -1, 64)
	}
	return strconv.FormatFloat(math.Ceil(seconds/60), 'f', -1, 64)
}

// Describe returns what the study simulates in words.
func (s *Site) Describe() string {
	return fmt.Sprintf("%s of %d jobs, whose load is %.3g; messages of %s",
		input.Plural(s.Moments, "moment"), len(s.load.sizes), s.load.wholeLoad(),
		strings.Join(s.MessageSizes, ", "))
}
