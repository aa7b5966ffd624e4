package experiments

import (
	"fmt"

	"contend/experiments/spec"
)

// BreakEven asks from which value of a key on a metric is lower at some values
// of another key than at one of them: from which assumed speed-up on contiguous
// allocation pays, say.
type BreakEven struct {
	Name    string         `key:"name" doc:"title of its table"`
	Metric  string         `key:"metric" doc:"what has to become lower"`
	Along   string         `key:"along" doc:"axis key of numbers, in rising order, along which to look"`
	Against string         `key:"against" doc:"label of among that has to be beaten"`
	Among   string         `key:"among" doc:"axis key whose values are compared; default allocator"`
	Where   map[string]any `key:"where" doc:"points to look at: axis keys with a value or a list of values"`
	Low     float64        `key:"low" doc:"least published break-even; low and high 0: none was published"`
	High    float64        `key:"high" doc:"greatest published break-even"`
}

func (b *BreakEven) Line() string {
	if b.Among == "" {
		return "allocator"
	}
	return b.Among
}

// checkBreakEvens tests keys and labels.
func (st *Study) checkBreakEvens(names spec.Names) *spec.InputError {
	for i := range st.BreakEvens {
		b := &st.BreakEvens[i]
		at := fmt.Sprintf("break_even[%d]", i)
		if err := checkOne(b.Metric, at+".metric"); err != nil {
			return err
		}
		if err := st.checkWhere(b.Where, at+".where", names); err != nil {
			return err
		}
		for _, part := range []struct{ name, key string }{{".along", b.Along},
			{".among", b.Line()}} {
			if _, ok := FindAxisKey(part.key); !ok {
				err := spec.UnknownKey(part.key)
				err.Key = at + part.name
				return err
			}
		}
		if k, _ := spec.FindKey(b.Along); k.Type != "integer" && k.Type != "number" {
			return spec.BadInput(at+".along", "give an axis of numbers",
				"%s.along is %s, whose values are no numbers", at, b.Along)
		}
		if b.High < b.Low {
			return spec.BadInput(at+".high", "it must not be below low",
				"%s has low %g and high %g", at, b.Low, b.High)
		}
	}
	return nil
}
