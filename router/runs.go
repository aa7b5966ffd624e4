package router

// run is a run of flits, or of the places that became free behind one.
type run struct {
	at    int64 // cycle of the first
	count int32
	pace  int32 // cycles between two of them
}

// runs is a queue of runs: a ring in trains.list.
type runs struct {
	ring  int32 // index of its first element in trains.list
	head  int16 // offset of the oldest run
	count int16 // runs in the queue
}

// trains has the rings of all channels, two for each, beside each other. Their length is a power of
// two; all grow when one of them is full.
type trains struct {
	list []run
	mask int16 // length of a ring less one
}

// at returns run i of a queue, from the oldest on.
func (x *trains) at(q *runs, i int16) *run {
	return &x.list[uint32(q.ring+int32((q.head+i)&x.mask))]
}

// first returns the oldest run of a queue that is not empty.
func (x *trains) first(q *runs) *run { return x.at(q, 0) }

// take removes n flits or places from the oldest run r of a queue.
func (x *trains) take(q *runs, r *run, n int32) {
	if r.count -= n; r.count > 0 {
		r.at += int64(n) * int64(r.pace)
		return
	}
	q.head++
	q.count--
}

// push adds a run to a queue, to the last run if it continues that one.
func (b *Routers) push(q *runs, r run) {
	x := &b.trains
	if q.count > 0 {
		k := x.at(q, q.count-1)
		if k.at+int64(k.count)*int64(k.pace) == r.at && k.pace == r.pace {
			k.count += r.count
			return
		}
		if q.count > x.mask {
			b.lengthen()
		}
	}
	*x.at(q, q.count) = r
	q.count++
}

// lengthen doubles all rings. A ring repeated has each run at the index at which its queue reads
// it.
func (b *Routers) lengthen() {
	x, length := &b.trains, int(b.trains.mask)+1
	list := make([]run, 0, 2*len(x.list))
	for at := 0; at < len(x.list); at += length {
		list = append(append(list, x.list[at:][:length]...), x.list[at:][:length]...)
	}
	x.list, x.mask = list, int16(2*length-1)
	for i := range b.channels {
		b.channels[i].flits.ring *= 2
		b.channels[i].places.ring *= 2
	}
}

// each calls f for each flit or place of a queue, with its time.
func (x *trains) each(q *runs, f func(t int64)) {
	for i := range q.count {
		r := x.at(q, i)
		for j := range int64(r.count) {
			f(r.at + j*int64(r.pace))
		}
	}
}
