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

// Numbers of moments of a log. Fewer than minMoments give too wide intervals, and a size of messages
// that does not allow fewMoments is left out beside others. More than maxMoments narrow little.
const (
	minMoments = 5
	fewMoments = 8
	maxMoments = 40
)

// Cost is the expected time of a moment of the log with a size of messages, under all allocators and
// loads: 0 where it is unknown, because no probe got far enough.
type Cost struct {
	Size    string
	Seconds float64
}

// Fit keeps the sizes of messages of which as many as fewMoments moments fit into a time in seconds
// together, the cheapest first, and as many moments as fit. It says what it left out, and if the
// fewest moments take longer or may do so.
func (s *Site) Fit(costs []Cost, limit float64) (notes []string) {
	slices.SortStableFunc(costs, func(a, b Cost) int {
		if (a.Seconds == 0) != (b.Seconds == 0) { // unknown is long
			return cmp.Compare(b.Seconds, a.Seconds)
		}
		return cmp.Compare(a.Seconds, b.Seconds)
	})
	all, each := 0.0, costs[0].Seconds
	kept := costs[:1]
	for _, c := range costs {
		all += c.Seconds
	}
	for i := 1; i < len(costs) && costs[i].Seconds > 0 &&
		fewMoments*(each+costs[i].Seconds) <= limit; i++ {
		each, kept = each+costs[i].Seconds, costs[:i+1]
	}
	s.Moments = minMoments
	if each > 0 {
		s.Moments = int(min(maxMoments, max(minMoments, limit/each)))
	}
	var left []string
	s.MessageSizes = slices.DeleteFunc(slices.Clone(s.MessageSizes), func(size string) bool {
		out := !slices.ContainsFunc(kept, func(c Cost) bool { return c.Size == size })
		if out {
			left = append(left, size)
		}
		return out
	})
	if s.leftOut = left; len(left) > 0 {
		time := "for an unknown time"
		if costs[len(costs)-1].Seconds > 0 {
			time = "with --minutes " + minutes(fewMoments*all)
		}
		notes = append(notes, fmt.Sprintf("messages of %s are left out: %d moments of all sizes run %s",
			strings.Join(left, " and "), fewMoments, time))
	}
	switch {
	case each == 0:
		notes = append(notes, fmt.Sprintf("the time of %d moments, the fewest, is unknown: no probe got "+
			"far enough", minMoments))
	case minMoments*each > limit:
		notes = append(notes, fmt.Sprintf("%d moments, the fewest, take about %s minutes, more than "+
			"--minutes %g", minMoments, minutes(minMoments*each), limit/60))
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
