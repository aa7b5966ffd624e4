package netfile

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// WriteCSV writes the network as a table that ReadFile reads as the same network: a row for each
// router in the order of their numbers, and after those a row for each pair of routers with links.
// Its routers need names, and its nodes to be numbered router by router. Where nodes have
// several network interfaces a router has its rail too.
func (n *Network) WriteCSV(w io.Writer) error {
	out, columns := csv.NewWriter(w), len(csvColumns)
	if len(n.rails) == 1 {
		columns-- // the last one is the rail
	}
	out.Write(csvColumns[:columns])
	for r, nodes := range n.carried() {
		p := n.routers[r]
		out.Write([]string{p.name, "", "", "", "", "", "", "", strconv.Itoa(nodes), said(p.group+1,
			p.group), strconv.Itoa(p.rail)}[:columns])
	}
	for _, key := range n.order {
		k := n.links[key]
		out.Write([]string{n.routers[key[0]].name, n.routers[key[1]].name, strconv.Itoa(k.count),
			said(k.up, k.up), said(k.down, k.down), k.class, said(k.flitUp, k.flitUp),
			said(k.flitDown, k.flitDown), "", "", ""}[:columns])
	}
	out.Flush()
	return out.Error()
}

// WriteDOT writes the network as a graph of the DOT language that ReadFile reads as the same
// network. What WriteCSV says of routers and nodes holds here too.
func (n *Network) WriteDOT(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "graph network {")
	for r, nodes := range n.carried() {
		p := n.routers[r]
		fmt.Fprintf(out, "  %s [nodes=%d%s%s];\n", strconv.Quote(p.name), nodes,
			attribute("group", said(p.group+1, p.group)), attribute("rail", said(p.rail, p.rail)))
	}
	for _, key := range n.order {
		k := n.links[key]
		class := ""
		if k.class != "" {
			class = attribute("class", strconv.Quote(k.class))
		}
		fmt.Fprintf(out, "  %s -- %s [count=%d%s%s%s%s%s];\n", strconv.Quote(n.routers[key[0]].name),
			strconv.Quote(n.routers[key[1]].name), k.count, attribute("cycles", said(k.up, k.up)),
			attribute("back", said(k.down, k.down)), class,
			attribute("flit_cycles", said(k.flitUp, k.flitUp)),
			attribute("back_flit_cycles", said(k.flitDown, k.flitDown)))
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}

// carried returns how many nodes each router carries.
func (n *Network) carried() []int {
	list := make([]int, len(n.routers))
	for _, homes := range n.rails {
		for _, r := range homes {
			list[r]++
		}
	}
	return list
}

// said returns a number as a text, or "" where nothing is said: given is 0.
func said(given, number int) string {
	if given == 0 {
		return ""
	}
	return strconv.Itoa(number)
}

// attribute returns a field behind others, or "" for one of which nothing is said.
func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return ", " + name + "=" + value
}
