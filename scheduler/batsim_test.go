package scheduler

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
)

// batsimSmall has a profile of each kind.
const batsimSmall = `{
  "description": "small", "nb_res": 8,
  "jobs": [
    {"id": 7, "subtime": 4.5, "walltime": 100, "res": 4, "profile": "all", "extra_data": "{}"},
    {"id": 3, "subtime": 1, "res": 1, "profile": "talk"},
    {"id": 5, "subtime": 2, "walltime": -1, "res": 2, "profile": "twice"}
  ],
  "profiles": {
    "wait": {"type": "DelayProfile", "delay": 1.25},
    "talk": {"type": "parallel_homogeneous", "cpu": 0, "com": 1e6},
    "spread": {"type": "ParallelTaskHomogeneousProfile", "cpu": 12, "com": 24,
      "generation_strategy": "DefinedAmountsSpreadUniformly"},
    "twice": {"type": "SequentialCompositionProfile", "seq": ["wait"], "repeat": 2},
    "all": {"type": "composed", "seq": ["twice", "talk", "spread"], "repeat": 2}
  }
}`

func TestReadBatsim(t *testing.T) {
	b := must.Have(ReadBatsim("small.json", []byte(batsimSmall)))
	wait, talk, spread := Step{Seconds: 1.25}, Step{Bytes: 1e6}, Step{Operations: 3, Bytes: 2}
	got, times := b.Steps("all", 4)
	if !slices.Equal(got, []Step{wait, wait, talk, spread}) || times != 2 {
		t.Errorf("on 4 nodes the steps are %v, %d times", got, times)
	}
	if got, _ = b.Steps("spread", 1); !slices.Equal(got, []Step{{Operations: 12}}) {
		t.Errorf("on one node the step is %v", got)
	}
	var texts []string
	for _, j := range must.Have(ReadAll(b.SWF.Copy())) {
		texts = append(texts, fmt.Sprintf("%d line %d: %d at %v for %v of %v, %v %s %v", j.ID, j.Line,
			j.Size, j.Submit, j.RunTime, j.Estimate, j.NoEstimate, b.Profile(j.ID), b.Silent(&j)))
	}
	if want := []string{"3 line 5: 1 at 1 for 0 of 0, true talk true",
		"5 line 6: 2 at 2 for 2.5 of 2.5, true twice true",
		"7 line 4: 4 at 4.5 for 5 of 100, false all false"}; !slices.Equal(texts, want) {
		t.Errorf("jobs are %q, want %q", texts, want)
	}
	if n, ok := b.Processors(); n != 8 || !ok {
		t.Errorf("%d machines", n)
	}
	if len(b.Warnings) != 3 || !strings.Contains(b.Warnings[0], "1 job with extra_data") {
		t.Errorf("warnings %q", b.Warnings)
	}
	named := strings.Replace(batsimSmall, `"id": 7`, `"id": "seven"`, 1)
	jobs := must.Have(ReadAll(&must.Have(ReadBatsim("", []byte(named))).SWF))
	if jobs[0].ID != 2 || jobs[2].ID != 1 {
		t.Errorf("jobs with names have the numbers %d, %d, %d", jobs[0].ID, jobs[1].ID, jobs[2].ID)
	}
}

// What is wrong is said with its line.
func TestBatsimErrors(t *testing.T) {
	for _, k := range []struct{ old, new, want string }{
		{`"nb_res": 8`, `"nb_res": 0`, ": nb_res should be a whole number of machines"},
		{`"nb_res": 8,`, ``, ": nb_res should be a whole number"},
		{`"nb_res"`, `"nb_nodes"`, `jobs and profiles has an unknown field "nb_nodes"`},
		{`"res": 1`, `"res": 1.5`, ":5: a job: res has the number 1.5: it should be a whole number"},
		{`"subtime": 1,`, ``, ":5: job 3: subtime should be a time in seconds"},
		{`"subtime": 1,`, `"subtime": null,`, ":5: job 3: subtime should be a time"},
		{`"subtime": 1,`, `"subtime": -1,`, ":5: job 3: subtime should be a time"},
		{`"walltime": 100`, `"walltime": 0`, ":4: job 7: walltime should be a time in seconds above 0"},
		{`"extra_data"`, `"dependencies"`, `:4: a job has an unknown field "dependencies"`},
		{`"id": 5`, `"id": 3`, ":6: job 3: line 5 has a job of this id too"},
		{`"profile": "talk"`, `"profile": "tal"`, `:5: job 3 has the profile "tal", which is none`},
		{`"DelayProfile"`, `"smpi"`, `:9: the profile "wait" has the type "smpi": there are Delay`},
		{`"delay": 1.25`, `"delay": -1`, `:9: the profile "wait": delay should be a number from 0`},
		{`"delay": 1.25`, `"del": 1.25`, `:9: the profile "wait" has an unknown field "del"`},
		{`"com": 1e6`, `"com": [1]`, `:10: the profile "talk": com has the array: it should be a number`},
		{`"com": 1e6`, `"com": 1e6, "io": 3`, `:10: the profile "talk" has an unknown field "io"`},
		{`Uniformly`, `Evenly`, `:11: the profile "spread" has the generation_strategy "DefinedAm`},
		{`["wait"]`, `["all"]`, `:14: the profile "all" consists of itself`},
		{`["wait"]`, `["none"]`, `the profile "twice" consists of "none", which is none`},
		{`["wait"]`, `[]`, `:13: the profile "twice": seq should be a list`},
		{`"repeat": 2}`, `"repeat": 0}`, `:13: the profile "twice": repeat should be a whole number`},
		{`"repeat": 2}`, `"repeat": 1000000}`, `:14: the profile "all" has more than 1048576 steps`},
		{`"res": 1,`, `"res": 3000000000,`, ":5: job 3: res should be a whole number of machines, 1 to"},
		{`"id": 5`, `"id": [5]`, ":6: job [5]: id should be a text or a whole number"},
		{`"res": 2,`, `"res": 2`, ":6: it is no workload of Batsim: the character"},
		{"  }\n}", "  }", ":15: it is no workload of Batsim: it ends in the middle"},
		{"  }\n}", "  }\n} 1", ":16: it is no workload of Batsim: the character '1'"},
		{batsimSmall, "[]", " is the array: it should be an object"},
		{batsimSmall, `{"nb_res": 1, "jobs": [], "profiles": {}}`, ": there are no jobs in it"},
	} {
		text := strings.Replace(batsimSmall, k.old, k.new, 1)
		_, err := ReadBatsim("small.json", []byte(text))
		var bad *SWFError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), k.want) ||
			!strings.HasPrefix(err.Error(), "small.json:") {
			t.Errorf("%s for %s: %v, want %s", k.new, k.old, err, k.want)
		}
	}
}

// FuzzReadBatsim reads anything: jobs that come out are whole, and their steps can be told.
func FuzzReadBatsim(f *testing.F) {
	f.Add([]byte(batsimSmall))
	f.Add([]byte(`{"nb_res":1,"jobs":[{"id":"a","subtime":0,"res":1,"profile":""}],"profiles":{"":{` +
		`"type":"delay","delay":1}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := ReadBatsim("fuzz", text)
		if err != nil {
			if bad := (*SWFError)(nil); !errors.As(err, &bad) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for _, j := range must.Have(ReadAll(b.SWF.Copy())) {
			if j.Size < 1 || j.Submit < 0 || j.RunTime < 0 || j.Estimate < 0 || j.Line < 1 {
				t.Fatalf("job %+v", j)
			}
			list, _ := b.Steps(b.Profile(j.ID), j.Size)
			for _, s := range list {
				if !(s.Seconds >= 0 && s.Operations >= 0 && s.Bytes >= 0) {
					t.Fatalf("step %+v", s)
				}
			}
		}
	})
}
