// Package quantity reads numbers with units, such as 100 Gb/s, 1.2 us or 64 B, and keeps
// them exactly, as rational numbers.
//
// A quantity has a kind, such as a time or a size. The table in kinds.go lists the kinds
// and their units. Units that follow from each other by prefixes of the SI, or of IEC
// 80000-13 for powers of 1024, stand there with all their prefixes. A metre is a length of
// cable, which delays a signal by [CableDelay].
package quantity

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Quantity is a number with a unit. It does not change.
type Quantity struct {
	Kind Kind // what it measures
	// Value is the number in the base unit of the kind, exactly. Nobody may change it.
	Value *big.Rat
	// Text is the number and the unit as they were read, with a blank between them.
	Text string
}

// Limits on numbers keep exact arithmetic small: no quantity of a simulation comes near.
const (
	maxDigits   = 40
	maxExponent = 30
)

// Parse reads a number with a unit, such as 1.2 us or 1.2us. The number is decimal, not
// below 0, and may have an exponent. Upper and lower case of units differ: b is a bit, B a
// byte, m a metre or a thousandth, M a million.
func Parse(text string) (Quantity, error) {
	number, name, err := split(strings.TrimSpace(text))
	if err != nil {
		return Quantity{}, err
	}
	for k := range kinds {
		for _, u := range kinds[k].units {
			if u.name == name {
				value := rat(number)
				return Quantity{Kind(k), value.Mul(value, u.factor), number + " " + name}, nil
			}
		}
	}
	return Quantity{}, fmt.Errorf("%q is no unit%s", name, meant(name))
}

// split divides a text into its number, which rat can read, and its unit.
func split(text string) (number, name string, err error) {
	end := digits(text, 0)
	whole := end
	if end < len(text) && text[end] == '.' {
		end = digits(text, end+1)
		whole = end - 1
	}
	if whole == 0 {
		return "", "", fmt.Errorf("%q is no number with a unit", text)
	}
	exponent := 0
	if end < len(text) && (text[end] == 'e' || text[end] == 'E') {
		at := end + 1
		if at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		if last := digits(text, at); last > at {
			if exponent = maxExponent + 1; last-at <= 2 {
				exponent, _ = strconv.Atoi(text[at:last])
			}
			end = last
		}
	}
	number, name = text[:end], strings.TrimSpace(text[end:])
	switch {
	case whole > maxDigits || exponent > maxExponent:
		return "", "", fmt.Errorf("the number %q is too long", number)
	case name == "":
		return "", "", fmt.Errorf("%q has no unit", text)
	}
	return number, name, nil
}

// digits returns the end of the digits that begin at i.
func digits(text string, i int) int {
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	return i
}

// meant says which units may be meant: those that differ in their case. Bits and bytes may differ
// in no more than that, so a b may also be short for bit.
func meant(name string) string {
	var list []string
	long := strings.Replace(strings.ToLower(name), "b", "bit", 1)
	for k := range kinds {
		for _, u := range kinds[k].units {
			if strings.EqualFold(u.name, name) || strings.EqualFold(u.name, long) {
				list = append(list, u.name)
			}
		}
	}
	if list == nil {
		return ""
	}
	return ", did you mean " + strings.Join(list, " or ") + "?"
}

// New returns a quantity of a value in the base unit of its kind. It is written by Format.
func New(k Kind, value *big.Rat) Quantity {
	q := Quantity{k, new(big.Rat).Set(value), ""}
	q.Text = q.Format()
	return q
}

// Format writes the quantity in the largest unit in which it is at least 1; a size in KiB, MiB
// and so on only where that is a whole number. Equal values
// have equal texts. A number of finite length is written in full.
func (q Quantity) Format() string { return q.format(-1) }

// Short is Format with at most n significant digits.
func (q Quantity) Short(n int) string { return q.format(n) }

// format writes at most n significant digits, or all if n is below 0.
func (q Quantity) format(n int) string {
	var best unit
	for _, u := range kinds[q.Kind].units {
		whole := u.whole && new(big.Rat).Quo(q.Value, u.factor).IsInt()
		if (u.plain || whole) && (best.name == "" ||
			q.Value.Cmp(u.factor) >= 0 && u.factor.Cmp(best.factor) > 0) {
			best = u
		}
	}
	x := new(big.Rat).Quo(q.Value, best.factor)
	if q.Value.Sign() == 0 {
		best, x = kinds[q.Kind].base(), new(big.Rat)
	}
	return decimalText(x, n) + " " + best.name
}

// base is the unit in which 0 is written.
func (k *kind) base() unit {
	for _, u := range k.units {
		if u.plain && len(u.name) > 0 && u.factor.Cmp(big.NewRat(1, 1)) == 0 {
			return u
		}
	}
	return k.units[0]
}

// longDigits is the number of significant digits of a number that has no end.
const longDigits = 12

// decimalText writes a number in decimal without an exponent, with at most n significant
// digits where n is not below 0.
func decimalText(x *big.Rat, n int) string {
	decimals, exact := x.FloatPrec()
	if !exact && n < 0 {
		n = longDigits
	}
	if n >= 0 {
		whole := len(new(big.Int).Quo(x.Num(), x.Denom()).String())
		if x.Cmp(big.NewRat(1, 1)) < 0 { // below 1 leading zeros do not count
			whole = 0
			for y := new(big.Rat).Set(x); y.Sign() > 0 && y.Cmp(big.NewRat(1, 10)) < 0; whole-- {
				y.Mul(y, big.NewRat(10, 1))
			}
		}
		if limit := max(0, n-whole); !exact || limit < decimals {
			decimals = limit
		}
	}
	text := x.FloatString(decimals)
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Kind says what a quantity measures.
type Kind int

// The kinds of quantities. The value of a quantity is in the base unit of its kind.
const (
	Time      Kind = iota // base unit: second
	Cable                 // the time that a signal needs along a cable, in seconds
	Size                  // base unit: byte
	Rate                  // base unit: byte per second
	Frequency             // base unit: hertz
	FlopRate              // base unit: floating-point operation per second
)

// CableDelay is the time that a signal needs for a metre of cable, copper or fibre, at
// two thirds of the speed of light.
const CableDelay = "5e-9" // s

// kind describes a kind of quantities.
type kind struct {
	name    string // with its article, for errors
	example string
	units   []unit
}

// unit is a unit and its size in base units.
type unit struct {
	name   string
	factor *big.Rat
	// plain tells that numbers may be written in the unit, whole that whole numbers may be.
	// Other units are only read.
	plain, whole bool
}

// kinds is the table of kinds. Units that are written stand from small to large.
var kinds = [...]kind{
	Time: {"a time", "1.2 us", join(
		prefixed("s", "1", "f", "p", "n", "u", "m", ""),
		also("µs", "1e-6"), also("μs", "1e-6"),
		also("min", "60"), also("h", "3600"), also("d", "86400"),
	)},
	Cable: {"a length of cable", "5 m", join(
		prefixed("m", CableDelay, "c", "", "k"),
	)},
	Size: {"a size", "64 B", join(
		prefixed("B", "1", "", "k", "M", "G", "T"),
		wholes(binary("B", "1")), also("KB", "1000"), // as papers write kB
		hidden(prefixed("bit", "1/8", "", "k", "M", "G", "T")), binary("bit", "1/8"),
	)},
	Rate: {"a rate", "100 Gb/s", join(
		prefixed("B/s", "1", "", "k", "M", "G", "T"),
		binary("B/s", "1"), hidden(prefixed("Bps", "1", "", "k", "M", "G", "T")),
		hidden(prefixed("b/s", "1/8", "", "k", "M", "G", "T")),
		hidden(prefixed("bps", "1/8", "", "k", "M", "G", "T")),
		hidden(prefixed("bit/s", "1/8", "", "k", "M", "G", "T")), binary("bit/s", "1/8"),
	)},
	Frequency: {"a frequency", "1 GHz", prefixed("Hz", "1", "", "k", "M", "G", "T")},
	FlopRate: {"a rate of floating-point operations", "2.5 Gflop/s",
		prefixed("flop/s", "1", "", "k", "M", "G", "T", "P", "E")},
}

// prefixes are the factors of the prefixes of units.
var prefixes = map[string]string{"f": "1e-15", "p": "1e-12", "n": "1e-9", "u": "1e-6",
	"m": "1e-3", "c": "1e-2", "": "1", "k": "1e3", "M": "1e6", "G": "1e9", "T": "1e12",
	"P": "1e15", "E": "1e18",
	"Ki": "1024", "Mi": "1048576", "Gi": "1073741824", "Ti": "1099511627776"}

// prefixed returns a unit with each of the prefixes.
func prefixed(name, factor string, with ...string) (units []unit) {
	for _, p := range with {
		size := new(big.Rat).Mul(rat(prefixes[p]), rat(factor))
		units = append(units, unit{name: p + name, factor: size, plain: true})
	}
	return units
}

// binary returns a unit with the prefixes for powers of 1024.
func binary(name, factor string) []unit {
	return hidden(prefixed(name, factor, "Ki", "Mi", "Gi", "Ti"))
}

// wholes returns units in which whole numbers may be written.
func wholes(units []unit) []unit {
	for i := range units {
		units[i].whole = true
	}
	return units
}

// also returns a unit that is only read.
func also(name, factor string) []unit { return []unit{{name: name, factor: rat(factor)}} }

// hidden returns units that are only read.
func hidden(units []unit) []unit {
	for i := range units {
		units[i].plain = false
	}
	return units
}

func join(lists ...[]unit) (all []unit) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// rat reads a number of the table.
func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("quantity: the table has the bad number " + text)
	}
	return r
}

// Name names the kind with its article: a time.
func (k Kind) Name() string { return kinds[k].name }

// Example is a quantity of the kind.
func (k Kind) Example() string { return kinds[k].example }

// Units lists the units of the kind.
func (k Kind) Units() (names []string) {
	for _, u := range kinds[k].units {
		names = append(names, u.name)
	}
	return names
}

// Kinds lists all kinds.
func Kinds() (all []Kind) {
	for k := range kinds {
		all = append(all, Kind(k))
	}
	return all
}
