package exact

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/machinetest"
)

// Bender et al. 2005, Fig. 2: the least sums of pairwise distances of 2 to 21
// processors of an empty machine.
func TestBenderFig2(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "shared", "reference",
		"bender2005-fig2-optimal-clusters.csv"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no figures: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil || len(rows) != 21 {
		t.Fatal(len(rows), err)
	}
	machine := machinetest.Mesh(t, 16, 16)
	a := makeExact(t, "optimal", machine)
	for _, row := range rows[1:] {
		size, _ := strconv.Atoi(row[0])
		want, _ := strconv.Atoi(row[1])
		nodes, _ := a.Allocate(nil, allocation.NewFreeSet(16*16), allocation.Request{Size: size})
		explored, proven := a.(allocation.Explorer).Explored()
		if got := allocationtest.PairsApart(machine, nodes); got != want || !proven {
			t.Errorf("%d processors: %d (proven %v after %d nodes), published %d", size, got,
				proven, explored, want)
		}
		// The search alone, starting from one more, must not miss the optimum.
		b := bound{least: int64(want) + 1, limit: 1 << 30}
		if nodes := a.(*optimal).plane.search(nil, allocation.NewFreeSet(16*16), size,
			&b); b.least != int64(want) ||
			len(nodes) != size {
			t.Errorf("%d processors: the search finds %d, published %d", size, b.least, want)
		}
	}
}
