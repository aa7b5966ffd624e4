package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
)

const smallStudy = `
name = "small"
title = "Two allocators on a small mesh"
cites = "Nobody, Nowhere, 1999"
doc = "Jobs send messages."
notes = ["The paper has no machine."]
primary = ["finish_time"]
[machine]
dims = [6, 4]
[workload]
jobs = 30
[job]
pattern = "all-to-all"
quota = { iterations = 0.5 }
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["random", "first-fit"]
[[figures]]
name = "finish"
title = "Finish time"
kind = "bars"
x = "allocator"
metric = "finish_time"
`

// ran runs a study into a folder and returns what is stored of it.
func ran(t *testing.T, text string, tables experiments.Tables) *experiments.Results {
	t.Helper()
	results, err := experimentstest.Record(t.TempDir(), text, tables)
	if err == nil {
		results, err = experiments.ReadFolder(results.Folder.Dir, results.Names)
	}
	if err != nil {
		t.Fatal(err)
	}
	return results
}

var pageRecorded = experiments.Tables{Jobs: true, Links: true, Series: true}

// written returns the page of results.
func written(t *testing.T, r *experiments.Results, limit int) string {
	t.Helper()
	var b bytes.Buffer
	if err := WritePage(&b, r, PageOptions{Limit: limit}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// saved writes a page into a file.
func saved(t *testing.T, page string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pageHas checks that a page has some texts.
func pageHas(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %s", text)
		}
	}
}

// hasNot checks that a page lacks some texts.
func hasNot(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if i := strings.Index(page, text); i >= 0 {
			t.Errorf("the page has %s: %.200s", text, page[max(0, i-60):])
		}
	}
}
