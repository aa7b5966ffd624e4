package report

import (
	"encoding/json"
	"testing"

	"contend/experiments"
	"contend/experiments/report/floor"
	"contend/internal/must"
	"contend/router/topology"
)

// Jobs that run at the same time on nodes beside each other, or one after the other on a node,
// have different colours.
func TestNeighbouringJobsDiffer(t *testing.T) {
	r := ran(t, smallStudy, experiments.Tables{})
	partOf(t, r, "jobs", 0, 0, `job;submit;start;end;pattern;nodes
1;0;0;5;;0-1,6-7
2;0;0;100;;2-3,8-9
3;0;5;9;;0-1,6-7
4;0;9;12;;0
5;0;9;12;;1,6-7
6;0;12;20;;0-1
7;0;20;24;;0-1,6-7
8;0;24;28;;0-1
9;0;28;29;;0-1
10;0;29;30;;0-1
11;0;30;31;;0-1
12;0;31;32;;0-1
13;0;32;33;;0-1`)
	p, _, err := record(r, DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	got := p.Points[0].Runs[0].Colours
	if len(got) != 13 {
		t.Fatalf("the colours are %v", got)
	}
	for i, colour := range got {
		if i != 1 && colour == got[1] {
			t.Errorf("job 2 and its neighbour job %d have the colour %d of %v", i+1, colour, got)
		}
	}
	for _, pair := range [][2]int{{4, 5}, {3, 4}, {3, 5}, {4, 6}, {5, 6}, {6, 7}} {
		if got[pair[0]-1] == got[pair[1]-1] {
			t.Errorf("jobs %d and %d have the colour %d", pair[0], pair[1], got[pair[0]-1])
		}
	}
}

// A number with many digits stays a node.
func TestColoursOfOneNode(t *testing.T) {
	floor := floor.NewPlan(must.Have(topology.NewCube(
		topology.CubeConfig{Dims: []int{1_000_001}, Wrap: []bool{false}})))
	table := must.Have(json.Marshal(map[string]any{"start": []float64{0}, "end": []float64{1},
		"nodes": []any{1_000_000}}))
	if got, err := coloursOf(floor, table); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}
