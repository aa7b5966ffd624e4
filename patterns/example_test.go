package patterns_test

import (
	"fmt"
	"log"

	"contend/patterns"
)

// An FFT of four processes that ends after six messages. The second phase
// begins when the last message of the first has arrived, and is cut.
func ExampleNew() {
	p, err := patterns.New(patterns.Config{Name: "fft"}, 4, nil, 6, nil)
	if err != nil {
		log.Fatal(err)
	}
	flight := p.Start(nil)
	for !p.Done() {
		var next []patterns.Message
		for _, m := range flight {
			fmt.Printf("%d->%d\n", m.From, m.To)
			next = p.Delivered(next, m)
		}
		flight = next
	}
	// Output:
	// 0->2
	// 1->3
	// 2->0
	// 3->1
	// 0->1
	// 1->0
}
