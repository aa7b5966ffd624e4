// Package report makes what a reader sees of the results of a study: figures with captions, of
// metrics and of what runs recorded over time and place; verdicts of its rules, measured against
// published numbers, orders and a reference (Compare, Judge); and one HTML page (WritePage).
// WriteFiles writes all of them into the folder of the study.
package report
