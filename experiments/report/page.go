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
	"regexp"
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
		v.Table, v.Wide = &tableView{Grid: matrixOf(r, f).Grid(tables.MeanText)}, true
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
