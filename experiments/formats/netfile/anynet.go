package netfile

import (
	"fmt"
	"strconv"
	"strings"

	"contend/router/topology"
)

// anynetRight shows what a line looks like, for errors.
const anynetRight = "give lines such as: router 0 node 0 node 1 router 1"

// Parse reads lines in the form of a BookSim anynet file. A line is "router R" and its neighbours:
// "node N", or "router S", which a number may follow: the cycles from R to
// S, in that direction only. "node N router R" says the same as "router R node N". A link
// may be written at one of its ends or at both.
//
// Unlike in BookSim, "x2" behind a router gives two parallel links, "f4" lets a flit follow
// another one after 4 cycles from R to S, "name TEXT" gives router R a name, "group G" puts it
// into a group, "level L" says how high above the nodes it is, and "rail K" attaches the network
// interfaces of that number to it. A # begins a comment. Errors name the file, unless it is "".
func Parse(file string, lines []string) (*Network, error) {
	n := newNetwork(file)
	for i, text := range lines {
		n.line = i + 1
		text, _, _ = strings.Cut(text, "#")
		if words := strings.Fields(text); len(words) > 0 {
			if err := n.readLine(words); err != nil {
				return nil, err
			}
		}
	}
	return n, n.finish()
}

// readLine reads one line that is not empty.
func (n *Network) readLine(words []string) error {
	if words[0] != "router" && words[0] != "node" {
		return n.bad(anynetRight, "the line begins with %q", words[0])
	}
	if len(words) < 2 {
		return n.bad(anynetRight, "the line ends behind %q", words[0])
	}
	head, err := n.parseNumber(words[0], words[1])
	if err != nil {
		return err
	}
	if words[0] == "router" {
		if err := n.defineRouter(head); err != nil {
			return err
		}
	}
	for rest := words[2:]; len(rest) > 0; {
		if len(rest) < 2 {
			return n.bad(anynetRight, "the line ends behind %q", rest[0])
		}
		used, err := n.readPart(words[0], head, rest)
		if err != nil {
			return err
		}
		rest = rest[used:]
	}
	return nil
}

// readPart reads one neighbour or property of the head of a line, and returns its number of words.
func (n *Network) readPart(kind string, head int, rest []string) (used int, err error) {
	if kind == "router" && rest[0] == "name" {
		return 2, n.nameRouter(head, rest[1])
	}
	id, err := n.parseNumber(rest[0], rest[1])
	switch what := kind + " " + rest[0]; {
	case err != nil:
		return 0, err
	case what == "router group":
		n.routers[head].group = id
		return 2, nil
	case what == "router level":
		n.routers[head].level = id
		return 2, nil
	case what == "router rail":
		return 2, n.setRail(head, id)
	case what == "router node":
		used, err = n.checkNodeCycles(rest)
		if err == nil {
			err = n.attachNode(id, head)
		}
		return used, err
	case what == "node router":
		used, err = n.checkNodeCycles(rest)
		if err == nil {
			err = n.attachNode(head, id)
		}
		return used, err
	case what == "router router":
		return n.readJoin(head, id, rest)
	case what == "node node":
		return 0, n.bad("nodes hang on routers", "node %d is joined with node %d", head, id)
	}
	return 0, n.bad(anynetRight, "a %s is joined with a %q", kind, rest[0])
}

// readJoin reads a neighbouring router with its times and number of links, and returns its number
// of words.
func (n *Network) readJoin(from, to int, rest []string) (used int, err error) {
	var times Times
	count := 1
	for used = 2; used < len(rest); used++ {
		word := rest[used]
		links, many := strings.CutPrefix(word, "x")
		pace, paced := strings.CutPrefix(word, "f")
		if word[0] >= '0' && word[0] <= '9' {
			times.Cycles, err = n.parseNumber("cycles", word)
		} else if many {
			count, err = n.parseNumber("parallel links", links)
		} else if paced {
			times.FlitCycles, err = n.parseNumber("cycles a flit", pace)
		} else {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	return used, n.joinRouters(from, to, times, count)
}

// checkNodeCycles refuses a link to a node of more than one cycle, which is BookSim's default. It
// returns the number of words of the node.
func (n *Network) checkNodeCycles(rest []string) (used int, err error) {
	if len(rest) < 3 || rest[2][0] < '0' || rest[2][0] > '9' {
		return 2, nil
	}
	if rest[2] != "1" {
		return 0, n.bad("leave it out", "the link to a node takes %s cycles, and only those between "+
			"routers have times of their own", rest[2])
	}
	return 3, nil
}

// nameRouter gives a router a name, and refuses another one than it has.
func (n *Network) nameRouter(r int, text string) error {
	if old := n.routers[r].name; old != "" && old != text {
		return n.bad("give one of them", "router %d is called %s, and %s", r, old, text)
	}
	n.routers[r].name = text
	return nil
}

// parseNumber parses a number of at least 0. Errors name what it is of.
func (n *Network) parseNumber(of, text string) (int, error) {
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 || i > 1<<30 {
		return 0, n.bad(fmt.Sprintf("give a number from 0 behind %s", of), "%s is %q", of, text)
	}
	return i, nil
}

// Times are the delay and the pace of a link in one direction.
type Times struct {
	// Cycles is the time from one end of the link to the other; 0 if it is not given.
	Cycles int
	// FlitCycles is the time from one flit to the next; 0 if it is not given.
	FlitCycles int
}

// Describe returns a topology as a network, with the times of the link at each port of each
// router. The names of routers are their labels, or their numbers if labels are no valid names or
// not unique.
//
// Describe refuses parallel links with different times, because a file of a network has one time
// for all of them.
func Describe(t topology.Topology, times func(r topology.Router, p topology.Port) Times) (
	*Network, error) {
	n := newNetwork("network")
	grouped, _ := t.(topology.Grouped)
	rails := railsOf(t)
	for r, name := range namesOf(t) {
		if err := n.defineRouter(r); err != nil {
			return nil, err
		}
		n.routers[r].name, n.routers[r].rail = name, rails[r]
		if grouped != nil && grouped.Groups() > 1 {
			n.routers[r].group = grouped.Group(topology.Router(r))
		}
	}
	for rail := range topology.Rails(t) {
		for k := range topology.Node(t.Nodes()) {
			r, _ := topology.AttachRail(t, k, rail)
			if err := n.attachNode(int(k), int(r)); err != nil {
				return nil, err
			}
		}
	}
	for r := range topology.Router(t.Routers()) {
		for p := range topology.Port(t.Ports()) {
			to, q, ok := t.Peer(r, p)
			if !ok || to <= r {
				continue
			}
			if err := n.addDescribedLink([2]int{int(r), int(to)}, times(r, p), times(to, q)); err != nil {
				return nil, err
			}
		}
	}
	return n, n.finish()
}

// addDescribedLink adds a link between two routers, the lower number first, with its times up and
// down.
func (n *Network) addDescribedLink(key [2]int, up, down Times) error {
	k := link{1, up, down}
	old := n.links[key]
	if old == nil {
		if err := n.joinRouters(key[0], key[1], up, 1); err != nil {
			return err
		}
		return n.joinRouters(key[1], key[0], down, 1)
	}
	if k.count = old.count; k != *old {
		return n.bad("make them alike", "two links join router %d and router %d that differ in times",
			key[0], key[1])
	}
	if old.count == maxCount {
		return n.bad("give fewer", "more than %d links join router %d and router %d", maxCount, key[0],
			key[1])
	}
	return n.addLinks(old, 1)
}

// namesOf returns a name for each router: see Describe.
func namesOf(t topology.Topology) []string {
	names, seen := make([]string, t.Routers()), map[string]bool{}
	labelled, ok := t.(topology.Labelled)
	for r := range names {
		if ok {
			names[r] = strings.ReplaceAll(labelled.Label(topology.Router(r)), " ", "-")
			ok = validName(names[r]) && !seen[names[r]]
			seen[names[r]] = true
		}
	}
	if !ok {
		for r := range names {
			names[r] = strconv.Itoa(r)
		}
	}
	return names
}
