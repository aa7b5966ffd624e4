package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/internal/must"
	"contend/internal/table"
)

func TestPageSaysWhatWasRun(t *testing.T) {
	page := writtenPage(t, ran(t, smallStudy, experiments.Tables{}), DefaultLimit)
	pageHas(t, page, "<title>Two allocators on a small mesh</title>", "Nobody, Nowhere, 1999",
		"mesh 6x4, 24 nodes", "<dd>2 of each point</dd>", "<dd>contend test</dd>",
		"runs.jsonl has the SHA-256 ", "contend run spec.toml -o again", "The paper has no machine.",
		"dims = [6, 4]", `download="spec.toml"`, "first-fit", "Paired differences",
		`download="finish.csv"`, "<b>finish</b>: Finish time", "Bars: finish time",
		"contend run STUDY --record")
	hasNot(t, page, "compare again", "Comparison with published values", `id="player"`, "ZgotmplZ")
}

// Nothing in the page is loaded: every address is within the page or holds its content.
func TestPageNeedsNothingFromOutside(t *testing.T) {
	page := writtenPage(t, ran(t, smallStudy, pageRecorded), DefaultLimit)
	addresses := regexp.MustCompile(`\s(?:href|src|action|srcset|data)="([^"]*)"`)
	found := addresses.FindAllStringSubmatch(page, -1)
	if len(found) < 8 {
		t.Errorf("%d addresses", len(found))
	}
	for _, match := range found {
		if a := match[1]; !strings.HasPrefix(a, "#") && !strings.HasPrefix(a, "data:") {
			t.Errorf("the page refers to %.80s", a)
		}
	}
	hasNot(t, page, "@import", "url(h", "fetch(", "XMLHttpRequest", "<link", "<iframe")
	pageHas(t, page, "default-src 'none'", "script-src 'sha256-")
}

// Nothing that a study or a table names becomes part of the page's markup or scripts.
func TestHostileNames(t *testing.T) {
	page := hostilePage(t)
	hasNot(t, page, "<script>document", "<img src")
	if n := strings.Count(page, "</script>"); n != strings.Count(page, "<script") {
		t.Errorf("%d scripts end, %d begin", n, strings.Count(page, "<script"))
	}
	pageHas(t, page, `id="player"`, "&lt;img src=x", `\u003cimg src=x`)
}

// hostilePage returns a page of a study whose names and values try to be scripts.
func hostilePage(t *testing.T) string {
	t.Helper()
	const evil = `</script><script>document.title=1</script><img src=x onerror=evil()>`
	text := strings.NewReplacer("Two allocators on a small mesh", evil, "Nobody, Nowhere, 1999", evil,
		"The paper has no machine.", evil, "Jobs send messages.", evil,
		`title = "Finish time"`, `title = "`+evil+`"`,
		"[machine]", "[[variants]]\nname = \""+evil+"\"\n[machine]",
		"[[figures]]", "[[axes]]\nkey = \"variant\"\nvalues = [\""+evil+"\"]\n[[figures]]",
		`metric = "finish_time"`, "metric = \"finish_time\"\nseries = \"variant\"\n"+
			"y_label = \""+evil+`"`).Replace(smallStudy)
	r := ran(t, text, experiments.Tables{})
	key := experiments.RunKey{Hash: r.Points[0].Hash}
	row := make([]string, len(metrics.JobTable.Names()))
	for i, name := range metrics.JobTable.Names() {
		row[i] = map[string]string{"nodes": "0-2", "pattern": evil, "end": "9"}[name]
		if row[i] == "" {
			row[i] = "1"
		}
	}
	must.Have(0, r.Folder.WritePart("jobs", key, metrics.JobTable.Names(), table.TextRows([][]string{row})))
	return writtenPage(t, r, DefaultLimit)
}

func TestComparison(t *testing.T) {
	const rules = `
[published]
csv = """
allocator,finish_time
random,1
first-fit,1
"""
[[tolerances]]
rule = "ratio"
metric = "finish_time"
within = 0.1
why = "a whim"
[[tolerances]]
rule = "ranking"
metric = "finish_time"
ranking = ["random", "first-fit"]
within = 0.99
`
	page := writtenPage(t, ran(t, smallStudy+rules, experiments.Tables{}), DefaultLimit)
	pageHas(t, page, "1 of 2 rules hold", "Why this tolerance: a whim", `<td class="bad">outside</td>`,
		"contend compare again", `<span class="verdict good">pass</span>`,
		`<span class="verdict bad">FAIL</span>`)
	hasNot(t, page, `<td class="good">within</td>`)
}

// A figure that cannot be drawn does not keep the others from the page, which gives the reason.
func TestFigureThatFails(t *testing.T) {
	r := ran(t, smallStudy+`
[[figures]]
name = "places"
kind = "map"
where = { allocator = "random" }
`, experiments.Tables{})
	if page := writtenPage(t, r, DefaultLimit); strings.Contains(page, "Not all figures") {
		t.Error("a figure fails without need")
	}
	must.Have(0, os.RemoveAll(filepath.Join(r.Folder.Dir, "jobs.d")))
	page := writtenPage(t, r, DefaultLimit)
	pageHas(t, page, "Not all figures can be drawn: figure places: ", "<b>finish</b>: Finish time")
	hasNot(t, page, "<b>places</b>")
}
