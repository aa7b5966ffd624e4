package patterns

// direct sends a block to each of the other processes at once, round the ring from the
// next process on, and then receives theirs in the opposite order: the all-to-all of
// Thakur, Rabenseifner and Gropp (IJHPCA 19(1), 2005, sec. 4.2) for medium messages. An
// all-gather sends the sender's own block to all. In an all-to-all and a reduce-scatter
// each process gets a block of its own.
type direct struct {
	traffic
	own bool
}

func (a direct) Parts() int      { return 1 }
func (a direct) Messages() int64 { return int64(a.n) * (int64(a.n) - 1) }

func (a direct) Part(dst []Operation, r Rank, _ int) []Operation {
	dst = a.compute(dst)
	for d := Rank(1); d < a.n; d++ {
		to := (r + d) % a.n
		block := to
		if a.own {
			block = r
		}
		dst = a.send(dst, to, a.blocks(block, block+1))
	}
	for d := Rank(1); d < a.n; d++ {
		dst = a.receive(dst, (r+a.n-d)%a.n)
	}
	return dst
}

// Broadcast returns the code of a broadcast of Config.Bytes bytes from process 0 down a
// binomial tree. It has no name in New: process 0 waits for nobody, so it would send all
// iterations at once.
func Broadcast(c Config, n int) (Code, error) {
	t, err := c.traffic(n)
	return broadcast{t}, err
}

type broadcast struct{ traffic }

func (b broadcast) Parts() int      { return 1 }
func (b broadcast) Messages() int64 { return int64(b.n) - 1 }

func (b broadcast) Part(dst []Operation, r Rank, _ int) []Operation {
	return b.broadcast(b.compute(dst), r, b.bytes)
}
