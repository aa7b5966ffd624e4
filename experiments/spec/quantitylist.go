package spec

import (
	"fmt"
	"strings"

	"contend/experiments/spec/input"
	"contend/internal/quantity"
)

// Lists of times or rates take quantities with units for all of their entries, or plain numbers.

// withUnits returns the texts of a value that is given with units for a key that takes those:
// a string, or a list of strings.
func (k *Key) withUnits(raw any) (texts []string, ok bool) {
	if k.conversions() == nil {
		return nil, false
	}
	list, isList := raw.([]any)
	if !isList {
		list = []any{raw}
	} else if k.Type != listOfIntegers {
		return nil, false
	}
	for _, e := range list {
		text, isText := e.(string)
		if !isText || text == "auto" && k.Type == "number or auto" {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, len(texts) > 0
}

// entry returns what stands for an entry of a list, a key of one integer, or the key itself.
func (k *Key) entry(i int) *Key {
	if k.Type != listOfIntegers {
		return k
	}
	e := *k
	e.list, e.Path, e.Type = k.Path, fmt.Sprintf("%s[%d]", k.Path, i), "integer"
	return &e
}

// number returns the value of a key that was given with units in model units: an integer or a
// number, or a list of integers.
func (g *Given) number(k *Key, by scale) (any, *InputError) {
	numbers := []int{}
	for i, q := range g.List {
		value, err := k.entry(i).inUnits(q, by)
		if err != nil || k.Type != listOfIntegers {
			return value, err
		}
		numbers = append(numbers, int(value.(int64)))
	}
	return numbers, nil
}

// inUnits returns a quantity as a value of the key.
func (k *Key) inUnits(q quantity.Quantity, by scale) (any, *input.Error) {
	c, err := k.conversionOf(q)
	if err == nil {
		err = c.missing(k, q.Text, by)
	}
	if err != nil {
		return nil, err
	}
	return k.fit(q, c, by)
}

// GivenText returns in TOML what a key was given with units.
func (s *Spec) GivenText(path string) (string, bool) {
	i := s.given(path)
	if i < 0 {
		return "", false
	}
	var texts []string
	for _, q := range s.Quantities[i].List {
		texts = append(texts, input.QuoteTOML(q.Text))
	}
	if k, _ := FindKey(path); k.Type != listOfIntegers {
		return texts[0], true
	}
	return "[" + strings.Join(texts, ", ") + "]", true
}
