// Package report writes all files that belong into the folder of a study: tables, figures with
// captions, and the tables of rows that its runs keep. The rooms below it make the parts.
package report
