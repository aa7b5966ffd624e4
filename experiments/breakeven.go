package experiments

import (
	"fmt"

	"contend/experiments/spec"
)

// BreakEven asks from which value of the key Along a metric is lower at other
// labels of Among than at the label Against. For example: from which assumed
// speed-up does contiguous allocation pay?
type BreakEven struct {
	Name    string         `key:"name"`                          // title of its table
	Metric  string         `key:"metric" ref:"metric,"`          // metric that has to become lower
	Along   string         `key:"along" ref:"varying,"`          // axis of numbers, in any order
	Against string         `key:"against" ref:"label,"`          // label of Among to beat
	Among   string         `key:"among" ref:"varying,allocator"` // axis key, "" for allocator
	Where   map[string]any `key:"where" ref:"where"`             // the points to compare, nil for all
	Low     float64        `key:"low"`                           // least published break-even, 0 with High 0 for none
	High    float64        `key:"high"`                          // greatest published break-even
}

// AmongKey returns the key whose values are compared.
func (b *BreakEven) AmongKey() string {
	if b.Among == "" {
		return "allocator"
	}
	return b.Among
}

func (b *BreakEven) labelKey(*Study) string { return b.AmongKey() }

// checkBreakEvens tests the keys of all break-evens.
func (st *Study) checkBreakEvens() *spec.InputError {
	for i := range st.BreakEvens {
		b := &st.BreakEvens[i]
		at := fmt.Sprintf("break_even[%d]", i)
		if k, _ := spec.FindKey(b.Along); k.Type != "integer" && k.Type != "number" ||
			st.HasUnits(b.Along) {
			return spec.BadInput(at+".along", "give an axis of numbers without units",
				"%s.along is %s, whose values are not numbers", at, b.Along)
		}
		if b.High < b.Low {
			return spec.BadInput(at+".high", "give a value that is not below low",
				"%s has low %g and high %g", at, b.Low, b.High)
		}
	}
	return nil
}
