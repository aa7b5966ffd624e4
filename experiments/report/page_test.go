package report

import (
	"bytes"
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

// awkward replaces the title and the notes of smallStudy by texts with all characters that have a
// meaning in LaTeX, and some that its fonts lack.
var awkward = strings.NewReplacer("Two allocators on a small mesh",
	`A & B_{1}: 100% of #1, $2 ~ ^ \\ <λ×漢> | é`,
	"The paper has no machine.", "a--b ?` !` 'q' \\\"r\\\" "+strings.Repeat("f0", 60))

// An appendix has what a page has of the runs, and every character of it.
func TestAppendix(t *testing.T) {
	r := ran(t, awkward.Replace(smallStudy), experiments.Tables{})
	var b bytes.Buffer
	must.Do(WriteAppendix(&b, r))
	tex := b.String()
	for _, want := range []string{
		`\section{A \& B\_\{1\}: 100\% of \#1, \$2 \textasciitilde{} \textasciicircum{} ` +
			`\textbackslash{} $<$$\lambda$$\times$[U+6F22]$>$ $|$ é: what was run, and how to repeat it}`,
		`\label{app:small}`, "After Nobody, Nowhere, 1999.", `\item[Machine] mesh 6x4, 24 nodes`,
		`\item[Replications] 2 of each point`, `\item[Results] runs.jsonl has the SHA-256 `,
		`\item[Axis] \texttt{allocator}: random, first-fit`, "\\item a--b ?` !` 'q' \"r\" f0",
		`\strut{}contend\ run\ spec.\allowbreak{}toml\ -{}o\ again\par`,
		`\strut{}dims\ =\allowbreak{}\ [\allowbreak{}6,{}\allowbreak{}\ 4]\par`} {
		if !strings.Contains(tex, want) {
			t.Errorf("the appendix lacks %s", want)
		}
	}
	facts := must.Have(factsOf(r))
	if got := strings.Count(tex, `\strut{}`); got != strings.Count(facts.Spec+facts.Commands, "\n") {
		t.Errorf("the listings have %d lines", got)
	}
	for text, want := range map[string]string{"a  b'`": `a\ \ b\textquotesingle{}\textasciigrave{}`,
		`--x="1"`: `-{}-{}x=\allowbreak{}\symbol{34}1\symbol{34}`,
		`\{}`:     `\symbol{92}\symbol{123}\symbol{125}`,
		"\x1b<":   `[U+001B]\symbol{60}`, "0123456789abcdefg": `0123456789abcdef\allowbreak{}g`} {
		if got := texCode(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
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
	must.Have(0, r.Folder.WritePart("jobs", key, metrics.JobTable.Names(),
		table.TextRows([][]string{row})))
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
