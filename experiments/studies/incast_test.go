package studies_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"contend/experiments/studies"
	"contend/internal/must"
)

// The queues of the study incast that count as published are those of the fixed point of DCQCN's
// fluid model (Zhu et al., CoNEXT 2016, sec. 3, Theorem 1), with the parameters of Zhu et al.,
// SIGCOMM 2015, in cycles of 12.8 ns and packets of 16 flits.
func TestIncastFixedPoints(t *testing.T) {
	text, _ := studies.CSV("incast.csv")
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	rows := must.Have(r.ReadAll())[1:]
	if len(rows) != 10 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		senders := must.Have(strconv.ParseFloat(strings.TrimPrefix(row[0], "incast:senders="), 64))
		notify := 3906.0
		if row[1] == "dcqcn:cnp_cycles=1" {
			notify = 1
		}
		if want := fmt.Sprintf("%.1f", fixedPoint(senders, notify)); row[2] != want {
			t.Errorf("%v, want %s", row, want)
		}
	}
}

// fixedPoint returns the queue in flits at which the rates of the fluid model stand still, of some
// senders whose destination returns marks in no less than some cycles.
func fixedPoint(senders, notify float64) float64 {
	const packet = 16.0
	const timer, counter, recovery, step = 4297, 156250 / packet, 5, 0.001 / packet
	rate := 1 / senders / packet // packets per cycle
	// excess is above 0 where the share p of marked packets cuts rates more than timer and counter
	// raise them.
	excess := func(p float64) float64 {
		marked := func(packets float64) float64 { return 1 - math.Pow(1-p, packets) }
		raises := func(packets float64) (all, additive float64) {
			all = p / (math.Pow(1-p, -packets) - 1)
			return all, math.Pow(1-p, recovery*packets) * all
		}
		b, c := raises(counter)
		d, e := raises(timer * rate)
		a, alpha := marked(notify*rate), marked(timer*rate)
		return a*a*alpha/((b+d)*(c+e)) - notify*notify*step*rate
	}
	low, high := 1e-9, 0.5
	for range 200 {
		if p := math.Sqrt(low * high); excess(p) > 0 {
			high = p
		} else {
			low = p
		}
	}
	const kmin, kmax, pmax = 78, 3125, 0.01
	return kmin + low/pmax*(kmax-kmin)
}
