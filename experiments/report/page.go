package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

// DefaultLimit is the usual limit of recorded tables in a page, in bytes.
const DefaultLimit = 20 << 20

// PageOptions say how a page is written.
type PageOptions struct {
	// Limit is the largest size of the recorded tables in the page, in bytes from 0. Their JSON
	// counts. What does not fit is left out, and the page says so.
	Limit int
}

// view has the values that the template shows.
type view struct {
	Title        string
	Facts        *facts
	SpecFile     template.URL // the resolved study for downloading
	Summary      summary
	Comparison   comparison
	Paired       []paired
	Figures      []figureView
	FigureFailed string   // why a figure is missing, "" if none is
	Player       bool     // the page has the player
	Axes         []string // by which the player lets a reader choose a point
	LeftOut      string   // recorded tables that are not in the page, "" for none
	LimitMB      int      // of the recorded tables
	Islands      []island
	Style        template.CSS
	Script       template.JS
	Policy       template.HTML
}

// WritePage writes the results of a folder as a page.
func WritePage(w io.Writer, r *experiments.Results, o PageOptions) error {
	v := view{Title: cmp.Or(r.Study.Title, r.Study.Name), LimitMB: o.Limit >> 20,
		Summary:    summaryOf(r),
		Comparison: comparisonOf(r), Paired: pairedOf(r), Axes: r.AxisKeys()}
	var err error
	if v.Facts, err = factsOf(r); err != nil {
		return err
	}
	v.SpecFile = dataURL("application/toml", []byte(v.Facts.Spec))
	v.Figures, v.FigureFailed = figuresOf(r)
	if err := v.addPlayer(r, o.Limit); err != nil {
		return err
	}
	v.Style, v.Script, v.Policy = assets.style, assets.script, assets.policy
	var b bytes.Buffer
	if err := assets.page.Execute(&b, v); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// addPlayer adds the recorded tables and their index to the page.
func (v *view) addPlayer(r *experiments.Results, limit int) error {
	p, rec, err := record(r, limit)
	if err != nil {
		return err
	}
	v.LeftOut = rec.missing()
	if p == nil {
		return nil
	}
	index, err := islandOf("player-index", p)
	if err != nil {
		return err
	}
	v.Player, v.Islands = true, append([]island{index}, rec.islands...)
	return nil
}

// dataURL returns a data URL that holds a file.
func dataURL(media string, content []byte) template.URL {
	return template.URL("data:" + media + ";charset=utf-8;base64," +
		base64.StdEncoding.EncodeToString(content))
}

//go:embed assets
var files embed.FS

// assets are the template, the styles and the script of all pages.
var assets = load()

// common holds the parts that all pages have in common.
type common struct {
	page   *template.Template
	style  template.CSS
	script template.JS
	// policy forbids a page to load anything and to run any script but its own.
	policy template.HTML
}

// load reads the assets and computes the policy from the script.
func load() common {
	script := "\n\"use strict\";\n(function () {\n" + joined("base.js", "theme.js", "tables.js",
		"run.js", "chart.js", "map.js", "gantt.js", "lines.js", "details.js", "player.js") + "})();\n"
	sum := sha256.Sum256([]byte(script))
	return common{
		page:   template.Must(template.ParseFS(files, "assets/*.html")).Lookup("page.html"),
		style:  template.CSS("\n" + colourStyles() + joined("page.css", "player.css", "print.css")),
		script: template.JS(script),
		policy: template.HTML(`<meta http-equiv="Content-Security-Policy" content="` +
			"default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; " +
			"script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + `'">`),
	}
}

// joined returns the text of assets, one after the other.
func joined(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		text, err := files.ReadFile("assets/" + name)
		if err != nil {
			panic("page: " + err.Error())
		}
		b.Write(text)
	}
	return b.String()
}

// figureView is a figure of the page.
type figureView struct {
	Name        string
	Caption     string
	Description string        // how to read the figure
	Table       *tableView    // the numbers of a table, nil for a figure
	SVG         template.HTML // the figure as an element of the page
	SVGFile     template.URL  // the figure for downloading
	CSVFile     template.URL  // its numbers for downloading
	Wide        bool          // it takes the width of two columns
}

// figuresOf draws the study's figures. failed is the reason why one cannot be drawn, "" if all can.
func figuresOf(r *experiments.Results) (all []figureView, failed string) {
	for i := range r.Study.Figures {
		f := &r.Study.Figures[i]
		d, _, err := drawable(r, f)
		var v figureView
		if err == nil && d != nil {
			v, err = figureViewOf(r, f, d)
		}
		if err != nil {
			failed = cmp.Or(failed, fmt.Sprintf("figure %s: %v", f.Name, err))
		} else if d != nil {
			all = append(all, v)
		}
	}
	return all, failed
}

// figureViewOf draws a figure for the page.
func figureViewOf(r *experiments.Results, f *study.Figure, d plot.Drawable) (figureView, error) {
	var svg, numbers bytes.Buffer
	if err := plot.Render(&numbers, d, "csv"); err != nil {
		return figureView{}, err
	}
	_, description := d.About()
	v := figureView{Name: f.Name, Caption: cmp.Or(f.Title, f.YLabel), Description: description,
		CSVFile: dataURL("text/csv", numbers.Bytes())}
	if f.IsTable() {
		v.Table, v.Wide = &tableView{Grid: matrixOf(r, f).Plain()}, true
		return v, nil
	}
	if err := plot.Render(&svg, d, "svg"); err != nil {
		return figureView{}, err
	}
	v.SVG, v.Wide = inline(svg.String(), f.Name), wide(svg.String())
	v.SVGFile = dataURL("image/svg+xml", svg.Bytes())
	return v, nil
}

// svgWidth matches the width of a figure in points.
var svgWidth = regexp.MustCompile(`<svg [^>]*\bwidth="([0-9.]+)pt"`)

// wide reports whether an SVG file is wider than a column.
func wide(svg string) bool {
	const columnPoints = plot.OneColumnMM * 72 / 25.4
	match := svgWidth.FindStringSubmatch(svg)
	if match == nil {
		return false
	}
	width, err := strconv.ParseFloat(match[1], 64)
	return err == nil && width > 1.1*columnPoints
}

// inline returns an SVG file as an element of a page: without the declaration, and with a name
// if it has no title. The package plot escapes what names hold.
func inline(svg, name string) template.HTML {
	_, element, found := strings.Cut(svg, "<svg")
	if !found {
		panic("page: the figure " + name + " is no SVG")
	}
	begin, rest, _ := strings.Cut(element, ">")
	begin = strings.Replace(begin, ` role="img"`, "", 1)
	label := ""
	if !strings.Contains(rest, "<title>") {
		label = ` aria-label="` + template.HTMLEscapeString("Figure "+name) + `"`
	}
	return template.HTML(`<svg role="img"` + label + begin + ">" + rest)
}

// tableView is a table of the page.
type tableView struct {
	tables.Grid
	verdicts bool // the last column is within, outside or not run
}

// maxRows is the largest number of rows of a table in the page.
const maxRows = 2000

// Rows returns the rows that the page has.
func (v tableView) Rows() [][]string { return v.Cells[1:min(len(v.Cells), 1+maxRows)] }

// More points to the rows that the page leaves out, "" if it leaves out none.
func (v tableView) More() string {
	if len(v.Cells) > 1+maxRows {
		return "Further rows are in the files of the folder."
	}
	return ""
}

// Number reports whether a column holds numbers.
func (v tableView) Number(column int) bool {
	return column >= v.Left && !(v.verdicts && column == len(v.Cells[0])-1)
}

// Look returns the style of a cell: "good", "bad" or "".
func (v tableView) Look(column int, text string) string {
	if !v.verdicts || column < v.Left {
		return ""
	}
	return map[string]string{"within": "good", "outside": "bad"}[text]
}

// Bare returns the table without its heading.
func (v tableView) Bare() tableView {
	v.Heading = ""
	return v
}

// summary is the table of the study with its notes.
type summary struct {
	Table  tableView
	Notes  []string
	Others []tableView // break-evens
}

// summaryOf returns the tables of the study with the notes of its main table.
func summaryOf(r *experiments.Results) summary {
	s := summary{Table: tableView{Grid: tables.Table(r)}, Notes: tables.TableNotes(r)}
	for _, g := range tables.BreakEvens(r) {
		g.Heading += g.About
		s.Others = append(s.Others, tableView{Grid: g})
	}
	return s
}

// ruleView is a rule of the study with its verdict.
type ruleView struct {
	Verdict
	Cells   *tableView // published cells, nil for rules about measured values alone
	Heading string     // of the cells
	Details []string   // of a rule without cells
}

// comparison is the section on published values.
type comparison struct {
	Rules []ruleView
	Pass  int    // rules that hold
	Why   string // why there are no rules to judge by
}

// Shown reports whether the page has the comparison.
func (c comparison) Shown() bool { return c.Why != "" || len(c.Rules) > 0 }

// comparisonOf judges the results by the rules of the study.
func comparisonOf(r *experiments.Results) comparison {
	var c comparison
	if c.Why = Incomparable(r); c.Why != "" {
		return c
	}
	for _, j := range Judge(r) {
		v := ruleView{Verdict: j, Details: j.Details}
		if j.Cells != nil {
			v.Cells, v.Details = cellsView(j.Cells), nil
			v.Heading = fmt.Sprintf("%d published cells", len(j.Cells))
		}
		if j.Pass {
			c.Pass++
		}
		c.Rules = append(c.Rules, v)
	}
	return c
}

// cellsView returns the cells of a rule as a table.
func cellsView(cells []Cell) *tableView {
	v := &tableView{tables.Grid{Left: 1,
		Cells: [][]string{{"cell", "measured", "published", "ratio", "verdict"}}}, true}
	for _, c := range cells {
		row := []string{c.Name, "", tables.Significant(c.Published, 5), "", "not run"}
		if c.Run {
			row[1], row[4] = tables.MeanText(c.Measured), "outside"
		}
		if ratio := c.Ratio(); !math.IsNaN(ratio) {
			row[3] = tables.Significant(ratio, 4)
		}
		if c.Within {
			row[4] = "within"
		}
		v.Cells = append(v.Cells, row)
	}
	return v
}

// paired are the paired differences along one axis.
type paired struct {
	Key    string
	Notes  []string
	Tables []tableView
}

// pairedOf returns the paired differences along the axes that were compared with contend compare
// --by, else along the axis of allocators or the last one. An axis that cannot be compared is
// left out.
func pairedOf(r *experiments.Results) []paired {
	var all []paired
	for _, key := range comparedKeys(r) {
		c, err := tables.CompareBy(r, key)
		if err != nil {
			continue
		}
		metrics, err := c.Metrics(nil)
		if err != nil {
			continue
		}
		p := paired{Key: key, Notes: c.Caption(metrics)[1:]}
		for _, g := range c.Tables(metrics) {
			p.Tables = append(p.Tables, tableView{Grid: g})
		}
		all = append(all, p)
	}
	return all
}

// comparedKeys lists the axes whose values are compared.
func comparedKeys(r *experiments.Results) []string {
	keys := r.AxisKeys()
	stored := slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		if strings.ContainsAny(key, `/\`) {
			return true
		}
		_, err := os.Stat(filepath.Join(r.Folder.Dir, "comparison-"+key+".csv"))
		return err != nil
	})
	switch {
	case len(stored) > 0 || len(keys) == 0:
		return stored
	case slices.Contains(keys, "allocator"):
		return []string{"allocator"}
	}
	return keys[len(keys)-1:]
}
