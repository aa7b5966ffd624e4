package metrics

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"iter"
	"math"

	"contend/scheduler"
)

// JobSums are checksums of the jobs of a run in order of submission, one for each property. Two
// runs have the same jobs if their sums are equal, whatever keys they were made by.
type JobSums struct {
	Jobs        int    `json:"jobs"` // 0: there are none, or nobody recorded them
	Sizes       uint32 `json:"sizes"`
	Submissions uint32 `json:"submissions"`
	RunTimes    uint32 `json:"run_times"`
	Patterns    uint32 `json:"patterns"` // places in the list of patterns
	Quotas      uint32 `json:"quotas"`   // messages, and computing between them
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Jobs yields the jobs of a source and leaves the source as it is: it draws those of a generated
// stream a second time.
func Jobs(source scheduler.Source) iter.Seq[*scheduler.Job] {
	list, _ := source.(*scheduler.List)
	stream, drawn := source.(*scheduler.Synthetic)
	return func(yield func(*scheduler.Job) bool) {
		for i := 0; list != nil && i < len(list.Jobs) && yield(&list.Jobs[i]); i++ {
		}
		if drawn {
			again := stream.Again()
			for j, err := again.Next(); !errors.Is(err, io.EOF) && yield(&j); j, err = again.Next() {
			}
		}
	}
}

// SumJobs returns the sums of the jobs of a source.
func SumJobs(source scheduler.Source) (s JobSums) {
	for j := range Jobs(source) {
		s.add(j)
	}
	return s
}

// add adds the next job.
func (s *JobSums) add(j *scheduler.Job) {
	s.Jobs++
	sum := func(to *uint32, values ...uint64) {
		var b [8]byte
		for _, v := range values {
			binary.LittleEndian.PutUint64(b[:], v)
			*to = crc32.Update(*to, castagnoli, b[:])
		}
	}
	sum(&s.Sizes, uint64(j.Size))
	sum(&s.Submissions, math.Float64bits(j.Submit))
	sum(&s.RunTimes, math.Float64bits(j.RunTime))
	sum(&s.Patterns, uint64(j.Pattern))
	sum(&s.Quotas, uint64(j.Quota), uint64(j.Lead), uint64(j.Compute))
}

// Differ lists the properties in which the jobs of two runs differ. All properties differ where
// one run has more jobs; then it lists their number alone.
func (s JobSums) Differ(other JobSums) (list []string) {
	if s.Jobs != other.Jobs {
		return []string{"number"}
	}
	for _, of := range []struct {
		name string
		a, b uint32
	}{{"sizes", s.Sizes, other.Sizes}, {"submissions", s.Submissions, other.Submissions},
		{"run times", s.RunTimes, other.RunTimes}, {"patterns", s.Patterns, other.Patterns},
		{"quotas", s.Quotas, other.Quotas}} {
		if of.a != of.b {
			list = append(list, of.name)
		}
	}
	return list
}
