package patterns_test

import (
	"fmt"
	"strings"

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

// Three processes each receive before they send.
func ExampleVerify() {
	_, err := patterns.Verify(3, patterns.Lists{
		{patterns.Receive(2, 5), patterns.Send(1, 8, 5)},
		{patterns.Receive(0, 5), patterns.Send(2, 8, 5)},
		{patterns.Receive(1, 5), patterns.Send(0, 8, 5)},
	})
	for line := range strings.SplitSeq(err.Error(), "; ") {
		fmt.Println(line)
	}
	// Output:
	// deadlock: 3 processes wait for each other in a cycle: 0 for tag 5 from 2
	// 2 for tag 5 from 1
	// 1 for tag 5 from 0
}

// The traffic of an iteration of a NAS benchmark.
func ExampleNewMatrix() {
	m := must.Have(patterns.NewMatrix(patterns.Config{Name: "npb-cg", Class: "S"}, 4, nil, nil))
	messages, bytes := m.Sum()
	fmt.Println(messages, "messages,", bytes, "bytes")
	// Output: 368 messages, 875328 bytes
}
