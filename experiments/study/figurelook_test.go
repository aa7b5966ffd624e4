package study

import (
	"fmt"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/internal/must"
)

// figureStudy has a figure with further keys and a number of allocators.
func figureStudy(keys string, allocators int) string {
	var values []string
	for i := range allocators {
		values = append(values, fmt.Sprintf("%q", fmt.Sprint("paging:", i%4, ",",
			[]string{"row-major", "snake", "shuffled-snake"}[i/4])))
	}
	return "name = \"x\"\n[[axes]]\nkey = \"allocator\"\nvalues = [" + strings.Join(values, ", ") +
		"]\n[[axes]]\nkey = \"job.pattern\"\nvalues = [\"fft\", \"ring\"]\n[[figures]]\n" +
		"name = \"f\"\nkind = \"bars\"\nx = \"job.pattern\"\nseries = \"allocator\"\n" +
		"metric = \"finish_time\"\n" + keys
}

func TestBadLooksOfFigures(t *testing.T) {
	for keys, want := range map[string]string{
		`labels = { fft = 3 }`:             "figures[0].labels.fft",
		`labels = { mbs = "MBS" }`:         `figures[0].labels names "mbs", which is no value`,
		`y_limits = [1]`:                   "figures[0].y_limits is [1]",
		"log_y = true\ny_limits = [0, 1]":  "logarithmic axis are above 0",
		`width_mm = 10`:                    "figures[0].width_mm is 10",
		`aspect = 30`:                      "figures[0].aspect is 30",
		`labels = { ring = "\U0001F600" }`: "its font lacks a character",
		"bands = 3":                        "figures[0].bands",
		`width_mm = "wide"`:                "figures[0].width_mm",
		"labels = 3":                       "figures[0].labels",
		"x_limits = [2, 1]":                "figures[0].x_limits is [2 1]",
	} {
		_, err := Parse("x.toml", figureStudy(keys, 2), config.Builtin())
		checkError(t, err, keys, want)
	}
	text := strings.Replace(figureStudy("", 2), "name = \"x\"\n",
		"name = \"x\"\nlabels = { rong = \"a ring\" }\n", 1)
	_, err := Parse("x.toml", text, config.Builtin())
	checkError(t, err, "a label of no axis", `labels names "rong"`)
	good := "labels = { fft = \"F\" }\ny_limits = [0, 2]\n" +
		"width_mm = 100\naspect = 0.5\nx_limits = [0, 1]\n"
	st := must.Have(Parse("x.toml", figureStudy(good, 2), config.Builtin()))
	if text := st.TOML("v"); !strings.Contains(text, `labels = { "fft" = "F" }`) ||
		!strings.Contains(text, "y_limits = [0.0, 2.0]") {
		t.Errorf("the resolved study lacks keys of the look:\n%s", text)
	}
}

// Nine series can be told apart. More are refused, or left out where flags made them.
func TestCrowdedFigures(t *testing.T) {
	if _, err := Parse("x.toml", figureStudy("", 9), config.Builtin()); err != nil {
		t.Error(err)
	}
	_, err := Parse("x.toml", figureStudy("", 10), config.Builtin())
	checkError(t, err, "ten series", "the figure f has 10 series, and 9 can be")
	if _, err := Parse("x.toml", figureStudy("relative_to = \"paging:0\"\n", 10),
		config.Builtin()); err != nil {
		t.Errorf("nine series and their reference: %v", err)
	}
	st := must.Have(Parse("x.toml", figureStudy("", 2), config.Builtin()))
	if err := st.SetAxis("allocator", "paging:0,paging:1,paging:2,paging:3,mbs,random,first-fit,"+
		"best-fit,frame-sliding,buddy2d"); err != nil {
		t.Fatal(err)
	}
	notes := st.SplitFigures()
	if len(st.Figures) != 0 || len(notes) != 1 || !strings.Contains(notes[0], "left out") {
		t.Errorf("%d figures, notes %q", len(st.Figures), notes)
	}
}
