package metrics

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
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

// SumJobs returns the sums of the jobs that a source yields. It reads a copy of the source.
func SumJobs(source scheduler.Source) (s JobSums) {
	switch from := source.(type) {
	case *scheduler.List:
		for i := range from.Jobs {
			s.add(&from.Jobs[i])
		}
	case *scheduler.Synthetic:
		again := from.Again()
		for j, err := again.Next(); !errors.Is(err, io.EOF); j, err = again.Next() {
			s.add(&j)
		}
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
