package metrics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"contend/experiments/cosim/run"
	"contend/internal/decimal"
	"contend/netsim"
	"contend/router"
	"contend/scheduler"
)

// Interference sums the waits of ready headers by the job that waited, the job that it waited
// for, and the channel. Each cycle of a wait counts twice: for the direct holder, whose packet
// had the virtual channel or was in the buffer behind it, and for the root, the job at the head of
// the chain of holders in that cycle. A packet is the head of the chain if its own header does not
// wait. Where packets may take several channels, a chain may close to a ring for some time; it
// ends where it would come to a packet again.
//
// The root of a wait rests on the waits of other packets in the same cycles, which the router may
// tell of later. So waits are kept until all waits of their time are known.
//
// Interference implements router.WaitRecorder.
type Interference struct {
	net    *netsim.Network
	slots  [][]tenancy
	jobs   []scheduler.JobID // that have run, in the order of their starts
	keys   []waitKey
	sums   []WaitSums // by place of keys
	places waitPlaces
	newest []int // wait, by place of packets
	log    []loggedWait
	first  int // number of the first wait in the log
	summed int // waits that have been summed up
	full   int // length of the log at which it is summed up
	atOnce int // waits until then
	roots  []rootPart
	ring   bool // a chain has come to a packet again
	// What the header at each place of packets has waited for, and the rows of critical paths.
	packets []packetWaits
	paths   [][]string
}

// packetWaits are the waits of the header of a packet.
type packetWaits struct {
	packet int64
	list   []run.ForJob
}

// WaitSums are sums of waits, in cycles.
type WaitSums struct {
	// Held is the waits for virtual channels that packets of the job held, Behind the others.
	Held, Behind int64
	// Root is the waits for chains at whose head the job was.
	Root int64
}

// waitKey names a sum. Jobs are by their place in Interference.jobs.
type waitKey struct {
	job, by int32
	link    router.Link
}

// nobodys is the place of the job of waits that are no job's.
const nobodys = -1

// tenancy is a job that has a slot of the executor from a cycle on.
type tenancy struct {
	since int64
	job   int32
}

// loggedWait is a wait whose time may matter for others.
type loggedWait struct {
	packet        int64
	from, until   int64
	behind        int64 // up to which the holder's own waits count
	prev          int   // of the same packet or one that had its place before, or noWait
	next          int   // of the same packet, or noWait
	holder        int   // a wait of the holder, or noWait
	held          int32
	link          router.Link
	job, by, root int32
	walked        bool
}

// noWait is the number of no wait.
const noWait = -1

// unknownRoot is the root of a wait that is not summed up, or that had several.
const unknownRoot = -2

// rootPart is a part of a wait with one root.
type rootPart struct {
	job    int32
	cycles int64
}

// waitsAtOnce is the number of waits that are summed up at once.
const waitsAtOnce = 1 << 13

// NewInterference returns the sums of a network that is idle. The network must tell it of waits,
// and the executor of jobs that begin.
func NewInterference(net *netsim.Network) *Interference {
	return &Interference{net: net, places: make(waitPlaces, 1<<10), atOnce: waitsAtOnce}
}

// Began notes that a job has a slot from now on.
func (w *Interference) Began(slot int32, id scheduler.JobID) {
	for int(slot) >= len(w.slots) {
		w.slots = append(w.slots, nil)
	}
	w.slots[slot] = append(w.slots[slot], tenancy{w.net.Now(), int32(len(w.jobs))})
	w.jobs = append(w.jobs, id)
}

// jobOf returns the job that had a slot in a cycle.
func (w *Interference) jobOf(slot int32, cycle int64) int32 {
	list := w.slots[slot]
	k := len(list) - 1
	for k > 0 && cycle < list[k].since {
		k--
	}
	return list[k].job
}

// Waited implements router.WaitRecorder.
func (w *Interference) Waited(x *router.Wait) {
	k := loggedWait{packet: x.Packet.Number, from: x.From, until: x.Until, behind: x.Behind,
		next:   noWait,
		holder: noWait, held: int32(x.Held), link: x.Link, by: nobodys, root: unknownRoot,
		job: w.jobOf(x.Packet.Job, x.Until)}
	if !x.For.Nobody() {
		k.by, k.holder = w.jobOf(x.For.Job, x.Tail), w.waitOf(x)
	}
	w.add(k, x.Packet.Place)
	w.wait(&x.Packet, w.idOf(k.by), k.until-k.from)
	if len(w.log) >= w.full {
		w.sum(w.net.WaitsToldUntil())
		w.full = len(w.log) + w.atOnce
	}
}

// wait adds cycles that the header of a packet has waited for a job.
func (w *Interference) wait(p *router.WaitingPacket, by scheduler.JobID, cycles int64) {
	for int(p.Place) >= len(w.packets) {
		w.packets = append(w.packets, packetWaits{packet: -1})
	}
	k := &w.packets[p.Place]
	if k.packet != p.Number {
		k.packet, k.list = p.Number, k.list[:0]
	}
	for i := range k.list {
		if k.list[i].Job == by {
			k.list[i].Cycles += cycles
			return
		}
	}
	k.list = append(k.list, run.ForJob{Job: by, Cycles: cycles})
}

// WaitedFor returns how long the header of a packet that arrives now has waited for which jobs.
func (w *Interference) WaitedFor(p *router.Arrival) []run.ForJob {
	if n := int(w.net.Place()); n < len(w.packets) && w.packets[n].packet == p.Number {
		return w.packets[n].list
	}
	return nil
}

// add adds a wait of the packet at a place to the log, behind those of the packets that had the
// place before.
func (w *Interference) add(k loggedWait, place int32) {
	n := w.newestAt(place)
	if k.prev = *n; k.prev >= w.first {
		if before := w.at(k.prev); before.packet == k.packet {
			before.next = w.first + len(w.log)
		}
	}
	*n = w.first + len(w.log)
	w.log = append(w.log, k)
}

// newestAt returns the newest wait of the packets that have had a place.
func (w *Interference) newestAt(place int32) *int {
	for int(place) >= len(w.newest) {
		w.newest = append(w.newest, noWait)
	}
	return &w.newest[place]
}

// waitOf returns a wait of the packet that another waited for: the newest so far, or one of no
// cycles from which the next one is found.
func (w *Interference) waitOf(x *router.Wait) int {
	n := *w.newestAt(x.For.Place)
	for x.Arrived && n >= w.first && w.at(n).packet != x.For.Number {
		n = w.at(n).prev
	}
	switch {
	case n >= w.first && w.at(n).packet == x.For.Number:
		return n
	case x.Arrived:
		return noWait
	}
	w.add(loggedWait{packet: x.For.Number, from: x.Until, until: x.Until, next: noWait,
		holder: noWait}, x.For.Place)
	return *w.newestAt(x.For.Place)
}

// at returns a wait of the log.
func (w *Interference) at(number int) *loggedWait { return &w.log[number-w.first] }

// sum sums up the waits in the log that ended by a cycle up to which all are known, and drops
// those that matter for no other.
func (w *Interference) sum(known int64) {
	for ; w.summed < w.first+len(w.log) && w.at(w.summed).until <= known; w.summed++ {
		if k := w.at(w.summed); k.from < k.until {
			w.sumOne(k)
		}
	}
	for i := range w.log[w.summed-w.first:] {
		known = min(known, w.log[w.summed-w.first+i].from)
	}
	keep := w.summed // and whatever leads to waits that matter
	for i := range w.log {
		if k := &w.log[i]; k.until > known && k.holder >= w.first {
			keep = min(keep, k.holder)
		}
	}
	drop := 0
	for w.first+drop < keep && w.log[drop].until <= known {
		drop++
	}
	w.log = append(w.log[:0], w.log[drop:]...)
	w.first += drop
}

// sumOne adds a wait to the sums.
func (w *Interference) sumOne(k *loggedWait) {
	w.roots, w.ring = w.roots[:0], false
	w.walk(k, k.from, k.until)
	direct := w.sumOf(waitKey{k.job, k.by, k.link})
	direct.Held += int64(k.held)
	direct.Behind += k.until - k.from - int64(k.held)
	for _, part := range w.roots {
		if part.job == k.by {
			direct.Root += part.cycles
		}
	}
	if len(w.roots) == 1 && !w.ring { // where a ring ends depends on where it is entered
		k.root = w.roots[0].job
	}
	for _, part := range w.roots {
		if part.job != k.by {
			w.sumOf(waitKey{k.job, part.job, k.link}).Root += part.cycles
		}
	}
}

// sumOf returns the sums of a key. They are valid until the next call.
func (w *Interference) sumOf(key waitKey) *WaitSums {
	at := w.places.find(key, w.keys)
	if *at == 0 {
		w.keys, w.sums = append(w.keys, key), append(w.sums, WaitSums{})
		*at = int32(len(w.keys))
		if 2*len(w.keys) > len(w.places) {
			w.places = make(waitPlaces, 2*len(w.places))
			for i, k := range w.keys {
				*w.places.find(k, w.keys) = int32(i + 1)
			}
		}
		return &w.sums[len(w.sums)-1]
	}
	return &w.sums[*at-1]
}

// waitPlaces is a hash table with open addressing: places of keys plus 1, or 0. Its length is a
// power of two. A map takes a third of the time of all records.
type waitPlaces []int32

// find returns where the place of a key stands, or would stand.
func (p waitPlaces) find(key waitKey, keys []waitKey) *int32 {
	const mix = 0x9e3779b97f4a7c15
	h := uint64(uint32(key.job))<<32 | uint64(uint32(key.by))
	h = (h*mix ^ uint64(uint32(key.link))) * mix
	for i := h >> 32; ; i++ {
		if at := &p[i&uint64(len(p)-1)]; *at == 0 || keys[*at-1] == key {
			return at
		}
	}
}

// walk finds the roots of a part of a wait.
func (w *Interference) walk(k *loggedWait, from, until int64) {
	if k.root != unknownRoot {
		w.root(k.root, until-from)
		return
	}
	k.walked = true
	end := min(until, k.behind)
	for n := w.lastBefore(k.holder, end); n >= w.first && from < end; n = w.at(n).prev {
		h := w.at(n)
		if h.until <= from || h.packet != w.at(k.holder).packet {
			break
		}
		if a, b := max(from, h.from), min(end, h.until); a < b && h.walked {
			w.ring = true
		} else if a < b {
			w.root(k.by, until-b)
			w.walk(h, a, b)
			until, end = a, a
		}
	}
	w.root(k.by, until-from)
	k.walked = false
}

// lastBefore returns the last wait of a packet that began before a cycle, given any of its waits.
func (w *Interference) lastBefore(n int, cycle int64) int {
	if n < w.first {
		return noWait
	}
	for k := w.at(n); k.next != noWait && w.at(k.next).from < cycle; k = w.at(n) {
		n = k.next
	}
	return n
}

// root adds a part of a wait with one root.
func (w *Interference) root(job int32, cycles int64) {
	if n := len(w.roots); n > 0 && w.roots[n-1].job == job {
		w.roots[n-1].cycles += cycles
	} else if cycles > 0 {
		w.roots = append(w.roots, rootPart{job, cycles})
	}
}

// Sums returns the sums of all waits, in the order of the numbers of jobs and channels.
func (w *Interference) Sums() (list []LinkWait) {
	w.sum(math.MaxInt64)
	for i, k := range w.keys {
		list = append(list, LinkWait{w.idOf(k.job), w.idOf(k.by), k.by == nobodys, k.link, w.sums[i], 0})
	}
	slices.SortFunc(list, func(a, b LinkWait) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.For, b.For), int(a.Link-b.Link))
	})
	return list
}

// LinkWait is how long headers of a job waited on a link for another job, or for no job.
type LinkWait struct {
	Job, For scheduler.JobID
	Nobody   bool
	Link     router.Link
	WaitSums
	// Half is this link's part of the half width of the 95% interval of the waits Held and Behind of
	// the two jobs, in cycles. It is 0 where they are no estimate.
	Half float64
}

// waitRows returns a row for each sum. Sums may be estimates where a run jumps over time.
func waitRows(net *netsim.Network, sums []LinkWait, estimates bool) (rows [][]string) {
	channels := Channels(net.Wiring())
	for i := range sums {
		s, half := &sums[i], ""
		if estimates {
			half = decimal.Number(s.Half)
		}
		by := ""
		if !s.Nobody {
			by = fmt.Sprint(s.For)
		}
		row := append([]string{fmt.Sprint(s.Job), by}, channels[s.Link].Cells()...)
		rows = append(rows, append(row, fmt.Sprint(s.Held), fmt.Sprint(s.Behind), fmt.Sprint(s.Root),
			half))
	}
	return rows
}

// idOf returns the number of a job.
func (w *Interference) idOf(job int32) scheduler.JobID {
	if job == nobodys {
		return run.Nobody
	}
	return w.jobs[job]
}
