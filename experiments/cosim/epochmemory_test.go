package cosim

import (
	"fmt"
	"math"
	"testing"
)

// What was asked for lately is still known when the memory is full, and what was not is forgotten.
func TestMemoryForgets(t *testing.T) {
	m := newMemory(1 << 16)
	first := &knowledge{use: make([]linkUse, 10)}
	m.keep("first", first)
	m.keep("unused", &knowledge{})
	for i := range 10000 {
		m.keep(fmt.Sprint(i), &knowledge{use: make([]linkUse, 20)})
		if m.find("first") != first {
			t.Fatalf("what is asked for is forgotten after %d others", i)
		}
		if m.find(fmt.Sprint(i)) == nil {
			t.Fatalf("%d is not known", i)
		}
	}
	if m.find("unused") != nil {
		t.Error("what was not asked for is still known")
	}
	if n := len(m.young) + len(m.former); n > 2*(1<<16)/(20*16) {
		t.Errorf("%d courses are known, more than the limit allows", n)
	}
}

// Courses of the same programs at the same places are pooled, and what they show is recalled for
// as long as it is known well enough.
func TestMemoryPools(t *testing.T) {
	e := &epochs{known: newMemory(1 << 20), stage: &stage{settle: settling{half: 0.1}}}
	jobs := []*epochJob{{total: 1000, perIteration: 1}}
	learn := func(rate, half float64) *course {
		c := &component{jobs: jobs,
			course: &course{settled: true, legs: []leg{{rate: rate, half: half, end: -1}}}}
		e.remember(c)
		return c.course
	}
	if c := learn(0.9, 0.2); c.holds != 278 { // 1000/0.9 cycles, a quarter of them
		t.Errorf("one course holds for %d cycles", c.holds)
	}
	c := learn(1.1, 0.2)
	if g := c.legs[0]; math.Abs(g.rate-1) > 1e-9 || math.Abs(g.half-0.2/math.Sqrt2) > 1e-9 {
		t.Errorf("rate %v, half %v of two courses", g.rate, g.half)
	}
	if c.holds != 500 {
		t.Errorf("two courses hold for %d cycles", c.holds)
	}
	c.known.used = 200
	again := &component{jobs: jobs}
	if r := e.recall(again, 300); r == nil || r.holds != 300 {
		t.Errorf("recalled %+v, want 300 cycles", r)
	}
	if r := e.recall(again, 301); r != nil {
		t.Errorf("recalled %+v for longer than it is known well enough", r)
	}
}
