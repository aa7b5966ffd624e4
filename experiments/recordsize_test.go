package experiments_test

import (
	"os"
	"path/filepath"
	"testing"

	"contend/experiments"
	"contend/experiments/config/configtest"
	"contend/experiments/experimentstest"
	"contend/experiments/sim"
	"contend/internal/must"
)

// The dry run says how much room records take, within a factor of 3.
func TestSizeOfRecordsIsForetold(t *testing.T) {
	const text = "name = \"r\"\n[workload]\njobs = 300\nside.max = 6\n" +
		"[workload.interarrival]\nmean = 100\n[runs]\nreplications = 2\n"
	for _, tables := range []experiments.Tables{{}, {Jobs: true}, {Links: true}, {Series: true},
		experimentstest.Everything} {
		r := must.Have(experimentstest.Record(t.TempDir(), text, tables))
		must.Have(tables, r.Folder.JoinAll(tables, r))
		kept := int64(0)
		for _, kind := range []string{"jobs", "links", "series", "load", "interference", "critical-path"} {
			for _, pattern := range []string{kind + ".csv", kind + ".d/*.csv"} {
				for _, path := range must.Have(filepath.Glob(filepath.Join(r.Folder.Dir, pattern))) {
					kept += must.Have(os.Stat(path)).Size()
				}
			}
		}
		runner := &experiments.Runner{Folder: experiments.NewMemory("test"), Names: configtest.Names(),
			Run: (&sim.Simulator{}).Run, Workers: 1, Tables: tables}
		f := must.Have(runner.Dry(t.Context(), r.Study))
		if f.RecordBytes > 3*kept || f.RecordBytes < kept/3 {
			t.Errorf("%+v: %d bytes foretold, %d there", tables, f.RecordBytes, kept)
		}
	}
}
