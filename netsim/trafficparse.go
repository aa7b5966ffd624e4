package netsim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/internal/shortform"
	"contend/router/topology"
)

// trafficParameter is a parameter in the short form of traffic, NAME:PARAMETER=VALUE,...
type trafficParameter struct {
	name, standard, doc string // standard is "" for a parameter that must be given
	read                func(p *TrafficPattern, text string) error
	text                func(p TrafficPattern) string // "" at the default
}

var hotNodes = trafficParameter{"nodes", "the middle", "hot nodes with a / between, such as 0/9",
	func(p *TrafficPattern, text string) error {
		for part := range strings.SplitSeq(text, "/") {
			n, err := strconv.ParseInt(part, 10, 32)
			if err != nil || n < 0 {
				return fmt.Errorf("give numbers of nodes with a / between, such as 0/9")
			}
			if slices.Contains(p.HotNodes, topology.Node(n)) {
				return fmt.Errorf("give each node once")
			}
			p.HotNodes = append(p.HotNodes, topology.Node(n))
		}
		slices.Sort(p.HotNodes)
		return nil
	},
	func(p TrafficPattern) string {
		var list []string
		for _, n := range p.HotNodes {
			list = append(list, fmt.Sprint(n))
		}
		return strings.Join(list, "/")
	}}

var hotShare = trafficParameter{"share", "0.05",
	"share of messages that go to them, above 0 and at most 1",
	func(p *TrafficPattern, text string) (err error) {
		if p.Share, err = strconv.ParseFloat(text, 64); err != nil || !(p.Share > 0 && p.Share <= 1) {
			return fmt.Errorf("give a number above 0 and at most 1")
		}
		return nil
	},
	func(p TrafficPattern) string {
		if p.Share == 0 || p.Share == HotspotShare {
			return ""
		}
		return strconv.FormatFloat(p.Share, 'f', -1, 64)
	}}

var groupsAhead = trafficParameter{"groups", "1", "how many groups ahead the destinations are",
	func(p *TrafficPattern, text string) (err error) {
		if p.Ahead, err = strconv.Atoi(text); err != nil || p.Ahead < 1 {
			return fmt.Errorf("give a number from 1")
		}
		return nil
	},
	func(p TrafficPattern) string {
		if p.Ahead <= 1 {
			return ""
		}
		return fmt.Sprint(p.Ahead)
	}}

var matrixFile = trafficParameter{"file", "", "the CSV file",
	func(p *TrafficPattern, text string) error {
		if p.File = text; text == "" {
			return fmt.Errorf("give the name of a CSV file")
		}
		return nil
	},
	func(p TrafficPattern) string { return p.File }}

var matrixDigest = trafficParameter{"sha256", "that of the file", "the first " +
	fmt.Sprint(DigestDigits) + " digits of the SHA-256 of the file, which a study adds",
	func(p *TrafficPattern, text string) error {
		if p.Digest = text; len(text) != DigestDigits || strings.Trim(text, "0123456789abcdef") != "" {
			return fmt.Errorf("give %d hexadecimal digits in lower case, or leave it out", DigestDigits)
		}
		return nil
	},
	func(p TrafficPattern) string { return p.Digest }}

// DigestDigits is the number of digits of a TrafficPattern.Digest. Files that differ by chance
// have the same one once in 10^19 pairs.
const DigestDigits = 16

// Parameters describes the parameters of a kind in the form in which they are given.
func (k TrafficKind) Parameters() string {
	var list []string
	for _, q := range k.parameters {
		text := fmt.Sprintf("%s:%s=... %s", k.Name, q.name, q.doc)
		if q.standard != "" {
			text += " (default " + q.standard + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// ParseTraffic reads a kind of traffic with its parameters, such as uniform or
// hotspot:nodes=0/9,share=0.2. It does not read the file of a matrix.
func ParseTraffic(text string) (TrafficPattern, error) {
	name, _, _ := strings.Cut(text, ":")
	p := TrafficPattern{Name: name}
	k, ok := p.Kind()
	if !ok {
		return p, fmt.Errorf("unknown traffic %q: there are %s", name, strings.Join(TrafficNames(), ", "))
	}
	var list []shortform.Parameter
	for _, q := range k.parameters {
		list = append(list, shortform.Parameter{Name: q.name, Values: q.doc, Required: q.standard == "",
			Set: func(value string) error {
				if err := q.read(&p, value); err != nil {
					return fmt.Errorf("%s traffic has %s=%s: %w", name, q.name, value, err)
				}
				return nil
			}})
	}
	err := shortform.Read(text, list)
	return p, err
}

// String returns the short form with the parameters that are not at their defaults: equal
// patterns have equal texts.
func (p TrafficPattern) String() string {
	k, _ := p.Kind()
	var given []string
	for _, q := range k.parameters {
		if value := q.text(p); value != "" {
			given = append(given, q.name+"="+value)
		}
	}
	return shortform.Write(p.Name, given)
}
