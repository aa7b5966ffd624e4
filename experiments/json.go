package experiments

import (
	"encoding/json"
	"io"
	"math"
)

// summaryCell is one cell of the summary as JSON; what is not defined is left
// out.
type summaryCell struct {
	Point        map[string]string `json:"point"`
	Metric       string            `json:"metric"`
	Unit         string            `json:"unit"`
	Mean         float64           `json:"mean"`
	HalfWidth    *float64          `json:"ci_half_width,omitempty"`
	Replications int               `json:"replications"`
	Published    *float64          `json:"published,omitempty"`
	Ratio        *float64          `json:"ratio,omitempty"`
}

// WriteJSON writes the summary as one JSON object.
func (r *Results) WriteJSON(w io.Writer) error {
	cells := []summaryCell{}
	for i, p := range r.Points {
		point := map[string]string{}
		for n, key := range r.AxisKeys() {
			point[key] = p.Labels[n]
		}
		for _, m := range r.Metrics() {
			e, ok := r.Estimate(i, m)
			if !ok {
				continue
			}
			c := summaryCell{Point: point, Metric: m, Unit: UnitOf(m, &p.Spec), Mean: e.Mean, Replications: e.N}
			if !math.IsNaN(e.Half) {
				c.HalfWidth = &e.Half
			}
			if v, ok := r.Published(i, m); ok {
				c.Published = &v
				if v != 0 {
					ratio := e.Mean / v
					c.Ratio = &ratio
				}
			}
			cells = append(cells, c)
		}
	}
	out := json.NewEncoder(w)
	out.SetIndent("", " ")
	return out.Encode(map[string]any{"study": r.Study.Name, "confidence": r.Study.Runs.Confidence, "cells": cells})
}
