package config

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"contend/internal/call"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/internal/quantity"
	"contend/netsim"
)

// conversion says how a quantity of one kind becomes a number in the unit of a key. The
// number is the product of powers: of the quantity's value, of the length of a cycle in
// seconds, of the size of a flit in bytes, of the length of a time unit in seconds, and of the
// cycles in which a node sends a flit.
type conversion struct {
	kind                               quantity.Kind
	value, cycle, flit, timeUnit, link int // exponents, from -1 to 1
}

// Conversions that several units share.
var (
	timeInCycles  = conversion{kind: quantity.Time, value: 1, cycle: -1}
	cableInCycles = conversion{kind: quantity.Cable, value: 1, cycle: -1}
	// A link at a rate needs flit/rate for a flit.
	rateInCycles = conversion{kind: quantity.Rate, value: -1, cycle: -1, flit: 1}
	sizeInFlits  = conversion{kind: quantity.Size, value: 1, flit: -1}
	// What a node sends in a time.
	timeInFlits = conversion{kind: quantity.Time, value: 1, cycle: -1, link: -1}
)

// unitConversions lists how quantities become numbers of a unit. A key takes quantities of the
// first kind, or of those that its row says. A unit that is not here has none.
var unitConversions = map[string][]conversion{
	"cycles":           {timeInCycles, cableInCycles, rateInCycles},
	"s":                {{kind: quantity.Time, value: 1}},
	"time units":       {{kind: quantity.Time, value: 1, timeUnit: -1}},
	"flits":            {sizeInFlits, timeInFlits},
	"bytes":            {{kind: quantity.Size, value: 1}},
	"flits/node/cycle": {{kind: quantity.Rate, value: 1, cycle: 1, flit: -1}},
	"cycles/s":         {{kind: quantity.Frequency, value: 1}},
	netsim.OfLink:      {{kind: quantity.Rate, value: 1, cycle: 1, link: 1, flit: -1}},
}

// What keys take that do not take the first kind of quantities of their unit.
var (
	cables       = []quantity.Kind{quantity.Time, quantity.Cable}
	rates        = []quantity.Kind{quantity.Rate, quantity.Time}
	plainNumbers = []quantity.Kind{}
)

// conversions lists the conversions of the key; none if it takes plain numbers alone.
func (k *Key) conversions() (list []conversion) {
	all := unitConversions[k.Unit]
	switch {
	case k.Type == "string" || len(all) == 0:
		return nil
	case k.takes == nil:
		return all[:1]
	}
	for _, kind := range k.takes {
		i := slices.IndexFunc(all, func(c conversion) bool { return c.kind == kind })
		list = append(list, all[i])
	}
	return list
}

// Takes lists the kinds of quantities that the key takes in place of a plain number.
func (k *Key) Takes() (kinds []quantity.Kind) {
	if k.Type == "string" {
		return k.takes
	}
	for _, c := range k.conversions() {
		kinds = append(kinds, c.kind)
	}
	return kinds
}

// conversionOf returns how the key takes a quantity. The error for a quantity of the wrong
// kind says which are right.
func (k *Key) conversionOf(q quantity.Quantity) (conversion, *input.Error) {
	for _, c := range k.conversions() {
		if c.kind == q.Kind {
			return c, nil
		}
	}
	return conversion{}, k.parameter().WrongKind(k.Path, q)
}

// takesText says which quantities the key takes, each with an example; "" for none.
func (k *Key) takesText() string { return k.parameter().TakesText() }

// dependsOnSpec reports whether the conversion needs a length or a size that the spec gives.
func (c *conversion) dependsOnSpec() bool { return c.cycle != 0 || c.flit != 0 || c.timeUnit != 0 }

// number converts the value of a quantity. Lengths whose exponent is 0 may be nil.
func (c *conversion) number(value *big.Rat, by scale) *big.Rat {
	x := big.NewRat(1, 1)
	for _, f := range []struct {
		factor   *big.Rat
		exponent int
	}{{value, c.value}, {by.cycle, c.cycle}, {by.flit, c.flit}, {by.timeUnit, c.timeUnit},
		{by.link, c.link}} {
		switch f.exponent {
		case 1:
			x.Mul(x, f.factor)
		case -1:
			x.Quo(x, f.factor)
		}
	}
	return x
}

// quantity is the inverse of number: it gives a number of the key in real units.
func (c *conversion) quantity(x *big.Rat, by scale) quantity.Quantity {
	inverse := conversion{value: c.value, cycle: -c.cycle * c.value, flit: -c.flit * c.value,
		timeUnit: -c.timeUnit * c.value, link: -c.link * c.value}
	return quantity.New(c.kind, inverse.number(x, by))
}

// scale has the sizes of model units in real units, nil where the spec does not give them.
type scale struct {
	cycle    *big.Rat // seconds
	flit     *big.Rat // bytes
	timeUnit *big.Rat // seconds
	link     *big.Rat // cycles in which a node, or the card of its host, sends a flit
}

// scale returns the sizes of model units. Those of time and size are from keys that are never given
// as deferred quantities; the rate of nodes is known when quantities are resolved.
func (s *Spec) scale() scale {
	by := scale{cycle: s.CycleSeconds(), flit: big.NewRat(int64(s.Network.FlitBytes), 1),
		link: s.flitCyclesOfControls()}
	switch cps := s.Job.CyclesPerSecond; {
	case s.ClockUnit() == "s":
		by.timeUnit = big.NewRat(1, 1)
	case s.Job.Run != "messages" || by.cycle == nil:
	case cps == input.Automatic:
		by.timeUnit = by.cycle
	default:
		if rate := new(big.Rat).SetFloat64(float64(cps)); rate != nil {
			by.timeUnit = rate.Mul(rate, by.cycle)
		}
	}
	return by
}

// flitCyclesOfControls returns the cycles of a flit at the rate on which a congestion control acts:
// that of a node, or on islands that of the cards (see netsim.CongestionControl).
func (s *Spec) flitCyclesOfControls() *big.Rat {
	node, n := s.Network.nodeFlitCycles(), &s.Network
	if len(n.ClassFlitCycles) == 0 || n.Congestion == netsim.NoControl {
		return node
	}
	card := 0
	for class, flit := range n.ClassFlitCycles {
		if flit = cmp.Or(flit, n.FlitCycles); s.routedMachine().outward>>class&1 != 0 &&
			(card == 0 || flit < card) {
			card = flit
		}
	}
	if x := big.NewRat(int64(card), 1); x.Cmp(node) > 0 {
		return x
	}
	return node
}

// nodeFlitCycles returns the cycles of a flit at the rate of a node: of its link, or of its
// interface where that is slower.
func (n *NetworkSpec) nodeFlitCycles() *big.Rat {
	link := big.NewRat(int64(cmp.Or(n.NodeFlitCycles, n.FlitCycles)), 1)
	if own := new(big.Rat).SetFloat64(n.InjectionFlitCycles); own != nil && own.Cmp(link) > 0 {
		return own
	}
	return link
}

// checkScale returns an error that says what to set if the spec lacks a length that the conversion
// of a key needs.
func (c *conversion) checkScale(k *Key, text string, by scale) *input.Error {
	const set = `set network.cycle, the length of a network cycle, such as "1 ns"`
	switch {
	case c.cycle != 0 && by.cycle == nil:
		return input.Bad(k.Path, set+", or give the number of "+k.Unit,
			"%s is %q, and a cycle has no length", k.Path, text)
	case c.timeUnit != 0 && by.timeUnit == nil:
		return input.Bad(k.Path, "give a plain number, or with job.run = messages "+set,
			"%s is %q, and a time unit of the workload has no length", k.Path, text)
	}
	return nil
}

// convertQuantity converts a quantity into a value of the key. A whole number may be off by one per
// cent.
func (k *Key) convertQuantity(q quantity.Quantity, by scale) (any, *input.Error) {
	c, err := k.conversionOf(q)
	if err == nil {
		err = c.checkScale(k, q.Text, by)
	}
	switch {
	case err != nil:
		return nil, err
	case q.Value.Sign() == 0 && c.value < 0:
		return nil, input.Bad(k.Path, "give "+k.takesText(), "%s is %q", k.Path, q.Text)
	}
	x := c.number(q.Value, by)
	if k.Type != "integer" {
		f, _ := x.Float64()
		if !k.inBounds(f) {
			return nil, k.outOfBounds(q, x)
		}
		return f, nil
	}
	n, near := nearestWhole(x)
	switch {
	case !near:
		return nil, k.notWhole(q, c, by, x)
	case !k.takesWhole(n):
		return nil, k.outOfBounds(q, x)
	}
	return n.Int64(), nil
}

// nearestWhole rounds a number that is not below 0, halves up, and tells whether the result is off
// by maxOff at most.
func nearestWhole(x *big.Rat) (n *big.Int, near bool) {
	y := new(big.Rat).Add(x, big.NewRat(1, 2))
	n = new(big.Int).Quo(y.Num(), y.Denom())
	off := y.Sub(x, new(big.Rat).SetInt(n))
	return n, off.Abs(off).Cmp(new(big.Rat).Mul(x, maxOff)) <= 0
}

// takesWhole reports whether a whole number is within the bounds of the key.
func (k *Key) takesWhole(n *big.Int) bool { return n.IsInt64() && k.inBounds(float64(n.Int64())) }

// outOfBounds is the error for a quantity whose number is out of the bounds of the key.
func (k *Key) outOfBounds(q quantity.Quantity, x *big.Rat) *input.Error {
	return input.Bad(k.Path, "give what is "+k.Range()+" "+k.Unit, "%s is %q, which is %s %s",
		k.Path, q.Text, number4(x), k.Unit)
}

// number4 writes a number with four significant digits.
func number4(x *big.Rat) string {
	f, _ := x.Float64()
	return decimal.Significant(f, 4)
}

// notWhole is the error for a quantity that is no whole number of the key's unit.
func (k *Key) notWhole(q quantity.Quantity, c conversion, by scale, x *big.Rat) *input.Error {
	n, _ := nearestWhole(x)
	if n.Sign() == 0 {
		n.SetInt64(1)
	}
	fits := c.quantity(new(big.Rat).SetInt(n), by)
	problem := fmt.Sprintf("%s is %q, which is %s %s", k.Path, q.Text, number4(x), k.Unit)
	return input.Bad(k.Path, fmt.Sprintf("give a whole number of %s within 1%%; %v is %s", k.Unit, n,
		fits.Short(noteDigits)), "%s", problem)
}

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

// maxOff is the largest relative error of rounding a quantity to a whole number.
var maxOff = big.NewRat(1, 100)

// noteDigits is the number of significant digits of quantities in comments and tables.
const noteDigits = 6
