package netfile

import (
	"fmt"
	"strconv"
	"strings"
)

// anynetRight is what a line looks like.
const anynetRight = "give lines such as: router 0 node 0 node 1 router 1"

// Parse reads lines in the form of a BookSim anynet file. A line is "router R" and what it
// is joined with: "node N", or "router S", which a number may follow: the cycles from R to
// S, in that direction only. "node N router R" says the same as "router R node N". A link
// may be written at one of its ends or at both.
//
// Beyond what BookSim knows "x2" behind a router says that there are two parallel links, "f4" that
// a flit follows another one after 4 cycles from R to S,
// "name TEXT" gives router R a name, "group G" puts it into a group, "level L" says how high above
// the nodes it is, and "rail K" that the network interfaces of that number hang on it. A # begins a
// comment. File is the name for errors,
// "" for none.
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
	return n, n.whole()
}

// readLine reads one line that is not empty.
func (n *Network) readLine(words []string) error {
	if words[0] != "router" && words[0] != "node" {
		return n.bad(anynetRight, "the line begins with %q", words[0])
	}
	if len(words) < 2 {
		return n.bad(anynetRight, "the line ends behind %q", words[0])
	}
	head, err := n.number(words[0], words[1])
	if err != nil {
		return err
	}
	if words[0] == "router" {
		if err := n.router(head); err != nil {
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

// readPart reads what the head of a line is joined with, and returns how many words that is.
func (n *Network) readPart(kind string, head int, rest []string) (used int, err error) {
	if kind == "router" && rest[0] == "name" {
		return 2, n.name(head, rest[1])
	}
	id, err := n.number(rest[0], rest[1])
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
		return 2, n.joinRail(head, id)
	case what == "router node":
		used, err = n.noCycles(rest)
		if err == nil {
			err = n.node(id, head)
		}
		return used, err
	case what == "node router":
		used, err = n.noCycles(rest)
		if err == nil {
			err = n.node(head, id)
		}
		return used, err
	case what == "router router":
		return n.readJoin(head, id, rest)
	case what == "node node":
		return 0, n.bad("nodes hang on routers", "node %d is joined with node %d", head, id)
	}
	return 0, n.bad(anynetRight, "a %s is joined with a %q", kind, rest[0])
}

// readJoin reads the cycles and the number of links behind a router.
func (n *Network) readJoin(from, to int, rest []string) (used int, err error) {
	var times Times
	count := 1
	for used = 2; used < len(rest); used++ {
		word := rest[used]
		links, many := strings.CutPrefix(word, "x")
		pace, paced := strings.CutPrefix(word, "f")
		if word[0] >= '0' && word[0] <= '9' {
			times.Cycles, err = n.number("cycles", word)
		} else if many {
			count, err = n.number("parallel links", links)
		} else if paced {
			times.FlitCycles, err = n.number("cycles a flit", pace)
		} else {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	return used, n.join(from, to, times, count)
}

// noCycles refuses cycles of the link to a node other than BookSim's own.
func (n *Network) noCycles(rest []string) (used int, err error) {
	if len(rest) < 3 || rest[2][0] < '0' || rest[2][0] > '9' {
		return 2, nil
	}
	if rest[2] != "1" {
		return 0, n.bad("leave it out", "the link to a node takes %s cycles, and only those between "+
			"routers have times of their own", rest[2])
	}
	return 3, nil
}

// name gives a router a name.
func (n *Network) name(r int, text string) error {
	if old := n.routers[r].name; old != "" && old != text {
		return n.bad("give one of them", "router %d is called %s, and %s", r, old, text)
	}
	n.routers[r].name = text
	return nil
}

// number reads a number from 0.
func (n *Network) number(of, text string) (int, error) {
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 || i > 1<<30 {
		return 0, n.bad(fmt.Sprintf("give a number from 0 behind %s", of), "%s is %q", of, text)
	}
	return i, nil
}
