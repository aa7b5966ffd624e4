package experiments

import (
	"contend/experiments/spec/input"
	"fmt"
	"math"
	"strings"
)

// String returns the expected time of the new runs in words.
func (f *Forecast) String() string {
	runs := input.Plural(f.New, "run")
	if f.Most > f.Runs {
		runs = "at least " + runs
	}
	on := fmt.Sprintf("on %s, %s", input.Plural(f.Workers, "worker"), runs)
	if f.Seconds == 0 {
		return "unknown time " + on + ": no probe got far enough"
	}
	points := input.Plural(len(f.firsts), "point")
	probes := fmt.Sprintf("from probes of %d of %s", f.Probed, points)
	if f.Seconds < aSecond {
		return fmt.Sprintf("%s %s (%s)", roundTime(f.Seconds), on, probes)
	}
	return fmt.Sprintf("about %s %s (%s to %s, %s)", roundTime(f.Seconds), on,
		roundTime(f.Low), roundTime(f.High), probes)
}

// Text returns the forecast as a dry run prints it. dir is the output folder.
func (f *Forecast) Text(dir string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s, of which %d in %s already and %d new\n",
		f.Study, input.Plural(f.Points, "point"), input.Plural(f.Runs, "run"), f.Done, dir, f.New)
	if f.Blocked > 0 {
		fmt.Fprintf(&b, "%s not counted: a log is missing\n", input.Plural(f.Blocked, "point"))
	}
	if f.Most > f.Runs {
		fmt.Fprintf(&b, "at most %s, as many as runs.max_relative_error asks for\n",
			input.Plural(f.Most, "run"))
	}
	if f.New > 0 {
		b.WriteString(f.String() + "\n")
	}
	return b.String()
}

// aSecond is the least number of seconds that roundTime rounds to 1.
const aSecond = 0.95

// roundTime returns seconds in words, with a suitable unit.
func roundTime(seconds float64) string {
	whole := func(x float64) float64 {
		if x < 10 {
			return math.Round(2*x) / 2
		}
		return math.Round(x)
	}
	switch {
	case seconds < aSecond:
		return "less than a second"
	case seconds < 59.5:
		return fmt.Sprintf("%g s", math.Round(seconds))
	case seconds < 59.5*60:
		return fmt.Sprintf("%g min", whole(seconds/60))
	case seconds < 47.5*3600:
		return fmt.Sprintf("%g h", whole(seconds/3600))
	}
	return fmt.Sprintf("%g days", whole(seconds/86400))
}
