// Package report makes the files and pages that a reader sees of the results of a study: figures
// with captions, of metrics and of what runs recorded over time and place (DrawFigures); verdicts of
// its rules, measured against published numbers, orders and a reference (Compare, Judge); and one
// HTML page (WritePage). WriteFiles writes all of them into the folder of the study. The same
// results give the same bytes.
//
// For example, a study with the axis allocator has the figure
//
//	[[figures]]
//	name = "finish"
//	kind = "bars"
//	x = "allocator"
//	metric = "finish_time"
//
// The row of bars in study.FigureKinds has checked these keys before the first run. DrawFigures
// looks up the row of bars here (kinds.go). Its function collects the estimate of finish_time at
// each point, with its interval (figure.go), the figure gets its names and limits (figurelook.go),
// and its caption says how many runs were made on which machine (captions.go). Package plot draws
// figures/finish.svg, .png, .pdf and .csv (writefiles.go), and the page has the same figure
// (page.go).
//
// The page needs nothing from outside: what was run (pagefacts.go), the tables and the figures
// (page.go), and a player of the machine where runs were recorded, which has the tables of runs as
// JSON up to a limit (data.go). The folder assets holds the template, the styles and the scripts. A
// browser that shows the page runs its one script and nothing else: a content security policy names
// the script by its hash and forbids all loading. Names of the study are escaped.
package report
