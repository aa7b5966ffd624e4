package spec

import (
	"fmt"
	"slices"
)

// The values of keys that have few are small constants in a Plan. Their names are
// the choices in the table of keys.

// Source says where the jobs of a run come from.
type Source uint8

// The sources.
const (
	SourceSynthetic Source = iota
	SourceSWF
	SourceLublin
	SourceCplantStream
	SourceTogether
	SourceTraffic
)

var sourceNames = []string{"synthetic", "swf", "lublin", "cplant-stream", "together", "traffic"}

func (s Source) String() string { return sourceNames[s] }

// RunKind says what jobs do while they run.
type RunKind uint8

// A job runs until its messages have arrived, or for its run time.
const (
	RunMessages RunKind = iota
	RunFixed
)

var runNames = []string{"messages", "fixed"}

func (r RunKind) String() string { return runNames[r] }

// JobField is a field of a job that decides its pattern.
type JobField uint8

// No field; the processors of the job as it is simulated; the number of its user or queue
// in the log.
const (
	ByJob JobField = iota
	BySize
	ByUser
	ByQueue
)

var jobFieldNames = []string{"job", "size", "user", "queue"}

func (f JobField) String() string { return jobFieldNames[f] }

// Overrun says what happens to a job that exceeds its estimate.
type Overrun uint8

// It goes on, it is killed, or its estimate is raised beforehand.
const (
	OverrunExtend Overrun = iota
	OverrunKill
	OverrunRaise
)

var overrunNames = []string{"extend", "kill", "raise"}

func (o Overrun) String() string { return overrunNames[o] }

// MissingEstimate says what a run assumes for a job without an estimate.
type MissingEstimate uint8

// The run time is assumed, or a multiple of it.
const (
	MissingRunTime MissingEstimate = iota
	MissingFactor
)

var missingNames = []string{"runtime", "factor"}

func (m MissingEstimate) String() string { return missingNames[m] }

// Measures says which measures of compactness are metrics.
type Measures uint8

// Means over jobs, or also weighted means and maxima.
const (
	MeasuresMean Measures = iota
	MeasuresAll
)

var measuresNames = []string{"mean", "all"}

func (m Measures) String() string { return measuresNames[m] }

// enumOf is the constant a name stands for. Names are checked as they are
// assigned, so that another one is a bug.
func enumOf[E ~uint8](names []string, name string) E {
	i := slices.Index(names, name)
	if i < 0 {
		panic(fmt.Sprintf("spec: %q is none of %q", name, names))
	}
	return E(i)
}
