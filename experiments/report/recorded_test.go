package report

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/experiments/study"
)

// A study that lists such figures records what they are drawn from.
func TestStudyRecordsWhatItsFiguresNeed(t *testing.T) {
	text := experimentstest.RecordedStudy
	kinds := slices.DeleteFunc(slices.Clone(study.RecordedKinds), func(kind string) bool {
		return kind == study.CoverageKind // it compares two runs: see TestCoverageMarks
	})
	for _, kind := range kinds {
		text += fmt.Sprintf("[[figures]]\nname = %q\nkind = %q\nwhere = { allocator = \"mbs\" }\n",
			kind, kind)
	}
	r := experimentstest.Recorded(t, text, experiments.Tables{})
	if err := DrawFigures(r, r.Folder.Dir, FigureOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, kind := range kinds {
		for _, end := range []string{"svg", "png", "pdf", "csv"} {
			path := filepath.Join(r.Folder.Dir, "figures", kind+"."+end)
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("there is no %s: %v", path, err)
			}
		}
	}
}
