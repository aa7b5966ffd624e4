package experiments

import (
	"contend/experiments/config"
	"testing"

	"contend/internal/must"
)

// Tasks of a cluster end in any order, so a replication may be there before those in front of it.
func TestWantedCountsRunsBehindAGap(t *testing.T) {
	st := mustParseSmall(t, steadyStudy) // 4 points of 4 replications
	folder := NewMemory("test")
	results := must.Have(folder.Results(st, config.Builtin()))
	for _, rep := range []int{0, 2, 3} {
		key := RunKey{results.Points[1].Hash, rep}
		folder.Records[key] = Record{Hash: key.Hash, Replication: rep, Version: "test"}
	}
	if done, all := results.Wanted(); done != 3 || all != 16 {
		t.Errorf("%d of %d runs, want 3 of 16", done, all)
	}
}
