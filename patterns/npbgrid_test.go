package patterns

import (
	"slices"
	"testing"

	"contend/internal/must"
)

// Tests of the neighbours in each code and of the order of their exchanges.

// The cells of a multipartition are all cells of the cube, each once, and next leads
// from a process to the one with the next cells.
func TestMultipartition(t *testing.T) {
	for q := Rank(1); q <= 7; q++ {
		l := &lines{traffic: traffic{n: q * q}, side: 100, q: q}
		owner := map[[3]Rank]Rank{}
		for r := range q * q {
			for z := range q {
				owner[l.cell(r, 2, z)] = r
			}
		}
		if len(owner) != int(q*q*q) {
			t.Fatalf("q = %d: %d cells", q, len(owner))
		}
		for cell, r := range owner {
			for axis := range 3 {
				if got := l.cell(r, axis, cell[axis]); got != cell {
					t.Fatalf("q = %d: the cell of %d in slab %d across axis %d is %v, want %v", q, r, cell[axis],
						axis, got, cell)
				}
				if after := cell; cell[axis] < q-1 {
					after[axis]++
					if l.next(r, axis, 1) != owner[after] || l.next(owner[after], axis, -1) != r {
						t.Fatalf("q = %d: after %v along axis %d comes %v of %d", q, cell, axis, after, owner[after])
					}
				}
			}
		}
	}
}

// LU's wavefront: with delivery in rounds the first sweep reaches the far corner after
// one round for each step, plus one for each plane.
func TestWavefrontOfLU(t *testing.T) {
	for _, n := range []int{4, 9, 12, 16} {
		p := must.Have(New(Config{Name: "npb-lu", Class: "S", Iterations: 1}, n, nil, 0, nil))
		w, h := NearSquare(n)
		first := 0
		rounds := inRounds(p, func(round int, m Message) {
			if int(m.To) == n-1 && first == 0 {
				first = round + 1
			}
		})
		if first != w+h-2 {
			t.Errorf("%d processes: the far corner is reached in round %d, want %d", n, first, w+h-2)
		}
		// There and back once the pipeline is full: no process waits for more than the
		// distance, 10 planes each way in which processes do not wait for answers.
		if most := 2*(w+h-2) + 4; rounds > most {
			t.Errorf("%d processes: %d rounds, want at most %d", n, rounds, most)
		}
	}
}

// partnersAndBytes returns the messages of a process in a part, in order.
func partnersAndBytes(code Code, r Rank, k int) (to []Rank, bytes []int32) {
	for _, o := range code.Part(nil, r, k) {
		if o.kind == sendOperation {
			to, bytes = append(to, o.peer), append(bytes, o.flits)
		}
	}
	return to, bytes
}

// Sums of numbers go along a row from the greatest distance to the least, and sums of
// vectors the other way.
func TestOrderOfCGsExchanges(t *testing.T) {
	code := must.Have(NewCode(Config{Name: "npb-cg", FlitBytes: 1}, 64))
	to, _ := partnersAndBytes(code, 9, 0) // row 1, column 1: its own transpose
	if want := []Rank{13, 11, 8, 8, 11, 13, 13, 11, 8, 13, 11, 8}; !slices.Equal(to, want) {
		t.Errorf("process 9 sends to %v, want %v", to, want)
	}
}

// Class S on 128 processes has rows of 175 unknowns, which halve into 88 and 87.
func TestHalvesOfCG(t *testing.T) {
	code := must.Have(NewCode(Config{Name: "npb-cg", Class: "S", FlitBytes: 1}, 128))
	for r, want := range map[Rank][]int32{2: {8 * 87, 8 * 88, 8 * 88, 8 * 88, 8 * 88},
		3: {8 * 88, 8 * 87, 8 * 87, 8 * 87, 8 * 87}} {
		if _, bytes := partnersAndBytes(code, r, 1); !slices.Equal(bytes[:5], want) {
			t.Errorf("process %d sends %v, want %v", r, bytes[:5], want)
		}
	}
}

// On the way back to finer levels a process sends two layers of points up and one down,
// boundary included: with 16 processes along z from 2 points to 4.
func TestExpansionOfMG(t *testing.T) {
	code := must.Have(NewCode(Config{Name: "npb-mg", FlitBytes: 1}, 16))
	for k := range code.Parts() {
		if !code.(mg).cycle[k].expand {
			continue
		}
		for r := range Rank(16) {
			to, bytes := partnersAndBytes(code, r, k)
			var wantTo []Rank
			var want []int32
			if side := code.(mg).cycle[k].side; side == 4 && r/4%2 == 1 {
				// Two points along x and y, with two of boundary each.
				wantTo, want = []Rank{(r + 4) % 16, r - 4}, []int32{2 * 8 * 16, 8 * 16}
			}
			if !slices.Equal(to, wantTo) || !slices.Equal(bytes, want) {
				t.Errorf("part %d: process %d sends %v bytes to %v, want %v to %v", k, r, bytes,
					to, want, wantTo)
			}
		}
	}
}

// SP sends the faces of the cells it visits: forth all slabs except the last, from the
// first on; back all except the first, from the last on.
func TestSPGoesForthAndBack(t *testing.T) {
	const q = 3
	// Cells have 22, 21 and 21 points.
	code := must.Have(NewCode(Config{Name: "npb-sp", FlitBytes: 1}, q*q))
	l := code.(*lines)
	face := func(r Rank, axis int, slab Rank) int32 {
		inner := []int32{21, 21, 20} // without the cube's boundary
		c := l.cell(r, axis, slab)
		return inner[c[(axis+1)%3]] * inner[c[(axis+2)%3]]
	}
	for r := range Rank(q * q) {
		for axis := range 3 {
			var got, want []int32
			for k := range 2 * q {
				_, bytes := partnersAndBytes(code, r, 1+axis*2*q+k)
				got = append(got, bytes...)
			}
			for _, slab := range []Rank{0, 1} {
				want = append(want, 176*face(r, axis, slab))
			}
			for _, slab := range []Rank{2, 1} {
				want = append(want, 80*face(r, axis, slab))
			}
			if !slices.Equal(got, want) {
				t.Errorf("process %d along axis %d sends %v, want %v", r, axis, got, want)
			}
		}
	}
}
