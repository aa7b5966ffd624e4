package tasks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/internal/story"
	"contend/patterns"
)

// TestStories runs graphs of tasks in a network in which a message takes 10 cycles and one more for
// each of its flits of 8 bytes. A line has the tasks of a rank in the order of their indices:
//
//	0: calc 5, send 8 to 1 tag 2 after 0
//	1: receive from any tag any, calc 7 cpu 1 with 0
//
// A first line may have options of tell.
func TestStories(t *testing.T) { story.Run(t, "testdata/*.txt", tell) }

// tell runs the graph of a story.
func tell(t *testing.T, given []string) string {
	options := words{}
	if !strings.HasPrefix(given[0], "0:") {
		options, given = wordsOf(t, given[0]), given[1:]
	}
	w := Work{Graph: &Graph{}, Cycles: options.number("cycles"),
		Nanoseconds: options.number("nanoseconds")}
	if slow := options.number("slow"); slow > 0 { // rank 1
		w.Slow = []float64{1, float64(slow)}
	}
	for _, line := range given {
		w.Ranks = append(w.Ranks, tasksOf(t, line))
	}
	if err := w.Check(); err != nil {
		return err.Error()
	}
	c := patterns.Config{PadFlits: int(options.number("pad")),
		RendezvousFlits: options.number("rendezvous")}
	return drive(w.Program(c, max(1, options.number("iterations"))).(patterns.Waking))
}

// words are words with the numbers that follow them.
type words map[string][]int64

// number returns the first number of a word, or 0.
func (w words) number(word string) int64 { return append(w[word], 0)[0] }

// wordsOf parses words that are each followed by a number, or by any for -1.
func wordsOf(t *testing.T, text string) words {
	w, fields := words{}, strings.Fields(text)
	for i := 0; i < len(fields); i += 2 {
		n, err := strconv.ParseInt(strings.Replace(fields[i+1], "any", "-1", 1), 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		w[fields[i]] = append(w[fields[i]], n)
	}
	return w
}

// tasksOf parses the tasks of a rank.
func tasksOf(t *testing.T, line string) (list []Task) {
	_, text, _ := strings.Cut(line, ":")
	for text := range strings.SplitSeq(text, ",") {
		text, name, _ := strings.Cut(text, " named ")
		w := wordsOf(t, text)
		if len(w) == 0 {
			continue
		}
		indices := func(word string) (list []int32) {
			for _, i := range w[word] {
				list = append(list, int32(i))
			}
			return list
		}
		k := Task{Name: name, Time: w.number("calc"), Bytes: w.number("send") + w.number("receive"),
			Peer: patterns.Rank(w.number("to") + w.number("from")), Tag: int32(w.number("tag")),
			CPU: int32(w.number("cpu")), After: indices("after"), With: indices("with")}
		if w["send"] != nil {
			k.Kind = Send
		} else if w["receive"] != nil {
			k.Kind = Receive
		}
		list = append(list, k)
	}
	return list
}

// arrival is a message under way.
type arrival struct {
	at int64
	m  patterns.Message
}

// drive runs a program to its end and returns its messages and when it ends.
func drive(p patterns.Waking) string {
	var flight []arrival // in the order of their arrival
	var b strings.Builder
	now := int64(0)
	p.At(now)
	send := func(batch []patterns.Message) {
		for _, m := range batch {
			at := now + 10 + int64(m.Flits)
			fmt.Fprintf(&b, "%d to %d: %d>%d, %d flits\n", now, at, m.From, m.To, m.Flits)
			i := len(flight)
			for i > 0 && flight[i-1].at > at {
				i--
			}
			flight = slices.Insert(flight, i, arrival{at, m})
			p.Sent(m)
		}
	}
	send(p.Start(nil))
	for !p.Done() {
		wake, err := p.Next()
		if err != nil {
			return b.String() + fmt.Sprintf("%d: %v", now, err)
		}
		if len(flight) > 0 && flight[0].at <= wake {
			a := flight[0]
			flight = flight[1:]
			now = a.at
			p.At(now)
			send(p.Delivered(nil, a.m))
			continue
		}
		now = wake
		p.At(now)
		send(p.Wake(nil))
	}
	return b.String() + fmt.Sprintf("%d: all tasks have ended", now)
}
