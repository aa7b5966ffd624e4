package scheduler

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/internal/input"
	"contend/internal/must"
	"contend/internal/story"
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

// Ids are the numbers of jobs if all are whole numbers in their shortest form.
func TestBatsimIdsThatAreNumbers(t *testing.T) {
	for id, whole := range map[string]bool{`"7"`: true, `"07"`: false, `"+7"`: false, `"7.0"`: false,
		`"-0"`: false, `"9007199254740993000"`: false} {
		text := strings.Replace(batsimSmall, `"id": 7`, `"id": `+id, 1)
		jobs := must.Have(ReadAll(&must.Have(ReadBatsim("", []byte(text))).SWF))
		if got := jobs[2].ID == 7; got != whole {
			t.Errorf("%s: the last job has number %d, of an id that is a number %v", id, jobs[2].ID, whole)
		}
	}
}

// The smallest and the largest values that errors name are taken.
func TestBatsimTakesTheExtremes(t *testing.T) {
	for _, c := range [][2]string{{`"walltime": 100`, `"walltime": 1e-3`},
		{`"walltime": 100`, `"walltime": 1`}, {`"walltime": 100`, `"walltime": 1e12`},
		{`"subtime": 4.5`, `"subtime": 0`}, {`"subtime": 4.5`, `"subtime": 1e12`},
		{`"res": 4`, `"res": 1`}, {`"res": 4`, fmt.Sprintf(`"res": %d`, maxProcessors)}} {
		if _, err := ReadBatsim("", []byte(strings.Replace(batsimSmall, c[0], c[1], 1))); err != nil {
			t.Errorf("%s: %v", c[1], err)
		}
	}
}

func TestBatsimErrors(t *testing.T) {
	story.Run(t, "testdata/batsim/*.txt", func(t *testing.T, given []string) string {
		lines := strings.NewReplacer(`\n`, "\n", "(all)", batsimSmall, "(nothing)", "")
		text := strings.Replace(batsimSmall, lines.Replace(given[0]), lines.Replace(given[1]), 1)
		_, err := ReadBatsim("small.json", []byte(text))
		if bad := (*input.Error)(nil); !errors.As(err, &bad) {
			t.Errorf("%q: %T", given, err)
		}
		return fmt.Sprint(err)
	})
}

// FuzzReadBatsim reads anything: the jobs are valid and have steps.
func FuzzReadBatsim(f *testing.F) {
	f.Add([]byte(batsimSmall))
	f.Add([]byte(`{"nb_res":1,"jobs":[{"id":"a","subtime":0,"res":1,"profile":""}],"profiles":{"":{` +
		`"type":"delay","delay":1}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := ReadBatsim("fuzz", text)
		if err != nil {
			if bad := (*input.Error)(nil); !errors.As(err, &bad) {
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
