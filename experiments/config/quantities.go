package config

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"contend/internal/input"
	"contend/internal/quantity"
)

// Keys that are times, sizes or rates take a plain number in model units or a quantity with
// a unit. What a quantity is in cycles and flits depends on network.cycle and
// network.flit_bytes, which may be set later, by an axis, a variant or an override. So
// Assign keeps the quantity, and Resolve turns it into a number once a point is complete.
// A run has numbers alone: written in units or in numbers it has one hash.

// Given is a key that was given as a quantity with a unit.
type Given struct {
	Path string              // the key
	List []quantity.Quantity // its value, or the entries of a list
}

// mostOff is the largest relative error of rounding a quantity to a whole number.
var mostOff = big.NewRat(1, 100)

// assignQuantities keeps the quantities of a key, or stores its number where no other key is
// needed for that.
func (s *Settings) assignQuantities(k *Key, texts []string) *input.Error {
	given, free := Given{Path: k.Path}, k.Type != listOfIntegers
	for i, text := range texts {
		entry := k.entry(i)
		q, wrong := entry.parse(text)
		if wrong != nil {
			return wrong
		}
		c, wrong := entry.conversionOf(q)
		if wrong != nil {
			return wrong
		}
		given.List, free = append(given.List, q), free && c.free()
	}
	if !free {
		s.keep(k, given)
		return nil
	}
	s.makeRoom(k)
	value, wrong := given.number(k, scale{})
	if wrong == nil {
		k.store(s, value)
	}
	return wrong
}

// parse reads a quantity for the key.
func (k *Key) parse(text string) (quantity.Quantity, *input.Error) {
	q, err := quantity.Parse(text)
	if err == nil {
		return q, nil
	}
	problem := fmt.Sprintf("%s is the string %q", k.Path, text)
	if strings.ContainsAny(text, "0123456789") { // a quantity was meant
		problem += ": " + err.Error()
	}
	return q, &input.Error{Key: k.Path, Problem: problem, Right: k.right() + ", or " + k.takesText()}
}

// keep stores a quantity for Resolve. The order of quantities is that of the keys, so that specs
// with the same ones are equal.
func (s *Settings) keep(k *Key, given Given) {
	s.makeRoom(k)
	at := slices.IndexFunc(s.Spec.Quantities, func(g Given) bool {
		other, _ := FindKey(g.Path)
		return other.place > k.place
	})
	if at < 0 {
		at = len(s.Spec.Quantities)
	}
	s.Spec.Quantities = slices.Insert(slices.Clone(s.Spec.Quantities), at, given)
}

// makeRoom prepares the settings for another value of a key: it forgets its quantity, and
// resets the keys that exclude it.
func (s *Settings) makeRoom(k *Key) {
	s.Spec.forget(k.Path)
	if k.OneOf == "" {
		return
	}
	for _, other := range Keys() {
		if other.OneOf == k.OneOf {
			s.Spec.forget(other.Path)
			other.Field(s).SetZero()
		}
	}
}

// forget drops the quantity of a key. Specs share their lists, so it makes another.
func (s *Spec) forget(path string) {
	if i := s.given(path); i >= 0 {
		s.Quantities = slices.Delete(slices.Clone(s.Quantities), i, i+1)
	}
	if len(s.Quantities) == 0 {
		s.Quantities = nil
	}
}

// given returns the place of the quantity of a key, -1 if it has none.
func (s *Spec) given(path string) int {
	return slices.IndexFunc(s.Quantities, func(g Given) bool { return g.Path == path })
}

// Resolve sets every key that was given as a quantity to its number in model units, as the
// other keys of the spec say. Keys that do not act are left alone. Resolve may be called
// again after other keys have changed.
func (s *Spec) Resolve() *input.Error { return s.resolve(func(k *Key) bool { return k.Acts(s) }) }

// ResolveAll is Resolve for the keys that do not act too.
func (s *Spec) ResolveAll() *input.Error { return s.resolve(func(*Key) bool { return true }) }

func (s *Spec) resolve(wanted func(*Key) bool) *input.Error {
	if both, agrees := s.rateAgrees(); both && agrees && inSeconds.Holds(s) {
		s.Job.CyclesPerSecond = input.Automatic // one text for equal runs
	}
	if len(s.Quantities) == 0 {
		return nil
	}
	at, by := Settings{Spec: *s}, s.scale()
	for _, g := range s.Quantities {
		k, _ := FindKey(g.Path)
		if !wanted(&k) {
			continue
		}
		value, err := g.number(&k, by)
		if err != nil {
			return err
		}
		k.store(&at, value)
	}
	*s = at.Spec
	return nil
}

// converts tells whether a key says how long or how large the model units are in which the
// spec was given quantities.
func (s *Spec) converts(path string) bool {
	if path != "network.flit_bytes" && path != cyclePath {
		return false
	}
	return slices.ContainsFunc(s.Quantities, func(g Given) bool {
		k, _ := FindKey(g.Path)
		c, err := k.conversionOf(g.List[0])
		if err != nil || !k.Acts(s) {
			return false
		}
		if path == cyclePath {
			return c.cycle != 0 || c.timeUnit != 0
		}
		return c.flit != 0
	})
}

// InUnits returns the value of a key in real units, such as 102.4 ns for a number of cycles.
// It reports false where the key has none, is 0, or the spec does not say how long a cycle is.
func (s *Spec) InUnits(k *Key) (quantity.Quantity, bool) {
	by := s.scale()
	list := k.conversions()
	if !k.Identity || len(list) == 0 || by.cycle == nil || list[0].free() ||
		list[0].missing(k, "", by) != nil {
		return quantity.Quantity{}, false
	}
	x := new(big.Rat)
	switch field := k.value(s); {
	case field.CanInt():
		x.SetInt64(field.Int())
	case field.CanFloat():
		x.SetFloat64(field.Float())
	}
	if x.Sign() <= 0 {
		return quantity.Quantity{}, false
	}
	return list[0].quantity(x, by), true
}

// Note says what the value of a key is in real units, for the reader of a study; "" if there
// is nothing to say.
func (s *Spec) Note(k *Key) string {
	if q, ok := s.InUnits(k); ok {
		return q.Short(noteDigits)
	}
	rate := s.cyclesPerSecond()
	if k.Path == "job.cycles_per_second" && rate != s.Job.CyclesPerSecond {
		return input.FormatValue(reflect.ValueOf(float64(rate))) + ", from " + cyclePath
	}
	return ""
}

// noteDigits is the number of significant digits of quantities in comments and tables.
const noteDigits = 6

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

// entry returns what stands for an entry of a list, a key of one value, or the key itself.
func (k *Key) entry(i int) *Key {
	of, isList := strings.CutPrefix(k.Type, "list of ")
	if !isList {
		return k
	}
	e := *k
	e.list, e.Path, e.Type = k.Path, fmt.Sprintf("%s[%d]", k.Path, i), strings.TrimSuffix(of, "s")
	return &e
}

// number returns the value of a key that was given with units in model units: an integer or a
// number, or a list of integers.
func (g *Given) number(k *Key, by scale) (any, *input.Error) {
	numbers := []int{}
	for i, q := range g.List {
		value, err := k.entry(i).fit(q, by)
		if err != nil || k.Type != listOfIntegers {
			return value, err
		}
		numbers = append(numbers, int(value.(int64)))
	}
	return numbers, nil
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
