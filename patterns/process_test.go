package patterns

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Random scripts with random delivery: at every moment each process has sent all it can
// and nothing it may not, and all processes end.
func TestProcessesSendWhatTheyMay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := scripts(t)
		m := model{s, map[channelKey]map[int32]int{}}
		p := NewProcesses(s.n, s.lists.Part)
		p.At(0)
		sent := make([][]Message, s.n)
		flight := p.Start(nil)
		all := slices.Clone(flight)
		for {
			for _, f := range all {
				f.Delay = 0
				sent[f.From] = append(sent[f.From], f)
			}
			for r := range Rank(s.n) {
				if want := m.sent(r); !slices.Equal(sent[r], want) {
					t.Fatalf("process %d sent %v, want %v", r, sent[r], want)
				}
			}
			if len(flight) == 0 {
				break
			}
			if p.Done() {
				t.Fatal("done with messages under way")
			}
			i := rapid.IntRange(0, len(flight)-1).Draw(t, "delivered")
			f := flight[i]
			flight = slices.Delete(flight, i, i+1)
			k := channelKey{f.From, f.To, f.Tag}
			if m.arrived[k] == nil {
				m.arrived[k] = map[int32]int{}
			}
			m.arrived[k][f.Flits]++
			all = p.Delivered(nil, f)
			flight = append(flight, all...)
		}
		if !p.Done() {
			t.Fatal("not done")
		}
	})
}
