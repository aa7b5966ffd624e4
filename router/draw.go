package router

import "math/bits"

// drawStep is the step between the arguments of scramble for consecutive numbers.
const drawStep = 0x9e3779b97f4a7c15

// Draw returns a number from 0 to n-1 for a packet at a place. It is a hash (the finalizer of
// Steele, Lea and Flood's SplitMix64, OOPSLA 2014) and no stream: it does not depend on the order
// of calls in a cycle, nor on the engine, and a head that draws again gets the same number.
func Draw(seed uint64, packet, place int64, n int32) int32 {
	h := scramble(scramble(seed+uint64(packet)*drawStep) + uint64(place)*drawStep)
	k, _ := bits.Mul64(h, uint64(n))
	return int32(k)
}

// Identity returns the identity of part n of a whole, from 0: of a process of a job, or of the
// first packet of a message of a process. The other packets of the message are numbered on from it.
// It is a hash, at least 0, so that two parts have the same identity by chance only.
func Identity(whole uint64, n int64) int64 {
	return int64(scramble(scramble(whole)+uint64(n)*drawStep) >> 2)
}

// DrawFlow returns a number from 0 to n-1 for the flow of a packet at a place, as Draw does: the
// same for all packets with one source, destination and flow.
func DrawFlow(seed uint64, h *Header, place int64, n int32) int32 {
	pair := int64(h.Source)<<32 | int64(uint32(h.Destination))
	return Draw(scramble(seed)+uint64(pair)*0xd1342543de82ef95, int64(h.Flow), place, n)
}

// scramble returns a hash of a number: the finalizer of SplitMix64.
func scramble(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
