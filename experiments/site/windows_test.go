package site

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/scheduler"
)

// busyAndIdle is a log whose load changes from week to week.
func busyAndIdle(jobs int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	log, at, pause := "", 0.0, 0.0
	for i := range jobs {
		if i%150 == 0 {
			pause = 60 * math.Exp(rng.NormFloat64())
		}
		at += math.Round(pause * rng.ExpFloat64())
		log += job(i+1, at, math.Round(100*rng.ExpFloat64()), 1+rng.IntN(8))
	}
	return log
}

// The windows of a study have the load of the log, and are spread over its strata.
func TestWindowsHaveTheLoadOfTheLog(t *testing.T) {
	folder(t, map[string]string{"topology.conf": twoSwitches, "l.swf": busyAndIdle(8000)})
	s := must.Have(Read(Config{Topology: "topology.conf", Log: "l.swf", Out: "x.toml", Taper: 1,
		Share: 0.5, Preset: "hdr"}))
	jobs := must.Have(scheduler.ReadAll(must.Have(scheduler.OpenSWF("l.swf"))))
	ask := func(from, n int) (work, time float64) {
		for _, j := range jobs[from : from+n] {
			work += float64(j.Size) * j.RunTime / 8
		}
		return work, jobs[from+n-1].Submit - jobs[from].Submit
	}
	work, time := ask(0, len(jobs))
	load := work / time
	var all []float64 // of windows everywhere
	for from := 0; from+200 <= len(jobs); from++ {
		w, t := ask(from, 200)
		all = append(all, w/t)
	}
	slices.Sort(all)
	for _, n := range []int{5, 12, 25, 40} {
		s.ChooseWindows(n)
		w := s.windows
		if w.count != n || w.jobs != 200 || w.step < 200 {
			t.Fatalf("%d windows: %+v", n, w)
		}
		work, time, strata := 0.0, 0.0, map[int]bool{}
		for i := range n {
			a, b := ask(w.start+i*w.step, 200)
			work, time = work+a, time+b
			rank, _ := slices.BinarySearch(all, a/b)
			strata[5*rank/(len(all)+1)] = true
		}
		if off := work/time/load - 1; math.Abs(off) > 0.01 || math.Abs(w.meanLoad/(work/time)-1) > 1e-9 {
			t.Errorf("%d windows have a load of %.3f, as they say %.3f, the log %.3f", n, work/time,
				w.meanLoad, load)
		}
		if len(strata) != 5 {
			t.Errorf("%d windows lie in %d fifths of the log by load", n, len(strata))
		}
	}
	if measured, all := s.Measured(); measured != 40*160 || all != 8000 || s.MaxWindows() != 40 {
		t.Errorf("%d of %d jobs are measured, at most %d windows", measured, all, s.MaxWindows())
	}
}
