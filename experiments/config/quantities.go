package config

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"contend/internal/call"
	"contend/internal/input"
	"contend/internal/quantity"
	"contend/netsim"
)

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
		by.link = at.Spec.flitCyclesOfControls()
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

// callInModelUnits returns the parameters of a call with numbers in place of its quantities and of
// the defaults that are some. Where a cycle has no length these defaults are as if declared so, and
// a text leaves them out.
func (k *Key) callInModelUnits(text string, names *Registry, by scale) (call.Values, *input.Error) {
	v := names.values(k.Names, text)
	if by.cycle == nil {
		e, _ := names.find(k.Names, text)
		v, _ = call.Parse(text, publishedDefaults(e.name, e.parameters))
	}
	v, err := v.Resolve(func(p *call.Parameter, q quantity.Quantity, given bool) (any, *input.Error) {
		of := keyOf(v.Owner(), p)
		if given {
			return of.convertQuantity(q, by)
		}
		return of.convertDefault(q, by)
	})
	if err != nil {
		err.Key = k.Path
	}
	return v, err
}

// callConversions lists how the quantities that a call gives become numbers.
func (k *Key) callConversions(text string, names *Registry) (list []conversion) {
	v := names.values(k.Names, text)
	v.Resolve(func(p *call.Parameter, q quantity.Quantity, given bool) (any, *input.Error) {
		of := keyOf(v.Owner(), p)
		if c, err := of.conversionOf(q); err == nil && given {
			list = append(list, c)
		}
		return nil, nil
	})
	return list
}

// callNote says what the numbers of a resolved call are in real units.
func (s *Spec) callNote(k *Key) string {
	by, v := s.scale(), k.values(s)
	e, _ := s.Registry.find(k.Names, v.Owner())
	var parts []string
	for i := range e.parameters {
		p := &e.parameters[i]
		of := keyOf(v.Owner(), p)
		x, ok := new(big.Rat).SetString(v.TextOf(p.Name))
		if list := of.conversions(); len(list) > 0 && ok && by.cycle != nil {
			parts = append(parts, p.Name+" "+list[0].quantity(x, by).Short(noteDigits))
		}
	}
	return strings.Join(parts, ", ")
}

// AssumedNote says that parameters of a call of the spec have the defaults of another network; ""
// if none has.
func (s *Spec) AssumedNote() string {
	if s.Network.Cycle != "" {
		return ""
	}
	for _, k := range Keys() {
		given, assumed := s.Given[k.Path], false
		if given.call == "" || !k.Acts(s) {
			continue
		}
		v := s.Registry.values(k.Names, given.call)
		v.Resolve(func(_ *call.Parameter, _ quantity.Quantity, given bool) (any, *input.Error) {
			assumed = assumed || !given
			return nil, nil
		})
		if assumed {
			return fmt.Sprintf("parameters of %s that are not given are those of links of %s with flits "+
				"of %s: set network.cycle and network.flit_bytes, and they are those of the network at hand",
				k.Path, publishedLink, publishedFlit)
		}
	}
	return ""
}

// control returns the congestion control of the spec with its parameters, in which quantities may
// remain.
func (s *Spec) control() (*netsim.ControlKind, call.Values) {
	e, ok := s.Registry.find(controlTable, s.Network.Congestion)
	if !ok { // a spec of no study
		return &netsim.ControlKinds()[0], call.Values{}
	}
	return e.of.(*netsim.ControlKind), s.Registry.values(controlTable, s.Network.Congestion)
}

// drawsMarks reports whether routers draw which packets they mark.
func (s *Spec) drawsMarks() bool {
	c, v := s.control()
	return c.Marks != nil && c.Marks(v)
}

// controlInModelUnits is control of a resolved spec, with numbers.
func (s *Spec) controlInModelUnits() (*netsim.ControlKind, call.Values) {
	c, v := s.control()
	if c.New == nil {
		return c, v
	}
	k, _ := FindKey(string(FieldCongestion))
	v, err := k.callInModelUnits(s.Network.Congestion, s.Registry, s.scale())
	if err != nil {
		panic("spec: " + err.Error())
	}
	return c, v
}
