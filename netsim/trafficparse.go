package netsim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/internal/call"
	"contend/router/topology"
)

// atMiddle is the value of the parameter nodes that means the default hot nodes.
const atMiddle = "middle"

// Parameters of the kinds of traffic.
var hotspotParameters = []call.Parameter{
	{Name: "nodes", Type: call.Word, Default: atMiddle, Choices: []string{atMiddle},
		Read: readHotNodes,
		Doc:  "hot nodes with a / between, such as 0/9"},
	{Name: "share", Type: call.Number, Default: call.FormatNumber(HotspotShare), Above: "0", Max: "1",
		Doc: "share of messages that go to them"},
}

var adversarialParameters = []call.Parameter{{Name: "groups", Type: call.Integer, Default: "1",
	Min: "1", Doc: "how many groups ahead the destinations are"}}

var incastParameters = []call.Parameter{
	{Name: "senders", Type: call.Integer, Default: "0", Min: "0", Max: "1000000000",
		Doc: "how many nodes send; 0: all but node 0"},
	{Name: "victim", Type: call.Number, Default: "0", Min: "0", Below: "1",
		Doc: "share of the messages of node 1 that go to the last node"},
}

var matrixParameters = []call.Parameter{
	{Name: "file", Type: call.File, Doc: "the CSV file"},
	{Name: "sha256", Type: call.Digest, Doc: fmt.Sprintf("the first %d digits of the SHA-256 of the "+
		"file, which a study adds", call.DigestDigits)},
}

// readHotNodes returns the text of hot nodes with their numbers in increasing order.
func readHotNodes(text string) (string, error) {
	nodes, err := hotNodes(text)
	return hotNodesText(nodes), err
}

// hotNodes reads the numbers of hot nodes, with a / between.
func hotNodes(text string) (nodes []topology.Node, err error) {
	for part := range strings.SplitSeq(text, "/") {
		n, err := strconv.ParseInt(part, 10, 32)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("give numbers of nodes with a / between, such as 0/9")
		}
		if slices.Contains(nodes, topology.Node(n)) {
			return nil, fmt.Errorf("give each node once")
		}
		nodes = append(nodes, topology.Node(n))
	}
	slices.Sort(nodes)
	return nodes, nil
}

// hotNodesText returns the text of hot nodes: their numbers with a / between.
func hotNodesText(nodes []topology.Node) string {
	var list []string
	for _, n := range nodes {
		list = append(list, fmt.Sprint(n))
	}
	return strings.Join(list, "/")
}

// Parameters returns the call of a kind with its parameters, for the documentation.
func (k TrafficKind) Parameters() string { return call.Describe(k.Name, k.parameters) }

// ParseTraffic reads a kind of traffic with its parameters, such as uniform or
// hotspot:nodes=0/9,share=0.2. It does not read the file of a matrix.
func ParseTraffic(text string) (TrafficPattern, error) {
	p := TrafficPattern{Name: call.Name(text)}
	k, ok := p.Kind()
	if !ok {
		return p, fmt.Errorf("unknown traffic %q: there are %s", p.Name,
			strings.Join(TrafficNames(), ", "))
	}
	v, bad := call.Parse(text, k.parameters)
	if bad != nil {
		return p, bad
	}
	if nodes := v.TextOf("nodes"); v.Has("nodes") && nodes != atMiddle {
		p.HotNodes, _ = hotNodes(nodes)
	}
	if v.Has("share") {
		p.Share = v.Float("share")
	}
	if v.Has("groups") {
		p.Ahead = v.Int("groups")
	}
	if v.Has("senders") {
		p.Senders, p.Victim = v.Int("senders"), v.Float("victim")
	}
	p.File, p.Digest = v.TextOf("file"), v.TextOf("sha256")
	return p, nil
}

// String returns the call with the parameters that are not at their defaults: equal patterns have
// equal texts.
func (p TrafficPattern) String() string {
	k, _ := p.Kind()
	v, _ := call.Parse(p.Name, k.parameters)
	with := func(name, text string, given bool) {
		if given && v.Has(name) {
			v, _ = v.With(name, text)
		}
	}
	with("nodes", hotNodesText(p.HotNodes), p.HotNodes != nil)
	with("share", call.FormatNumber(p.Share), p.Share != 0)
	with("groups", strconv.Itoa(p.Ahead), p.Ahead > 1)
	with("senders", strconv.Itoa(p.Senders), true)
	with("victim", call.FormatNumber(p.Victim), true)
	with("file", p.File, true)
	with("sha256", p.Digest, true)
	return v.String()
}
