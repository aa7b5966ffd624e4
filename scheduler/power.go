package scheduler

// RoundToPower rounds k to a power of two: none, down, nearest or up.
func RoundToPower(k int, round string) int { return roundPower(k, round, 1<<62) }
