package quantity_test

import (
	"fmt"

	"contend/internal/quantity"
)

func ExampleParse() {
	for _, text := range []string{"100 Gb/s", "0.0012 ms", "5 m", "5 NS"} {
		q, err := quantity.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s is %s: %s\n", q.Text, q.Kind.Name(), q.Format())
	}
	// Output:
	// 100 Gb/s is a rate: 12.5 GB/s
	// 0.0012 ms is a time: 1.2 us
	// 5 m is a length of cable: 5 m
	// "NS" is no unit, did you mean ns?
}
