package report

import (
	"bytes"
	"cmp"
	"html/template"
	"regexp"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/plot"
	"contend/experiments/study"
)

// figureView is a figure of the page.
type figureView struct {
	Name    string
	Caption string
	// Description says how to read the figure.
	Description string
	SVG         template.HTML
	// SVGFile and CSVFile are the figure and its numbers for downloading.
	SVGFile template.URL
	CSVFile template.URL
	Wide    bool // the figure takes the width of two columns
}

// figuresOf draws the study's figures. failed is the reason why one cannot be drawn, "" if all can.
func figuresOf(r *experiments.Results) (all []figureView, failed string) {
	err := EachFigure(r, func(f *study.Figure, d plot.Drawable) error {
		var svg, numbers bytes.Buffer
		if err := plot.Render(&svg, d, "svg"); err != nil {
			return err
		}
		if err := plot.Render(&numbers, d, "csv"); err != nil {
			return err
		}
		_, description := d.About()
		v := figureView{Name: f.Name, Caption: cmp.Or(f.Title, f.YLabel), Description: description,
			SVG: inline(svg.String(), f.Name), Wide: wide(svg.String()),
			SVGFile: dataURL("image/svg+xml", svg.Bytes()),
			CSVFile: dataURL("text/csv", numbers.Bytes())}
		all = append(all, v)
		return nil
	})
	if err != nil {
		failed = err.Error()
	}
	return all, failed
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
