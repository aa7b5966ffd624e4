package config

import (
	"fmt"
	"maps"
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
// Assign stores the quantity, and Resolve turns it into a number once a point is complete.
// A run has numbers alone: written in units or in numbers it has one hash.
//
// Parameters of calls of [network] take them too, and their defaults may be quantities. Assign
// keeps the call as it was given, and Resolve states each of these parameters in numbers. Where a
// cycle has no length such a default is one number, and is left out as others are.

// GivenValue is the value of a key as it was given.
type GivenValue struct {
	quantities []quantity.Quantity // of a number, or of each entry of a list
	call       string              // in canonical form; "" for quantities
}

// maxOff is the largest relative error of rounding a quantity to a whole number.
var maxOff = big.NewRat(1, 100)

// assignQuantities stores the number of a key in model units, or its quantities for Resolve where
// the number depends on other keys.
func (s *Settings) assignQuantities(k *Key, texts []string) *input.Error {
	var list []quantity.Quantity
	depends := k.Type == listOfIntegers
	for i, text := range texts {
		entry := k.entry(i)
		q, err := entry.parseQuantity(text)
		if err != nil {
			return err
		}
		c, err := entry.conversionOf(q)
		if err != nil {
			return err
		}
		list, depends = append(list, q), depends || c.dependsOnSpec()
	}
	s.clearAlternatives(k)
	if depends {
		s.Spec.keepGiven(k.Path, GivenValue{quantities: list})
		return nil
	}
	value, err := k.inModelUnits(list, scale{})
	if err == nil {
		k.store(s, value)
	}
	return err
}

// parseQuantity reads a quantity for the key.
func (k *Key) parseQuantity(text string) (quantity.Quantity, *input.Error) {
	q, err := k.parameter().ParseQuantity(k.Path, text)
	if err != nil && q.Text == "" { // it is none of any kind
		err.Right = k.right() + ", or " + k.takesText()
	}
	return q, err
}

// keepGiven keeps a value of a key as it was given. Specs share their maps, so it makes another.
func (s *Spec) keepGiven(path string, value GivenValue) {
	all := maps.Clone(s.Given)
	if all == nil {
		all = map[string]GivenValue{}
	}
	all[path] = value
	s.Given = all
}

// clearAlternatives prepares the settings for another value of a key: it drops the quantity of the
// key, and resets the keys that exclude it.
func (s *Settings) clearAlternatives(k *Key) {
	s.Spec.dropGiven(k.Path)
	if k.OneOf == "" {
		return
	}
	for _, other := range Keys() {
		if other.OneOf == k.OneOf {
			s.Spec.dropGiven(other.Path)
			other.Field(s).SetZero()
		}
	}
}

// dropGiven drops the value of a key as it was given.
func (s *Spec) dropGiven(path string) {
	if _, is := s.Given[path]; !is {
		return
	}
	s.Given = maps.Clone(s.Given)
	delete(s.Given, path)
	if len(s.Given) == 0 {
		s.Given = nil
	}
}

// Resolve sets every key that was given as a quantity to its number in model units, as the
// other keys of the spec say. Keys that do not act are left alone. Resolve may be called
// again after other keys have changed.
func (s *Spec) Resolve() *input.Error { return s.resolve(func(k *Key) bool { return k.Acts(s) }) }

// ResolveAll is Resolve for the keys that do not act too.
func (s *Spec) ResolveAll() *input.Error { return s.resolve(func(*Key) bool { return true }) }

// resolve sets the keys with quantities for which wanted holds.
func (s *Spec) resolve(wanted func(*Key) bool) *input.Error {
	if both, agrees := s.rateAgrees(); both && agrees && inSeconds.Holds(s) {
		s.Job.CyclesPerSecond = input.Automatic // one text for equal runs
	}
	if len(s.Given) == 0 {
		return nil
	}
	at, by := Settings{Spec: *s}, s.scale()
	for _, calls := range []bool{false, true} { // what is in calls depends on the rate of nodes
		for _, k := range Keys() {
			given, is := s.Given[k.Path]
			if !is || calls != (given.call != "") || !wanted(&k) {
				continue
			}
			value, err := given.inModelUnits(&k, s.Registry, by)
			if err != nil {
				return err
			}
			k.store(&at, value)
		}
		by.link = at.Spec.Network.nodeFlitCycles()
	}
	*s = at.Spec
	return nil
}

// inModelUnits returns the value of a key in model units.
func (g GivenValue) inModelUnits(k *Key, names *Registry, by scale) (any, *input.Error) {
	if g.call != "" {
		v, err := k.callInModelUnits(g.call, names, by)
		return v.String(), err
	}
	return k.inModelUnits(g.quantities, by)
}

// converts reports whether a key says how long or how large the model units are in which the
// spec was given quantities.
func (s *Spec) converts(path string) bool {
	if path != "network.flit_bytes" && path != cyclePath {
		return false
	}
	for of, given := range s.Given {
		k, _ := FindKey(of)
		if k.Acts(s) && slices.ContainsFunc(given.conversions(&k, s.Registry), func(c conversion) bool {
			return path == cyclePath && (c.cycle != 0 || c.timeUnit != 0) || path != cyclePath && c.flit != 0
		}) {
			return true
		}
	}
	return false
}

// conversions lists how the quantities that were given become numbers.
func (g GivenValue) conversions(k *Key, names *Registry) (list []conversion) {
	if g.call != "" {
		return k.callConversions(g.call, names)
	}
	c, err := k.conversionOf(g.quantities[0])
	if err == nil {
		list = append(list, c)
	}
	return list
}

// InUnits returns the value of a key in real units, such as 102.4 ns for a number of cycles.
// It reports false where the key has none, is 0, or the spec does not say how long a cycle is.
func (s *Spec) InUnits(k *Key) (quantity.Quantity, bool) {
	by := s.scale()
	list := k.conversions()
	if !k.Identity || len(list) == 0 || by.cycle == nil || !list[0].dependsOnSpec() ||
		list[0].checkScale(k, "", by) != nil {
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
	if s.Given[k.Path].call != "" {
		return s.callNote(k)
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

// entry returns the key of entry i of a list, with the bounds of the list; the key itself if it is
// no list.
func (k *Key) entry(i int) *Key {
	of, isList := strings.CutPrefix(k.Type, "list of ")
	if !isList {
		return k
	}
	e := *k
	e.list, e.Path, e.Type = k.Path, fmt.Sprintf("%s[%d]", k.Path, i), strings.TrimSuffix(of, "s")
	return &e
}

// inModelUnits converts quantities of the key into an integer, a number or a list of integers.
func (k *Key) inModelUnits(list []quantity.Quantity, by scale) (any, *input.Error) {
	numbers := []int{}
	for i, q := range list {
		value, err := k.entry(i).convertQuantity(q, by)
		if err != nil || k.Type != listOfIntegers {
			return value, err
		}
		numbers = append(numbers, int(value.(int64)))
	}
	return numbers, nil
}

// GivenText writes a value as it was given as TOML; false for a key that has numbers alone.
func (s *Spec) GivenText(path string) (string, bool) {
	given, is := s.Given[path]
	switch {
	case !is:
		return "", false
	case given.call != "":
		return input.QuoteTOML(given.call), true
	}
	var texts []string
	for _, q := range given.quantities {
		texts = append(texts, input.QuoteTOML(q.Text))
	}
	if k, _ := FindKey(path); k.Type != listOfIntegers {
		return texts[0], true
	}
	return "[" + strings.Join(texts, ", ") + "]", true
}
