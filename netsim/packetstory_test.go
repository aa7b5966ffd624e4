package netsim

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/internal/story"
	"contend/router"
	"contend/router/topology/topologytest"
)

// Stories of few packets: when each flit is sent on each channel, in every engine that is exact.
// They show what arbiters, crossbars, virtual channels of nodes and rails do with packets that
// meet.
func TestPacketStories(t *testing.T) { story.Run(t, "testdata/packets/*.txt", packetStory) }

// packetStory returns what happens to the messages of a story. Its first line has the machine and
// fields of Config that are not at their defaults, the others a message each.
func packetStory(t *testing.T, given []string) string {
	words := strings.Fields(given[0])
	c := Default(topologytest.Machine(t, words[0]))
	for _, k := range words[1:] {
		name, value, _ := strings.Cut(k, "=")
		must.Have(fmt.Sscan(value, reflect.ValueOf(&c).Elem().FieldByName(name).Addr().Interface()))
	}
	var told string
	for i, engine := range engines {
		n, err := New(engine(c))
		if err != nil && i > 0 {
			continue // it is not exact here
		}
		must.Have(n, err)
		got := tellPackets(t, n, given[1:])
		if i == 0 {
			told = got
		}
		want := told
		if !strings.Contains(got, ";") { // the closed form moves no flits
			want = regexp.MustCompile(";.*").ReplaceAllString(told, "")
		}
		if got != want {
			t.Errorf("%s: engine %d has\n%sthe cycle-driven one\n%s", given[0], i, got, want)
		}
	}
	return told
}

// tellPackets sends messages and returns a line for each packet.
func tellPackets(t *testing.T, n *Network, messages []string) string {
	var trace tracer
	n.Trace(&trace)
	packets := arrivals(n)
	for _, line := range messages {
		m, at := Message{}, Cycle(0)
		must.Have(fmt.Sscanf(line, "at %d: %d to %d, %d flits, job %d, rail %d", &at, &m.From, &m.To,
			&m.Flits, &m.Job, &m.Rail))
		advanceTo(t, n, at)
		n.Send(m)
	}
	drain(t, n)
	slices.SortFunc(*packets, func(a, b router.Arrival) int { return cmp.Compare(a.Number, b.Number) })
	var s strings.Builder
	for _, p := range *packets {
		fmt.Fprintf(&s, "%d: blocked %d, for other jobs %d", p.Number, p.Blocked, p.Foreign)
		for _, head := range trace.sorted() {
			if head.Packet == p.Number && head.Index == 0 {
				fmt.Fprintf(&s, "; %s %s", n.Wiring().Describe(head.On), trace.intervals(head))
			}
		}
		s.WriteString("\n")
	}
	return s.String()
}

// intervals returns the cycles in which the flits of a packet were sent on the channel of its head.
func (t *tracer) intervals(head sending) string {
	var text []string
	first, next := head.Cycle, head.Cycle
	end := func() {
		text = append(text, fmt.Sprint(first))
		if next > first+1 {
			text[len(text)-1] += fmt.Sprintf("-%d", next-1)
		}
	}
	for _, k := range t.sent {
		switch {
		case k.Packet != head.Packet || k.On != head.On:
		case k.Cycle == next:
			next++
		default:
			end()
			first, next = k.Cycle, k.Cycle+1
		}
	}
	end()
	return strings.Join(text, ",")
}
