package patterns_test

import (
	"fmt"

	"contend/internal/must"
	"contend/patterns"
)

// An FFT of four processes that ends after six messages. The second phase begins when the
// last message of the first has arrived, and the quota cuts it short.
func ExampleNew() {
	p := must.Have(patterns.New(patterns.Config{Name: "fft"}, 4, nil, 6, nil))
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

// The traffic of an iteration of a NAS benchmark.
func ExampleNewMatrix() {
	m := must.Have(patterns.NewMatrix(patterns.Config{Name: "npb-cg", Class: "S"}, 4, nil, nil))
	messages, bytes := m.Sum()
	fmt.Println(messages, "messages,", bytes, "bytes")
	// Output: 368 messages, 875328 bytes
}
