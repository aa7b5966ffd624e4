package sim

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/scheduler"
)

// DescribeTrace reads a log and returns a description of its jobs. The argument processors is the
// size of the machine; 0 takes it from the header of the log.
func DescribeTrace(path string, format scheduler.SWFFormat, processors int) (string, error) {
	l, err := config.ReadLog(path, format)
	if err != nil {
		return "", err
	}
	jobs, err := scheduler.ReadAll(l)
	if err != nil {
		return "", &input.Error{Problem: err.Error()}
	}
	if processors == 0 {
		processors, _ = l.Processors()
	}
	s := scheduler.NewTraceStats(jobs, processors)
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-22s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("jobs", "%d, and %d lines left out", s.Jobs, l.Skipped)
	line("processors", "%d", s.Processors)
	if format.NodesField > 0 {
		line("sizes of jobs", "field %d of each line", format.NodesField)
	}
	line("submitted", "%s to %s s, %.1f days", seconds(s.First), seconds(s.Last),
		(s.Last-s.First)/86400)
	if s.SubmittedLoad > 0 {
		line("load", "%.4g", s.SubmittedLoad)
	}
	if s.LoadKnown {
		line("load by Eq. 2", "%.4g (Pascual et al. 2009)", s.Load)
	}
	line("work", "%.0f processor-seconds", s.Work)
	line("interarrival", "mean %.1f s, coefficient of variation %.2f", s.InterarrivalMean,
		s.InterarrivalCV)
	line("size", "mean %.2f, %.1f%% powers of two, %d different", s.MeanSize, 100*s.PowersOfTwo,
		len(s.Sizes))
	quantiles := func(name string, q scheduler.Quantiles) {
		line(name, "min %s, 25%% %s, median %s, 75%% %s, 90%% %s, 99%% %s, max %s, mean %.1f s",
			seconds(q.Min), seconds(q.Q25), seconds(q.Median), seconds(q.Q75), seconds(q.Q90),
			seconds(q.Q99), seconds(q.Max), q.Mean)
	}
	quantiles("run time", s.RunTime)
	if s.NoEstimate < s.Jobs {
		quantiles("estimate", s.Estimate)
	}
	line("no estimate", "%d of %d jobs", s.NoEstimate, s.Jobs)
	b.WriteString("\nsize  jobs\n")
	for _, c := range s.Sizes {
		fmt.Fprintf(&b, "%4d  %d\n", c.Size, c.Jobs)
	}
	warnings := l.Warnings
	if w := loadWarning(s.SubmittedLoad, s.Load, s.LoadKnown); w != "" {
		warnings = append(slices.Clip(warnings), w)
	}
	for _, w := range warnings {
		b.WriteString("\nwarning: " + w)
	}
	if len(warnings) > 0 {
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// seconds formats seconds with at most three decimals, and without trailing zeros.
func seconds(s float64) string {
	return strconv.FormatFloat(math.Round(s*1000)/1000, 'f', -1, 64)
}
