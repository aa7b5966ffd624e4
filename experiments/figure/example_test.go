package figure_test

import (
	"bytes"
	"fmt"
	"log"
	"os"

	"contend/experiments/figure"
)

// Two policies at three loads, as SVG for the page and as CSV for the reader of numbers.
func Example() {
	fig := figure.Figure{
		Kind: figure.Lines,
		X:    figure.Axis{Label: "Load"},
		Y:    figure.Axis{Label: "Mean wait (s)", Time: true},
		Series: []figure.Series{
			{Name: "FCFS", X: []float64{0.3, 0.5, 0.7}, Y: []float64{10, 31, 120}},
			{Name: "EASY", X: []float64{0.3, 0.5, 0.7}, Y: []float64{4, 11, 42},
				Low: []float64{3, 9, 35}, High: []float64{5, 13, 49}},
		},
	}
	var svg bytes.Buffer
	if err := figure.Render(&svg, fig, "svg"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.HasPrefix(svg.Bytes(), []byte("<svg ")))
	if err := figure.WriteCSV(os.Stdout, fig); err != nil {
		log.Fatal(err)
	}
	// Output:
	// true
	// series,x,y,y_low,y_high,published
	// FCFS,0.3,10,,,
	// FCFS,0.5,31,,,
	// FCFS,0.7,120,,,
	// EASY,0.3,4,3,5,
	// EASY,0.5,11,9,13,
	// EASY,0.7,42,35,49,
}
