package figures

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/experiments/spec/spectest"
)

// What the runs have not recorded is an error that names the flag, and so are points that a
// figure cannot tell apart.
func TestRecordedFiguresSayWhatIsMissing(t *testing.T) {
	r := experimentstest.Recorded(t, experimentstest.RecordedStudy, experiments.Tables{})
	for kind, flag := range map[string]string{"map": "--jobs-csv", "gantt": "--jobs-csv",
		"channel-load": "--links-csv", "waits": "--waits-csv", "series": "--series-csv",
		"ecdf": "--jobs-csv", "box": "--jobs-csv"} {
		f := experiments.Figure{Kind: kind, Name: kind, Where: map[string]any{"allocator": "mbs"}}
		_, err := DrawRecorded(r, &f, r.Names)
		spectest.MustBeInput(t, err)
		if !strings.Contains(err.Error(), flag) || !strings.Contains(err.Error(), "mbs") {
			t.Errorf("%s: %v", kind, err)
		}
	}
	f := experiments.Figure{Kind: "map", Name: "map"}
	err := DrawRecord(r, r.Folder.Dir, &f, FigureOptions{}, r.Names)
	spectest.MustBeInput(t, err)
	if !strings.Contains(err.Error(), "in where, such as allocator=mbs") {
		t.Error(err)
	}
}

// A study that lists such figures records what they are drawn from.
func TestStudyRecordsWhatItsFiguresNeed(t *testing.T) {
	text := experimentstest.RecordedStudy
	for _, kind := range experiments.RecordedKinds {
		text += fmt.Sprintf("[[figures]]\nname = %q\nkind = %q\nwhere = { allocator = \"mbs\" }\n",
			kind, kind)
	}
	r := experimentstest.Recorded(t, text, experiments.Tables{})
	if err := DrawFigures(r, r.Folder.Dir, FigureOptions{}, r.Names); err != nil {
		t.Fatal(err)
	}
	for _, kind := range experiments.RecordedKinds {
		for _, end := range []string{"svg", "png", "pdf", "csv"} {
			path := filepath.Join(r.Folder.Dir, "figures", kind+"."+end)
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("there is no %s: %v", path, err)
			}
		}
	}
}
