package config

import (
	"math"
	"math/big"

	"contend/internal/input"
	"contend/internal/quantity"
)

// cyclePath is the key with the length of a network cycle.
const cyclePath = "network.cycle"

// readCycle turns the value of network.cycle into its canonical text: equal lengths have equal
// texts.
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

// CycleSeconds returns the length of a network cycle in seconds, nil without network.cycle.
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

// checkCycle refuses job.cycles_per_second and network.cycle that contradict each other.
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
