package stats_test

import (
	"fmt"

	"contend/experiments/stats"
)

// The mean wait of two policies over five replications with common random numbers.
func Example() {
	fcfs := []float64{31, 28, 35, 30, 33}
	easy := []float64{22, 21, 26, 20, 24}
	mean := stats.EstimateOf(fcfs, 0.95)
	low, high := mean.Ends(stats.AtLeast(0))
	fmt.Printf("FCFS waits %.1f s, from %.1f to %.1f\n", mean.Mean, low, high)
	test := stats.TestPairs(fcfs, easy, 0.95)
	fmt.Printf("longer by %.1f ± %.1f s\n", test.Difference.Mean, test.Difference.Half)
	fmt.Printf("%.2f times as long, from %.2f to %.2f, p = %.5f\n", test.Ratio.Mean,
		test.Ratio.Low, test.Ratio.High, test.P)
	fmt.Printf("of two tests: %.5f\n", stats.Holm([]float64{test.P, 0.3})[0])
	// Output:
	// FCFS waits 31.4 s, from 28.0 to 34.8
	// longer by 8.8 ± 1.4 s
	// 1.39 times as long, from 1.31 to 1.48, p = 0.00010
	// of two tests: 0.00019
}
