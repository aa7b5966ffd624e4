package patterns

// cg is NAS CG, the conjugate gradient method on a sparse matrix. Processes form a grid
// of rows x columns, where columns equals rows or twice rows, with process r at (r /
// columns, r mod columns). A matrix-vector product adds vectors along the rows and then
// exchanges them with the transposed process. Dot products are sums along the rows.
// Each iteration is an outer one: 25 steps of the method, the residual and the norm. A
// process computes before each product.
type cg struct {
	traffic
	unknowns      int64 // of the system of equations
	rows, columns Rank
}

// cgSteps is the number of inner iterations.
const cgSteps = 25

// newCG makes CG.
func newCG(t traffic) (Code, error) {
	unknowns := ofClass(&t, cgSizes[:]).unknowns
	columns := int64(1) // at most: of processes with two unknowns each
	for 4*columns <= unknowns {
		columns *= 2
	}
	if err := t.checkPower(columns * columns); err != nil {
		return nil, err
	}
	rows := Rank(1) << (log2(t.n) / 2)
	return cg{t, unknowns, rows, t.n / rows}, nil
}

func (c cg) Parts() int { return cgSteps + 1 }

func (c cg) Messages() int64 {
	n, l := int64(c.n), int64(log2(c.columns))
	selves := int64(c.rows) // processes that are their own transposes
	if c.rows != c.columns {
		selves *= 2
	}
	return n*l*(cgSteps+1+2*(cgSteps+1)+1) + (n-selves)*(cgSteps+1)
}

func (c cg) steps() int64 { return cgSteps + 1 }

func (c cg) Part(dst []Operation, r Rank, k int) []Operation {
	if k == 0 {
		dst = c.sum(dst, r, 8)
	}
	dst = c.product(dst, r)
	dst = c.sum(dst, r, 8)
	if k < cgSteps {
		return c.sum(dst, r, 8)
	}
	return c.sum(dst, r, 16)
}

// sum appends a sum of the given bytes along the row.
func (c cg) sum(dst []Operation, r Rank, bytes int64) []Operation {
	for d := c.columns / 2; d > 0; d /= 2 {
		dst = c.exchange(dst, r, r^d, bytes)
	}
	return dst
}

// product appends a matrix-vector product. On a grid that is not square each process
// keeps half of the vector after the first exchange of a row.
func (c cg) product(dst []Operation, r Rank) []Operation {
	dst = c.compute(dst)
	whole := share(c.unknowns, c.rows, r/c.columns)
	mine := whole
	given := whole
	if c.rows != c.columns {
		mine, given = (whole+1)/2, whole/2
		if r%2 == 1 {
			mine, given = given, mine
		}
	}
	for d := Rank(1); d < c.columns; d *= 2 {
		dst = c.exchange(dst, r, r^d, 8*given)
		given = mine
	}
	return c.exchange(dst, r, c.transposed(r), 8*mine)
}

// transposed returns the process with the transposed part of the matrix. On a grid that
// is not square two columns count as one.
func (c cg) transposed(r Rank) Rank {
	if c.rows == c.columns {
		return r%c.rows*c.rows + r/c.rows
	}
	half := r / 2
	return 2*(half%c.rows*c.rows+half/c.rows) + r%2
}
