package chakra

import (
	"slices"

	"contend/patterns"
	"contend/patterns/training"
)

// calls are the collectives of a trace.
type calls struct {
	list []call
	of   []map[int32]int // by rank and place of a node
	// tags has a tag for each comm_tag of a trace; collectives have further ones.
	tags map[int64]int32
}

// call is a collective of a process group, as the first rank that has it says.
type call struct {
	rank  int
	id    uint64
	kind  training.Kind
	size  int64
	group training.Group
}

// vector returns the bytes of the whole vector.
func (c *call) vector() int64 {
	if c.kind == training.AllGather && c.size < training.MaxCollectiveBytes {
		return c.size * int64(len(c.group))
	}
	return c.size
}

// everyone is the name of the group of all ranks. ASTRA-sim calls it 0 too.
const everyone = ""

// kinds has the collectives by comm_type of the schema.
var kinds = map[int64]training.Kind{0: training.AllReduce, 2: training.AllGather,
	5: training.Broadcast, 6: training.AllToAll, 7: training.ReduceScatter, 9: training.Barrier}

// calls matches the collectives of all ranks. One that a member of its group has not is found with
// the messages that then are missing.
func (t *Trace) calls() (calls, error) {
	c := calls{of: make([]map[int32]int, len(t.ranks)), tags: map[int64]int32{}}
	made := map[string][]int{} // calls of a group in their order
	for r, nodes := range t.ranks {
		c.of[r] = map[int32]int{}
		done := map[string]int{}
		for i := range nodes {
			x := &nodes[i]
			if _, ok := c.tags[x.value[commTag]]; !ok && (x.kind == sendNode || x.kind == receiveNode) {
				c.tags[x.value[commTag]] = int32(len(c.tags))
			}
			if x.kind != collectiveNode {
				continue
			}
			own, err := t.call(r, x)
			if err != nil {
				return c, err
			}
			k := done[x.group]
			if done[x.group]++; k == len(made[x.group]) {
				made[x.group] = append(made[x.group], len(c.list))
				c.list = append(c.list, own)
			}
			at := made[x.group][k]
			c.of[r][int32(i)] = at
			if first := &c.list[at]; first.kind != own.kind || first.size != own.size ||
				!slices.Equal(first.group, own.group) {
				return c, t.at(r, x.id, "it is collective %d of its group, %s of %d bytes from rank %d on, "+
					"and in %s node %d is %s of %d bytes from rank %d on", k+1, own.kind, own.size,
					own.group[0], file(t.prefix, first.rank), first.id, first.kind, first.size, first.group[0])
			}
		}
	}
	return c, nil
}

// call returns the collective of a node.
func (t *Trace) call(r int, x *node) (call, error) {
	group := t.groups[x.group]
	if x.group == everyone {
		group = t.all
	}
	c := call{rank: r, id: x.id, size: x.value[commBytes], group: group}
	kind, ok := kinds[x.value[commType]]
	switch {
	case x.value[commType] == none:
		return c, t.at(r, x.id, "it has no attribute comm_type")
	case !ok:
		return c, t.at(r, x.id, "comm_type is %d: there are ALL_REDUCE (0), ALL_GATHER (2), "+
			"BROADCAST (5), ALL_TO_ALL (6), REDUCE_SCATTER (7) and BARRIER (9)", x.value[commType])
	case group == nil:
		return c, t.at(r, x.id, "there is no process group %q (pg_name): give the file of groups",
			x.group)
	case !slices.Contains(group, patterns.Rank(r)):
		return c, t.at(r, x.id, "rank %d is not in its process group %q", r, x.group)
	}
	if c.kind = kind; kind == training.Broadcast && x.value[source] != none {
		root := slices.Index(group, patterns.Rank(x.value[source]))
		if root < 0 {
			return c, t.at(r, x.id, "comm_src is %d, which is not in the process group", x.value[source])
		}
		c.group = append(slices.Clone(group[root:]), group[:root]...)
	}
	return c, nil
}
