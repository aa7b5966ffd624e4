package quantity

import "math/big"

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
