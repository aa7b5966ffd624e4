package doctor_test

import (
	"context"
	"fmt"

	"contend/experiments/doctor"
)

// A check compares results, and its outcome counts the comparisons.
func ExampleExamine() {
	checks := []doctor.Check{{
		Name: "sum of ranks",
		Run: func(context.Context) (doctor.Finding, error) {
			finding := doctor.Finding{Compared: "sums with n(n+1)/2", Unit: "sums", Worst: "equal"}
			sum := 0
			for n := 1; n <= 10; n++ {
				sum += n
				finding.Cases++
				if sum != n*(n+1)/2 {
					finding.Problem = fmt.Sprintf("the sum to %d is %d", n, sum)
				}
			}
			return finding, nil
		},
	}}
	_, err := doctor.Examine(context.Background(), checks, 1, func(o doctor.Outcome) {
		fmt.Println(o.Check, o.Cases, o.Unit, o.Worst, o.OK())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: sum of ranks 10 sums equal true
}
