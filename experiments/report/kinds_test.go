package report

import (
	"testing"

	"contend/experiments/study"
)

// Each kind of figure that a study may name is drawn: from estimates, with sentences about them, or
// from records.
func TestEachKindIsDrawn(t *testing.T) {
	for _, row := range study.FigureKinds {
		k := kindOf(&study.Figure{Kind: row.Name})
		if estimates := k.collect != nil && k.sentences != nil; estimates == row.Recorded ||
			(k.draw != nil) != row.Recorded {
			t.Errorf("%s: records are %v, draw %v, collect %v, sentences %v", row.Name, row.Recorded,
				k.draw != nil, k.collect != nil, k.sentences != nil)
		}
	}
}
