package metrics

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/router"
)

// Bins hold the same whatever the order of the flits, and whatever their first width.
func TestChannelBinsKeepAllFlits(t *testing.T) {
	type flit struct {
		link         router.Link
		from, cycles int64
	}
	flits := []flit{{0, 0, 3}, {1, 5, 1}, {1, 1023, 2}, {0, 1 << 20, 4096}, {2, 1<<20 - 2, 4}}
	var texts []string
	for order := range len(flits) {
		b := newChannelBins(3, func() int64 { return 1 << 10 * int64(order%3) })
		for i := range flits {
			f := flits[(i+order)%len(flits)]
			b.Carried(f.link, f.from, f.cycles)
		}
		b.countAhead(1 << 30)
		sums := make([]uint32, 3)
		for i, busy := range b.busy {
			sums[i%3] += busy
		}
		if d := cmp.Diff([]uint32{4099, 3, 4}, sums); d != "" {
			t.Error(d)
		}
		b.widen(15)
		texts = append(texts, fmt.Sprint(b.shift, b.busy))
	}
	if len(slices.Compact(texts)) != 1 {
		t.Errorf("the order changes the bins: %s", strings.Join(texts, "\n"))
	}
	if shift, bins := binsOf(1000); shift != 1 || bins != 500 {
		t.Errorf("1000 cycles: %d bins of 2^%d", bins, shift)
	}
	if shift, bins := binsOf(512); shift != 0 || bins != 512 {
		t.Errorf("512 cycles: %d bins of 2^%d", bins, shift)
	}
}

// Flits ahead of the run are looked through the more seldom the more there are: seconds if each
// looks at all.
func TestFlitsFarAheadAreCheap(t *testing.T) {
	const flits = 1 << 20
	b := newChannelBins(2, func() int64 { return 0 })
	for i := range int64(flits) {
		b.Carried(router.Link(i%2), i, 1)
	}
	if n := len(b.ahead); n != flits || b.countAt < n/2 {
		t.Errorf("%d runs of flits are ahead, and %d are looked through", n, b.countAt)
	}
	for i := range int64(flits) { // the flits of a packet are one run
		b.Carried(1, 2*flits+i, 1)
	}
	if n := len(b.ahead); n != flits+1 {
		t.Errorf("%d runs of flits are ahead", n)
	}
	b.countAhead(2*flits + 10)
	b.widen(22)
	if d := cmp.Diff([]uint32{flits / 2, flits/2 + 10}, b.busy); d != "" {
		t.Error(d)
	}
}
