//go:build long

package report

import (
	"fmt"
	"strings"
	"testing"

	"contend/internal/must"
)

// Sec. 6: "The locally better decisions of MM+Inc seem to paint the algorithm
// into a corner over time": whoever is asked finds better processors after
// MC1x1 than after MM or MM+Inc. HilbertBF too leaves better ones than these.
// The log is whole: of its first 8000 jobs HilbertBF's row is 0.25% worse than
// that of MM+Inc unless ties are in node order.
func TestLongBenderTable1Corner(t *testing.T) {
	st := changedStudy(t, "bender-table1",
		[2]string{"workload.trace", "KTH-SP2-1996-2.swf.gz"}, [2]string{"machine.dims", "[10,10]"})
	must.Have(0, st.SetAxis("scheduler.decision", "mm"))
	r := ranStudy(t, st, 1)
	for _, good := range []string{"mc1x1", "best-fit-1d:hilbert"} {
		for _, corner := range []string{"mm", "mm-inc"} {
			a, b := meanAt(t, r, "decision_sum_pairwise_distance", good, "mm"),
				meanAt(t, r, "decision_sum_pairwise_distance", corner, "mm")
			if a >= b {
				t.Errorf("MM finds %.1f after %s and %.1f after %s", a, good, b, corner)
			}
		}
	}
}

// Sec. 5, of Table 1: "In each row, the algorithms are ranked in the order
// MM+Inc, MM, MC1x1, and HilbertBF."
func TestLongBenderTable1RankingInEachRow(t *testing.T) {
	for log, dims := range table1Logs {
		t.Run(log, func(t *testing.T) {
			r := table1(t, log, dims)
			verdicts := Compare(r)
			if len(verdicts) != 3 || !strings.Contains(verdicts[0].Rule, "mm-inc, mm, mc1x1") ||
				!verdicts[0].Pass {
				t.Errorf("%v", verdicts) // the others are of the paper's log, and of whole logs
			}
			for _, row := range []string{"mc1x1", "mm", "mm-inc", "best-fit-1d:hilbert"} {
				own := meanAt(t, r, "decision_sum_pairwise_distance", row, row)
				if sum := meanAt(t, r, "sum_pairwise_distance", row, "mm"); fmt.Sprintf("%.6f",
					own) != fmt.Sprintf("%.6f", sum) {
					t.Errorf("%s decides %v and is asked %v", row, sum, own)
				}
			}
		})
	}
}
