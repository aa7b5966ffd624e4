package config

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"contend/internal/call"
	"contend/internal/input"
	"contend/internal/quantity"
)

// Defaults that are quantities stand for the network at hand where network.cycle says how long a
// cycle is. Where it does not, they are those of the network for which they were published, that of
// Zhu et al., SIGCOMM 2015, with a cycle for each flit.

// publishedLink is the rate of its links, and publishedFlit the bytes of a flit.
const (
	publishedLink = "40 Gb/s"
	publishedFlit = "64 B"
)

// publishedScale has the sizes of its model units.
var publishedScale = func() scale {
	one := big.NewRat(1, 1)
	flit, rate := mustParse(publishedFlit).Value, mustParse(publishedLink).Value
	return scale{cycle: new(big.Rat).Quo(flit, rate), flit: flit, link: one}
}()

// mustParse reads a quantity of the program's own.
func mustParse(text string) quantity.Quantity {
	q, err := quantity.Parse(text)
	if err != nil {
		panic("config: " + err.Error())
	}
	return q
}

// withQuantities returns the parameters of an entry with the quantities that their units take.
func withQuantities(owner string, list []call.Parameter) []call.Parameter {
	list = slices.Clone(list)
	for i := range list {
		k := keyOf(owner, &list[i])
		list[i].Takes = k.Takes()
	}
	return list
}

// ParametersThatTake lists the parameters of built-in entries that take a kind of quantities, as
// dcqcn:kmin.
func ParametersThatTake(kind quantity.Kind) (names []string) {
	for _, e := range builtin().entries() {
		for _, p := range e.parameters {
			if slices.Contains(p.Takes, kind) {
				names = append(names, e.name+":"+p.Name)
			}
		}
	}
	return names
}

// keepCall keeps the call of a key that has a parameter whose number depends on other keys.
func (s *Settings) keepCall(k *Key) {
	if !strings.HasPrefix(k.Path, "network.") || k.Names == "" {
		return
	}
	text := k.value(&s.Spec).String()
	e, _ := s.Spec.Registry.find(k.Names, text)
	if slices.ContainsFunc(e.parameters, func(p call.Parameter) bool { return len(p.Takes) > 0 }) {
		s.Spec.keepGiven(k.Path, GivenValue{call: text})
	}
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

// publishedDefaults returns parameters with the numbers of publishedScale in place of defaults that
// are quantities.
func publishedDefaults(owner string, list []call.Parameter) []call.Parameter {
	list = slices.Clone(list)
	for i := range list {
		p := &list[i]
		if q, err := quantity.Parse(p.Default); err == nil && len(p.Takes) > 0 {
			k := keyOf(owner, p)
			x, _ := k.convertDefault(q, publishedScale)
			p.Default = fmt.Sprint(x)
		}
	}
	return list
}

// convertDefault converts a default. It is rounded to a whole number, and up to the minimum.
func (k *Key) convertDefault(q quantity.Quantity, by scale) (any, *input.Error) {
	c, err := k.conversionOf(q)
	if err != nil {
		panic("config: " + err.Error())
	}
	x := c.number(q.Value, by)
	if least, ok := new(big.Rat).SetString(k.Min); ok && x.Cmp(least) < 0 {
		x = least
	}
	if k.Type != call.Integer {
		f, _ := x.Float64()
		return f, nil
	}
	n, _ := nearestWhole(x)
	if !k.takesWhole(n) {
		return nil, k.outOfBounds(q, x)
	}
	return n.Int64(), nil
}

// HasQuantity reports whether a value of a key, as the TOML library gives it, is a call with a
// parameter whose number depends on other keys.
func (r *Registry) HasQuantity(path string, raw any) bool {
	s := Defaults()
	s.Spec.Registry = r
	return s.Assign(path, raw) == nil && s.Spec.Given[path].call != ""
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
