package tables

import (
	"encoding/json"
	"io"

	"contend/experiments"
	"contend/experiments/spec/input"
	"contend/internal/decimal"
)

// summaryCell is one cell of the summary as JSON. Undefined numbers are left out.
type summaryCell struct {
	Point        map[string]string `json:"point"`
	Metric       string            `json:"metric"`
	Unit         string            `json:"unit"`
	Mean         json.Number       `json:"mean"`
	HalfWidth    json.Number       `json:"ci_half_width,omitempty"`
	Low          json.Number       `json:"ci_low,omitempty"`
	High         json.Number       `json:"ci_high,omitempty"`
	Replications int               `json:"replications"`
	Published    json.Number       `json:"published,omitempty"`
	Ratio        json.Number       `json:"ratio,omitempty"`
}

// WriteJSON writes the summary as one JSON object, with the digits of summary.csv.
func WriteJSON(r *experiments.Results, w io.Writer) error {
	cells := []summaryCell{}
	for i, e := range estimatesOf(r, r.Metrics()) {
		number := func(x float64) json.Number { return json.Number(input.InUnit(e.unit, x)) }
		point := map[string]string{}
		for n, key := range r.AxisKeys() {
			point[key] = r.Points[i].Labels[n]
		}
		cells = append(cells, summaryCell{Point: point, Metric: e.metric, Unit: e.unit,
			Mean: number(e.Mean), HalfWidth: number(e.Half), Low: number(e.low), High: number(e.high),
			Replications: e.N, Published: json.Number(decimal.Number(e.published)),
			Ratio: json.Number(decimal.Number(e.Mean / e.published))})
	}
	out := json.NewEncoder(w)
	out.SetIndent("", " ")
	return out.Encode(map[string]any{"study": r.Study.Name, "confidence": r.Study.Runs.Confidence,
		"cells": cells})
}
