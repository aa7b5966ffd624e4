package scheduler

import (
	"fmt"
	"strings"
	"testing"

	"contend/internal/must"
)

// A log of 21 fields, the twentieth of which has the nodes, has the jobs of the log of 18 fields
// whose processors are those nodes.
func TestNodesOfALaterField(t *testing.T) {
	var more, standard strings.Builder
	for i, nodes := range []string{"3", "-1", "8", "1"} {
		id := fmt.Sprint(i + 1)
		more.WriteString(line(map[int]string{1: id, 5: "448", 8: "448", 18: "-1 x " + nodes + " 0.5"}))
		standard.WriteString(line(map[int]string{1: id, 5: nodes, 8: "-1"}))
	}
	format := SWFFormat{NodesField: 20}
	a := must.Have(format.Read("more.swf", strings.NewReader(more.String())))
	b := must.Have(readString(standard.String()))
	jobs := must.Have(ReadAll(a))
	for i, want := range must.Have(ReadAll(b)) {
		got := jobs[i]
		if got.SWF[swfAllocated] != 448 {
			t.Errorf("job %d: field 5 is %v", got.ID, got.SWF[swfAllocated])
		}
		if got.SWF, want.SWF = nil, nil; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("job %+v, want %+v", got, want)
		}
	}
	if len(jobs) != 3 || a.Skipped != 1 {
		t.Errorf("%d jobs, %d skipped, want 3 and 1", len(jobs), a.Skipped)
	}
	for text, want := range map[string]string{
		line(nil): "more.swf:1: 18 fields: field 20 should have the number of nodes",
		line(map[int]string{18: "-1 x y"}): `more.swf:1:20: field 20 (nodes) is "y": it should be a ` +
			`number, or -1 where unknown`,
		line(map[int]string{18: "-1 x 2.5"}): "more.swf:1:20: field 20 (nodes) is 2.5: it should be a " +
			"whole number of nodes, at most 2147483647",
	} {
		if _, err := format.Read("more.swf", strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := (SWFFormat{NodesField: 18}).Read("", strings.NewReader("")); err == nil {
		t.Error("a field of the standard is taken")
	}
}
