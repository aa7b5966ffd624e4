package study

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/internal/must"
)

const pointsStudy = `
name = "points"
[job]
pattern = "ring"
[[axes]]
key = "job.pattern"
values = ["ring", "fft", "multigrid"]
[[axes]]
key = "allocator"
values = ["paging:1,snake", "mbs"]
[[overrides]]
when = { "job.pattern" = ["fft", "multigrid"] }
set = { "workload.side.round" = "down" }
[[overrides]]
when = { "job.pattern" = "fft", "allocator" = "mbs" }
set = { "workload.side.round" = "up", "job.flits" = 3 }
[quick]
set = { "runs.replications" = 2 }
[[quick.axes]]
key = "job.pattern"
values = ["fft"]
`

func mustParse(t *testing.T, text string) *Study {
	t.Helper()
	return must.Have(Parse("test.toml", text, config.Builtin()))
}

// checkError checks that an error has a text, or that there is none for "".
func checkError(t *testing.T, err error, about, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" &&
		(err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("%s: %v, want %q", about, err, want)
	}
}

// describePoints is what the axes and overrides of pointsStudy decide.
func describePoints(t *testing.T, st *Study) string {
	t.Helper()
	points := must.Have(st.Points())
	var b strings.Builder
	for _, p := range points {
		b.WriteString(strings.Join(append(p.Labels, p.Spec.Job.Pattern.String(), p.Spec.Allocator,
			p.Spec.Workload.Side.Round), " "))
		if p.Spec.Job.Flits != 8 {
			b.WriteString(" flits")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestAxesAndOverrides(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Study) error
		want   string
	}{
		{"as it is", func(*Study) error { return nil }, `
ring paging:1,snake ring paging:1,snake none
ring mbs ring mbs none
fft paging:1,snake fft paging:1,snake down
fft mbs fft mbs up flits
multigrid paging:1,snake multigrid paging:1,snake down
multigrid mbs multigrid mbs down
`},
		{"quick", func(st *Study) error { return st.UseQuick() }, `
fft paging:1,snake fft paging:1,snake down
fft mbs fft mbs up flits
`},
		{"a key set for all points wins over axis and override", func(st *Study) error {
			if err := st.Set("allocator", "mbs"); err != nil {
				return err
			}
			return st.Set("workload.side.round", "nearest")
		}, `
ring ring mbs nearest
fft fft mbs nearest flits
multigrid multigrid mbs nearest
`},
		{"an axis replaced and one added", func(st *Study) error {
			if err := st.SetAxis("job.pattern", "ring"); err != nil {
				return err
			}
			return st.SetAxis("job.flits", "8, 16")
		}, `
ring paging:1,snake 8 ring paging:1,snake none
ring paging:1,snake 16 ring paging:1,snake none flits
ring mbs 8 ring mbs none
ring mbs 16 ring mbs none flits
`},
	} {
		st := mustParse(t, pointsStudy)
		if err := c.change(st); err != nil {
			t.Fatal(err)
		}
		if err := st.Check(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), describePoints(t, st)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestSplitValues(t *testing.T) {
	for _, c := range []struct {
		key, text string
		want      []string
	}{
		{"allocator", "mbs,first-fit", []string{"mbs", "first-fit"}},
		{"allocator", "paging:1,snake,mbs,paging:2", []string{"paging:1,snake", "mbs", "paging:2"}},
		{"allocator", "mc:2,13,20,6,mbs", []string{"mc:2,13,20,6", "mbs"}},
		{"machine.dims", "[8, 8],[16,16]", []string{"[8, 8]", "[16,16]"}},
		{"job.pattern", `"ring,fft", fft`, []string{`"ring,fft"`, "fft"}},
	} {
		k, _ := config.FindKey(c.key)
		if diff := cmp.Diff(c.want, splitValues(k, c.text, config.Builtin())); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}

// Points are those of the study as it is, also after it was changed.
func TestPointsFollowTheStudy(t *testing.T) {
	st := mustParse(t, "name = \"s\"\n[[axes]]\nkey = \"workload.jobs\"\nvalues = [3, 4]\n")
	hashes := func() (list []string) {
		points := must.Have(st.Points())
		for _, p := range points {
			list = append(list, p.Hash)
		}
		return list
	}
	before := hashes()
	st.Axes[0].Values[1] = int64(5)
	after := hashes()
	if before[0] != after[0] || before[1] == after[1] {
		t.Errorf("another value of an axis in place: %v became %v", before, after)
	}
	st.Base.Network.BufferFlits = 7
	if again := hashes(); again[0] == after[0] {
		t.Errorf("another key of the base: %v became %v", after, again)
	}
}
