package decimal_test

import (
	"fmt"

	"contend/internal/decimal"
)

func Example() {
	fmt.Println(decimal.Number(1e10), decimal.Number(2.0/3))
	fmt.Println(decimal.Time(12.34567), decimal.Time(0.000012345))
	fmt.Println(decimal.Exact(0.1), decimal.Exact(1e-7))
	// Output:
	// 10000000000 0.666666667
	// 12.34567 0.000012345
	// 0.1 0.0000001
}
