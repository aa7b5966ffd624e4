package mapping

// HopBytes returns the cost of a mapping: the sum over pairs of processes of bytes times hops.
// Process i is at place at[i].
func (p *Places) HopBytes(t Traffic, at []int32) (sum int64) {
	for i, partners := range t {
		for _, k := range partners {
			if int(k.Process) > i {
				sum += k.Bytes * int64(p.between(at[i], at[k.Process]))
			}
		}
	}
	return sum
}
