// Package report makes what a reader sees of the results of a study: figures with captions, of
// metrics and of what runs recorded over time and place (DrawFigures); verdicts of its rules,
// measured against published numbers, orders and a reference (Compare, Judge); and one HTML page
// (WritePage). WriteFiles writes all of them into the folder of the study. The same results give
// the same bytes.
//
// The page needs nothing from outside: what was run (pagefacts.go), the tables (pagetables.go), the
// figures (page.go), and a player of the machine where runs were recorded, which has the
// tables of runs as JSON up to a limit (data.go). The folder assets holds the template, the styles
// and the scripts. A browser that shows the page runs its one script and nothing else: a content
// security policy names the script by its hash and forbids all loading. Names of the study are
// escaped.
package report
