package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"slices"

	"contend/internal/input"
	"contend/internal/written"
)

// readRows reads a CSV file with a header. It returns the rows below the header.
func readRows(path string, header []string) ([][]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(bytes.NewReader(text))
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 || !slices.Equal(rows[0], header) {
		return nil, &input.Error{Where: path,
			Problem: fmt.Sprintf("no table with the header %q (%v)", header, err),
			Right:   "delete it, and run make docs with the results of all studies"}
	}
	return rows[1:], nil
}

// writeRows writes a CSV file with a header.
func writeRows(path string, header []string, rows [][]string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(append([][]string{header}, rows...)); err != nil {
		return err
	}
	return written.Replace(path, b.Bytes())
}
