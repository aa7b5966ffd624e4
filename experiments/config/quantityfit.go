package config

import (
	"fmt"
	"math"
	"math/big"

	"contend/internal/decimal"
	"contend/internal/input"
	"contend/internal/quantity"
)

// cyclePath is the key with the length of a network cycle.
const cyclePath = "network.cycle"

// readCycle turns the value of network.cycle into the text that a spec has: equal lengths
// have equal texts.
func readCycle(text string) (string, *input.Error) {
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

// rateAgrees reports whether job.cycles_per_second is 1/network.cycle, where both are given
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

// convertQuantity converts a quantity into a value of the key. A whole number may be off by one per cent.
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
