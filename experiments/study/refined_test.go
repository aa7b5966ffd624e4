package study

import (
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/internal/must"
)

// refinedStudy has an override that sets a parameter of the values of an axis.
const refinedStudy = `
name = "s"
[machine]
dims = [4, 4]
[[variants]]
name = "plain"
[[variants]]
name = "mirrored"
[[axes]]
key = "variant"
values = ["plain", "mirrored"]
[[axes]]
key = "allocator"
values = ["paging:1", "mbs"]
[[overrides]]
when = { WHEN }
set = { "allocator.page_ranks" = "mirrored" }
[published]
csv = """
allocator,finish_time
paging:1,7
mbs,8
"""
`

// An override of a variant may set a parameter of an axis's value: the row keeps its name and its
// published figures, and the run is another one. Without the variant the name would be false.
func TestOverrideRefinesAValue(t *testing.T) {
	parse := func(when string) (*Study, error) {
		return Parse("s.toml", strings.Replace(refinedStudy, "WHEN", when, 1), config.Builtin())
	}
	st := must.Have(parse(`allocator = "paging:1", variant = "mirrored"`))
	points := must.Have(st.Points())
	rows := st.Published.Rows()
	for i, want := range []struct {
		allocator string
		published float64
	}{{"paging:1", 7}, {"mbs", 8}, {"paging:1,page_ranks=mirrored", 7}, {"mbs", 8}} {
		p := &points[i]
		if got := PublishedAt(rows, p)["finish_time"]; p.Spec.Allocator != want.allocator ||
			got != want.published {
			t.Errorf("%v: %s, published %v", p.Labels, p.Spec.Allocator, got)
		}
	}
	if points[0].Hash == points[2].Hash || points[1].Hash != points[3].Hash {
		t.Error("the hashes of the points do not follow their allocators")
	}
	_, err := parse(`allocator = "paging:1"`)
	if err == nil || !strings.Contains(err.Error(), "but an override sets it too") {
		t.Errorf("without the variant: %v", err)
	}
}
