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

// assignQuantities keeps a list of quantities for a key until Resolve.
func (s *Settings) assignQuantities(k *Key, texts []string) *input.Error {
	var list []quantity.Quantity
	for i, text := range texts {
		entry := k.entry(i)
		q, err := entry.parse(text)
		if err == nil {
			_, err = entry.conversionOf(q)
		}
		if err != nil {
			return err
		}
		list = append(list, q)
	}
	s.keep(k, Given{Path: k.Path, Quantity: list[0], List: list})
	return nil
}

// entry returns what stands for an entry of a list: a key of one integer.
func (k *Key) entry(i int) *Key {
	e := *k
	e.list, e.Path, e.Type = k.Path, fmt.Sprintf("%s[%d]", k.Path, i), "integer"
	return &e
}

// number returns the value of a key that was given with units in model units: an integer or a
// number, or a list of integers.
func (g *Given) number(k *Key, by scale) (any, *input.Error) {
	if g.List == nil {
		return k.inUnits(g.Quantity, by)
	}
	numbers := []int{}
	for i, q := range g.List {
		n, err := k.entry(i).inUnits(q, by)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, int(n.(int64)))
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
	g := &s.Quantities[i]
	if g.List == nil {
		return input.QuoteTOML(g.Quantity.Text), true
	}
	var texts []string
	for _, q := range g.List {
		texts = append(texts, input.QuoteTOML(q.Text))
	}
	return "[" + strings.Join(texts, ", ") + "]", true
}
