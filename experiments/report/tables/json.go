package tables

import (
	"contend/experiments/cosim/metrics"
	"encoding/json"
	"io"

	"contend/experiments"
	"contend/experiments/spec/input"
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

// jsonNumber returns a number with the digits of summary.csv.
func jsonNumber(unit string, x float64) json.Number { return json.Number(input.InUnit(unit, x)) }

// WriteJSON writes the summary as one JSON object.
func WriteJSON(r *experiments.Results, w io.Writer) error {
	cells, names := []summaryCell{}, r.Metrics()
	for i, p := range r.Points {
		point := map[string]string{}
		for n, key := range r.AxisKeys() {
			point[key] = p.Labels[n]
		}
		for _, m := range names {
			e, ok := r.Estimate(i, m)
			if !ok {
				continue
			}
			unit := metrics.UnitOf(m, &p.Spec)
			c := summaryCell{Point: point, Metric: m, Unit: unit, Replications: e.N,
				Mean: jsonNumber(unit, e.Mean), HalfWidth: jsonNumber(unit, e.Half)}
			low, high := e.Ends(metrics.BoundsOf(m, &r.Study.Base))
			c.Low, c.High = jsonNumber(unit, low), jsonNumber(unit, high)
			if v, ok := r.Published(i, m); ok {
				c.Published, c.Ratio = jsonNumber("", v), jsonNumber("", e.Mean/v)
			}
			cells = append(cells, c)
		}
	}
	out := json.NewEncoder(w)
	out.SetIndent("", " ")
	return out.Encode(map[string]any{"study": r.Study.Name, "confidence": r.Study.Runs.Confidence,
		"cells": cells})
}
