package patterns

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/internal/story"
)

// TestPhases compares what patterns send. A story has a pattern, its number of processes n,
// options of Config, and a shape or quota. It runs one iteration unless it says otherwise. All
// messages under way arrive together, so a line has the messages of a phase: 0>1 is one from 0 to
// 1, (3) its length if lengths differ, +7 how long its sender computes before.
func TestPhases(t *testing.T) {
	story.Run(t, "testdata/phases/*.txt", func(t *testing.T, given []string) string {
		c, n, shape, quota := configOf(t, given[0])
		if quota == 0 && c.Iterations == 0 {
			c.Iterations = 1
		}
		p, err := New(c, n, shape, quota, seeded(1))
		if err != nil {
			return err.Error()
		}
		var rounds [][]Message
		inRounds(p, func(round int, m Message) {
			if round == len(rounds) {
				rounds = append(rounds, nil)
			}
			rounds[round] = append(rounds[round], m)
		})
		var b strings.Builder
		all := slices.Concat(rounds...)
		slices.SortFunc(all, func(a, b Message) int { return cmp.Compare(b.Flits, a.Flits) })
		if len(all) == 0 {
			return "no messages"
		}
		equal := all[0].Flits == all[len(all)-1].Flits
		fmt.Fprintf(&b, "%d messages of %d flits\n", len(all), all[0].Flits)
		for _, round := range rounds {
			for i, m := range round {
				fmt.Fprintf(&b, "%s%d>%d", strings.Repeat(" ", min(i, 1)), m.From, m.To)
				if !equal {
					fmt.Fprintf(&b, "(%d)", m.Flits)
				}
				if m.Delay > 0 {
					fmt.Fprintf(&b, "+%d", m.Delay)
				}
			}
			b.WriteByte('\n')
		}
		return b.String()
	})
}

// configOf parses a pattern with its options.
func configOf(t *testing.T, line string) (c Config, n int, shape []int, quota int64) {
	words := strings.Fields(line)
	c.Name = words[0]
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		number, _ := strconv.ParseInt(value, 10, 64)
		field := reflect.ValueOf(&c).Elem().FieldByNameFunc(func(name string) bool {
			return strings.EqualFold(name, strings.ReplaceAll(key, "_", ""))
		})
		if !field.IsValid() { // such as host, of Config.Collective
			field = reflect.ValueOf(&c.Collective).Elem().FieldByNameFunc(func(name string) bool {
				return strings.EqualFold(name, key)
			})
		}
		switch {
		case key == "n":
			n = int(number)
		case key == "quota":
			quota = number
		case key == "shape":
			for side := range strings.SplitSeq(value, "x") {
				shape = append(shape, must.Have(strconv.Atoi(side)))
			}
		case field.Kind() == reflect.String:
			field.SetString(value)
		case field.CanInt():
			field.SetInt(number)
		case field.Kind() == reflect.Bool:
			field.SetBool(must.Have(strconv.ParseBool(value)))
		case field.CanFloat():
			field.SetFloat(must.Have(strconv.ParseFloat(value, 64)))
		default:
			t.Fatalf("%q: there is no option %s", line, key)
		}
	}
	return c, n, shape, quota
}

// TestScripts compares when processes send. A story has the cycle at which the job starts, the
// latency of the network in cycles, and the operations of each process.
func TestScripts(t *testing.T) {
	story.Run(t, "testdata/scripts/*.txt", func(t *testing.T, given []string) string {
		var start, latency int64
		must.Have(fmt.Sscanf(given[0], "start %d latency %d", &start, &latency))
		var b strings.Builder
		last := start
		p := NewProcesses(len(given)-1, listsOf(t, given[1:]).Part)
		for _, m := range inTime(t, p, start, latency) {
			fmt.Fprintf(&b, "%d to %d: %d>%d, %d flits\n", m.at-latency, m.at, m.From, m.To, m.Flits)
			last = m.at
		}
		fmt.Fprintf(&b, "%d: the last message arrives", last)
		return b.String()
	})
}

// listsOf parses operations, process by process.
func listsOf(t *testing.T, lines []string) (lists Lists) {
	for _, line := range lines {
		_, text, _ := strings.Cut(line, ": ")
		var list []Operation
		for operation := range strings.SplitSeq(text, ", ") {
			var o Operation
			var flits, tag int32
			var peer Rank
			var cycles int64
			scan := func(format string, to ...any) bool {
				n, _ := fmt.Sscanf(operation+" tag 0", format, to...)
				return n == len(to)
			}
			switch {
			case scan("send %d to %d tag %d", &flits, &peer, &tag):
				o = Send(peer, flits, tag)
			case scan("receive from %d tag %d", &peer, &tag):
				o = Receive(peer, tag)
			case scan("compute %d", &cycles):
				o = Compute(cycles)
			case operation != "nothing":
				t.Fatalf("%q: no operation", operation)
			}
			list = append(list, o)
		}
		lists = append(lists, list)
	}
	return lists
}
