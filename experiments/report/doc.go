// Package report presents the results of a study.
//
// Its functions read experiments.Results and return or write tables (Markdown,
// TeX, CSV, JSON, Parquet), figures (DrawFigures), verdicts of the study's rules
// (Compare), paired comparisons of the values of an axis (CompareBy), break-evens
// (Crossings) and the document VALIDATION (Validation). WriteFiles writes all
// files that belong in the folder of a study.
//
// The package makes no runs and does not change results. The same results give
// the same bytes.
package report
