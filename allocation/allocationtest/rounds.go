package allocationtest

// Rounds returns how often a test draws: the first number with the build tag long, else the
// second.
func Rounds(long, short int) int {
	if Long {
		return long
	}
	return short
}
