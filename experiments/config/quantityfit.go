package config

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"contend/internal/decimal"
	"contend/internal/input"
	"contend/internal/quantity"
)

// cyclePath is the key with the length of a network cycle.
const cyclePath = "network.cycle"

// readCycle turns the value of network.cycle into the text that a spec has: equal lengths
// have equal texts.
func readCycle(text string, _ Names) (string, *input.Error) {
	if text == "" {
		return "", nil
	}
	const right = `give a time with a unit above 0, such as "5.12 ns"`
	q, err := quantity.Parse(text)
	switch {
	case err != nil:
		return "", input.Bad(cyclePath, right, "%s is %q: %v", cyclePath, text, err)
	case q.Kind != quantity.Time:
		return "", input.Bad(cyclePath, right, "%s is %q, %s", cyclePath, text, q.Kind.Name())
	case q.Value.Sign() == 0:
		return "", input.Bad(cyclePath, right, "%s is %q", cyclePath, text)
	}
	return q.Format(), nil
}

// CycleSeconds returns the length of a network cycle in seconds, nil where the spec does
// not say it.
func (s *Spec) CycleSeconds() *big.Rat {
	if s.Network.Cycle == "" {
		return nil
	}
	q, err := quantity.Parse(s.Network.Cycle)
	if err != nil {
		return nil // not a text of readCycle
	}
	return q.Value
}

// cyclesPerSecond returns job.cycles_per_second, which follows from network.cycle where
// jobs come in seconds.
func (s *Spec) cyclesPerSecond() input.Auto {
	cycle := s.CycleSeconds()
	if s.Job.CyclesPerSecond != input.Automatic || cycle == nil ||
		!inSeconds.Holds(s) || s.Job.Run != "messages" {
		return s.Job.CyclesPerSecond
	}
	rate, _ := new(big.Rat).Inv(cycle).Float64()
	return input.Auto(rate)
}

// sameRate is the largest relative distance between job.cycles_per_second and 1/network.cycle.
const sameRate = 1e-9

// rateAgrees tells whether job.cycles_per_second is 1/network.cycle, where both are given
// and jobs come in seconds.
func (s *Spec) rateAgrees() (both, agrees bool) {
	cycle, cps := s.CycleSeconds(), s.Job.CyclesPerSecond
	if cycle == nil || cps == input.Automatic || s.Job.Run != "messages" || s.ClockUnit() != "s" {
		return false, true
	}
	seconds, _ := cycle.Float64()
	return true, math.Abs(float64(cps)*seconds-1) <= sameRate
}

// checkCycle refuses two lengths of a cycle.
func (s *Spec) checkCycle() *input.Error {
	if _, agrees := s.rateAgrees(); agrees {
		return nil
	}
	rate, _ := new(big.Rat).Inv(s.CycleSeconds()).Float64()
	return input.Bad("job.cycles_per_second",
		"leave it out; network.cycle says how many cycles a second of the log has",
		"job.cycles_per_second is %v, and a network.cycle of %s makes it %v",
		float64(s.Job.CyclesPerSecond), s.Network.Cycle, rate)
}

// fit converts a quantity into a value of the key. A whole number may be off by one per
// cent; the error for one that is off by more says what would fit.
func (k *Key) fit(q quantity.Quantity, by scale) (any, *input.Error) {
	c, err := k.conversionOf(q)
	if err == nil {
		err = c.missing(k, q.Text, by)
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
		return nil, k.unfit(q, c, by, x)
	case !k.holds(n):
		return nil, k.outOfBounds(q, x)
	}
	return n.Int64(), nil
}

// nearestWhole rounds a number that is not below 0, halves up, and tells whether the result is off
// by mostOff at most.
func nearestWhole(x *big.Rat) (n *big.Int, near bool) {
	y := new(big.Rat).Add(x, big.NewRat(1, 2))
	n = new(big.Int).Quo(y.Num(), y.Denom())
	off := y.Sub(x, new(big.Rat).SetInt(n))
	return n, off.Abs(off).Cmp(new(big.Rat).Mul(x, mostOff)) <= 0
}

// holds tells whether the key may have a whole number.
func (k *Key) holds(n *big.Int) bool { return n.IsInt64() && k.inBounds(float64(n.Int64())) }

// outOfBounds says what the quantity is in the unit of the key, and what the key takes.
func (k *Key) outOfBounds(q quantity.Quantity, x *big.Rat) *input.Error {
	return input.Bad(k.Path, "give what is "+k.Range()+" "+k.Unit, "%s is %q, which is %s %s",
		k.Path, q.Text, number4(x), k.Unit)
}

// number4 writes a number with four significant digits.
func number4(x *big.Rat) string {
	f, _ := x.Float64()
	return decimal.Significant(f, 4)
}

// unfit is the error for a quantity that is no whole number of the key's unit.
func (k *Key) unfit(q quantity.Quantity, c conversion, by scale, x *big.Rat) *input.Error {
	problem := fmt.Sprintf("%s is %q, which is %s %s", k.Path, q.Text, number4(x), k.Unit)
	if c.cycle != 0 {
		problem += " of " + quantity.New(quantity.Time, by.cycle).Format()
	} else if c.flit != 0 {
		problem += " of " + quantity.New(quantity.Size, by.flit).Format()
	}
	var fits []string
	if c.cycle == -1 {
		fits = append(fits, cycleFits(k, x, by)...)
	}
	if c.flit != 0 {
		fits = append(fits, flitFits(c.flit, k, x, by)...)
	}
	right := "give a whole number of " + k.Unit
	if fits != nil {
		right = strings.Join(fits, ", ") + "; rounding may change it by 1% at most"
	}
	return &input.Error{Key: k.Path, Problem: problem, Right: right}
}

// divisors are the numbers by which a cycle is divided to find one that fits: quantities
// that fit a cycle fit its whole parts too, and these keep decimal numbers short.
var divisors = []int64{2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 80, 100, 125, 128, 160, 200,
	250, 256, 320, 400, 500, 512, 625, 640, 800, 1000}

// cycleFits says which lengths of a cycle make the number whole, up to two parts of the
// present one; and the longest of all, where its decimal number is short.
func cycleFits(k *Key, x *big.Rat, by scale) (fits []string) {
	add := func(cycle *big.Rat, n *big.Int) {
		text := quantity.New(quantity.Time, cycle).Format()
		if len(fits) == 0 {
			text = "a network.cycle of " + text
		}
		fits = append(fits, fmt.Sprintf("%s makes it %v", text, n))
	}
	for _, d := range divisors {
		y := new(big.Rat).Mul(x, big.NewRat(d, 1))
		if n, near := nearestWhole(y); len(fits) < 2 && near && k.holds(n) {
			add(new(big.Rat).Quo(by.cycle, big.NewRat(d, 1)), n)
		}
	}
	whole, _ := nearestWhole(x)
	if whole.Sign() == 0 {
		whole.SetInt64(1)
	}
	exact := new(big.Rat).Quo(x, new(big.Rat).SetInt(whole))
	exact.Mul(exact, by.cycle)
	longest := quantity.New(quantity.Time, exact)
	said := slices.ContainsFunc(fits, func(f string) bool {
		return strings.Contains(f, longest.Text+" makes")
	})
	if longest.Exact() && len(longest.Text) <= len("123.456 ns") && !said {
		add(exact, whole)
	}
	return fits
}

// flitFits says which size of a flit makes the number whole. The number is in proportion
// to the size (exponent 1) or to its inverse.
func flitFits(exponent int, k *Key, x *big.Rat, by scale) []string {
	bytes := by.flit.Num().Int64()
	for d := int64(2); d <= 1000; d++ {
		y, size := new(big.Rat).Mul(x, big.NewRat(d, 1)), bytes*d
		if exponent < 0 {
			size = bytes / d
		}
		n, near := nearestWhole(y)
		if exponent < 0 && bytes%d != 0 || size > 65535 || !near || !k.holds(n) {
			continue
		}
		return []string{fmt.Sprintf("a network.flit_bytes of %d makes it %v", size, n)}
	}
	return nil
}
