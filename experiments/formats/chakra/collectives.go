package chakra

import (
	"slices"

	"contend/patterns"
	"contend/patterns/training"
)

// collectives are the collectives of a trace.
type collectives struct {
	list []collective
	of   []map[int32]int // by rank and index of a node: index in list
	// tags are the tags of messages by comm_tag. Collectives have the tags above these.
	tags map[int64]int32
}

// collective is a collective of a process group, as the first of its ranks describes it.
type collective struct {
	rank  int    // the first rank
	id    uint64 // of its node
	kind  training.Kind
	size  int64
	group training.Group
}

// vector returns the length of the whole vector in bytes.
func (c *collective) vector() int64 {
	if c.kind == training.AllGather && c.size < training.MaxCollectiveBytes {
		return c.size * int64(len(c.group))
	}
	return c.size
}

// everyRank is the name of the group of all ranks, which ASTRA-sim also calls 0.
const everyRank = ""

// collectiveKinds are the kinds of collectives by comm_type of the schema.
var collectiveKinds = map[int64]training.Kind{0: training.AllReduce, 2: training.AllGather,
	5: training.Broadcast, 6: training.AllToAll, 7: training.ReduceScatter, 9: training.Barrier}

// matchCollectives matches the collectives of all ranks. If a member of its group lacks one,
// messages are missing, which Graph.Check reports.
func (t *Trace) matchCollectives() (collectives, error) {
	c := collectives{of: make([]map[int32]int, len(t.ranks)), tags: map[int64]int32{}}
	byGroup := map[string][]int{} // collectives of a group in their order
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
			own, err := t.collective(r, x)
			if err != nil {
				return c, err
			}
			k := done[x.group]
			if done[x.group]++; k == len(byGroup[x.group]) {
				byGroup[x.group] = append(byGroup[x.group], len(c.list))
				c.list = append(c.list, own)
			}
			at := byGroup[x.group][k]
			c.of[r][int32(i)] = at
			if first := &c.list[at]; first.kind != own.kind || first.size != own.size ||
				!slices.Equal(first.group, own.group) {
				return c, t.badNode(r, x.id, "it is collective %d of its group, %s of %d bytes from rank %d "+
					"on, and in %s node %d is %s of %d bytes from rank %d on", k+1, own.kind, own.size,
					own.group[0], rankFile(t.prefix, first.rank), first.id, first.kind, first.size, first.group[0])
			}
		}
	}
	return c, nil
}

// collective returns the collective of a node.
func (t *Trace) collective(r int, x *node) (collective, error) {
	group := t.groups[x.group]
	if x.group == everyRank {
		group = t.everyone
	}
	c := collective{rank: r, id: x.id, size: x.value[commBytes], group: group}
	kind, ok := collectiveKinds[x.value[commType]]
	switch {
	case x.value[commType] == notGiven:
		return c, t.badNode(r, x.id, "it has no attribute comm_type")
	case !ok:
		return c, t.badNode(r, x.id, "comm_type is %d: there are ALL_REDUCE (0), ALL_GATHER (2), "+
			"BROADCAST (5), ALL_TO_ALL (6), REDUCE_SCATTER (7) and BARRIER (9)", x.value[commType])
	case group == nil:
		return c, t.badNode(r, x.id, "there is no process group %q (pg_name): give the file of groups",
			x.group)
	case !slices.Contains(group, patterns.Rank(r)):
		return c, t.badNode(r, x.id, "rank %d is not in its process group %q", r, x.group)
	}
	if c.kind = kind; kind == training.Broadcast && x.value[source] != notGiven {
		root := slices.Index(group, patterns.Rank(x.value[source]))
		if root < 0 {
			return c, t.badNode(r, x.id, "comm_src is %d, which is not in the process group",
				x.value[source])
		}
		c.group = append(slices.Clone(group[root:]), group[:root]...)
	}
	return c, nil
}
