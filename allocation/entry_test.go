package allocation_test

import (
	"slices"
	"testing"

	"contend/allocation"
	"contend/internal/call"
	"contend/internal/input"
)

// Calls are read, and written with bare values in the order in which parameters are declared.
func TestCallsOfAllocators(t *testing.T) {
	for text, want := range map[string]string{"random": "random", "paging": "paging:0",
		"paging:2,row-major": "paging:2", "paging:03": "paging:3", "paging:snake": "paging:0,snake",
		"paging:order=snake,page=1": "paging:1,snake", "first-fit:rotate": "first-fit:rotate",
		"first-fit:rotate=false": "first-fit", "best-fit:rotate,boundary": "best-fit:rotate,boundary",
		"frame-sliding:free": "frame-sliding:free", "mc:previous": "mc", "mc1x1:greedy": "mc1x1:greedy",
		"mc1x1-tie":                 "mc1x1-tie:2,13,20,6",
		"mc1x1-tie:greedy":          "mc1x1-tie:2,13,20,6,greedy",
		"mc1x1-tie:2,13,20,6,twice": "mc1x1-tie:2,13,20,6,twice",
		"mc1x1-tie:wall=0":          "mc1x1-tie:2,13,0,6", "optimal:1000000": "optimal",
		"optimal:500": "optimal:limit=500", "quasi-contiguous": "quasi-contiguous:0",
		"sum-of-squares:linear,hilbert": "sum-of-squares:hilbert,linear",
		"free-list:snake/x-y":           "free-list:snake/x-y", "free-list:row-major": "free-list",
		"slurm-tree:22.05": "slurm-tree:22.05", "slurm-block:16,4": "slurm-block:16,4"} {
		v, err := parsed(text)
		if err != nil || v.String() != want {
			t.Errorf("%q is %q, %v; want %q", text, v, err, want)
		}
		if again, err := parsed(v.String()); err != nil || again.String() != want {
			t.Errorf("%q is read as %q, %v", v, again, err)
		}
	}
}

// parsed reads a call.
func parsed(text string) (call.Values, *input.Error) {
	table := entries()
	i := slices.IndexFunc(table, func(e allocation.Entry) bool { return e.Name == call.Name(text) })
	return call.Parse(text, table[i].Parameters)
}
