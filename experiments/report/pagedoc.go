// The page of a study is one HTML file that needs nothing from outside.
//
// WritePage takes stored results and writes the page: what was run (facts.go), the tables
// (tables.go), the figures (figures.go), and a player of the machine where its runs were
// recorded. The player has the tables of runs as JSON, up to a limit (data.go), and the places of
// nodes and channels on a map of the machine come from package plot. The
// folder assets holds the template, the styles and the scripts.
//
// A browser that shows the page runs its one script and nothing else: a content security policy
// names the script by its hash and forbids all loading. Names of the study are escaped.
//
// The same results give the same bytes.

package report
