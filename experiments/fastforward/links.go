package fastforward

import (
	"cmp"

	"contend/router"
)

// linkState is what the executor knows of links that fail and are repaired.
type linkState struct {
	name string // the same whenever the same links have failed
	// changing is set from a change of links on until no packet from before it is in the network, and
	// escape paths are open. Meanwhile packets may go anywhere, so all jobs are one component, which
	// is simulated.
	changing bool
}

// meeting is the link that stands for all links on which jobs may meet while links change.
const meeting router.Link = 0

// ChangeLinks calls change, which lets links fail or repairs them, now. Before it all jumps end, so
// that every job is where it is now. Name names the links that have failed then.
func (e *Executor) ChangeLinks(name string, change func() error) error {
	for _, c := range e.components {
		e.endJump(c)
	}
	if e.err != nil {
		return e.err
	}
	if err := change(); err != nil {
		return err
	}
	e.links = linkState{name: name, changing: true}
	return e.relink()
}

// settleLinks ends a change of links if all packets in the network use no other links than those of
// the footprint.
func (e *Executor) settleLinks() {
	if e.links.changing && e.full.Net.Settled() {
		e.links.changing = false
		e.err = cmp.Or(e.err, e.relink())
	}
}

// relink finds the links of all jobs anew, and forms components of them.
func (e *Executor) relink() error {
	var all component
	for _, c := range e.components {
		e.closeEpoch(c)
		all.jobs = append(all.jobs, c.jobs...)
	}
	e.components = nil
	for l := range e.users {
		e.users[l] = e.users[l][:0]
	}
	var err error
	for _, k := range all.jobs {
		err = cmp.Or(err, e.findLinks(k))
		for _, l := range k.links {
			e.users[l] = append(e.users[l], k)
		}
		k.component = &all
	}
	for _, j := range e.computing {
		if j.joins != nil {
			err = cmp.Or(err, e.findLinks(j.joins))
		}
	}
	e.regroupAll(&all)
	return err
}

// recovers reports whether packets of a component have been lost and have not arrived, or wait for
// a repair, and sets when to look again: rates count from then on.
func (e *Executor) recovers(c *component) bool {
	lost, held := e.full.Net.Recovering(c.slots)
	if lost { // of others, all components are formed anew after a repair
		c.nextDecision = e.now + releaseCycles
	}
	return lost || held
}
