package config

import (
	"os"
	"strings"
	"testing"

	"contend/experiments/service/external"
	"contend/internal/input"
	"contend/internal/must"
	"contend/patterns"
)

// Commands stand in mixes, rules and rows of lists, with the digest of their files, and what is
// read from a canonical text is the same again.
func TestProgramsAmongPatterns(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(os.WriteFile("p.py", []byte("print()"), 0o600))
	digest := must.Have(external.Canonical("python3 p.py"))
	for _, c := range []struct{ path, text, want string }{
		{"job.pattern", "exec:python3 p.py", "exec:" + digest},
		{"job.pattern", "exec:python3 p.py:2+ring", "exec:" + digest + ":2+ring"},
		{"job.pattern", `ring:0.5 + exec:p "a+b;c:2" 'd"':3`, `ring:0.5+exec:p "a+b;c:2" 'd"':3`},
		{"job.pattern", `exec:p 'x+y'+exec:p z`, `exec:p "x+y"+exec:p z`},
		{"workload.background", "exec:python3 p.py", "exec:" + digest},
		{"workload.background", "goal:p.py",
			"goal:file=p.py,sha256=" + must.Have(DigestOf(input.Files{}, "p.py"))},
		{"workload.background", "idle", "idle"},
		{"job.rules", "size 1-4: exec:python3 p.py", "size 1-4: exec:" + digest},
		{"workload.list", `pattern = exec:python3 p.py "a;b=c" ; processes = 4`,
			"pattern = exec:" + digest + ` "a;b=c"; processes = 4`},
	} {
		for _, text := range []string{c.text, c.want} {
			k, _ := FindKey(c.path)
			v, err := k.parseValue(text, nil)
			if err != nil {
				t.Errorf("%s: %v", text, err)
			} else if got := v.(patternHolder).String(); got != c.want {
				t.Errorf("%s is %s, want %s", text, got, c.want)
			}
		}
		if got := withoutDigests(c.want); strings.Contains(got, "sha256") {
			t.Errorf("%s is shown as %s", c.want, got)
		}
	}
	for text, want := range map[string]string{
		"exec":                 "the command has no program",
		"exec:":                "the command has no program",
		"exec:p a:1":           "has a weight and is alone: put words with +:; in quotes",
		"exec:p a:b+ring":      `the weight "b" of exec is not a number above 0: put words with`,
		"exec:p 'a+ring":       "a quote ' is left open",
		"exec:p x+exec:p  x":   "",
		"ring+exec:p:1+exec:p": "which has exec:p twice",
	} {
		k, _ := FindKey("job.pattern")
		if _, err := k.parseValue(text, nil); err == nil && want != "" ||
			err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if !NamesProgram("ring+exec:p") || !NamesProgram("exec:'") || NamesProgram("ring:2") {
		t.Error("programs are not found in mixes")
	}
}

// A key that acts on one kind of answer alone is refused with the other, unless another pattern
// uses it.
func TestKeysOfAnswers(t *testing.T) {
	for _, c := range []struct {
		keys map[string]any
		want string
	}{
		{map[string]any{"job.rendezvous_bytes": int64(8)}, "job.rendezvous_bytes acts on tasks"},
		{map[string]any{"job.rendezvous_bytes": int64(8), "job.pattern": "exec:p+training"}, ""},
		{map[string]any{"job.compute_cycles": int64(8)}, ""},
	} {
		s := Defaults()
		s.Spec.Registry = Builtin()
		assign := func(path string, value any) {
			if err := s.Assign(path, value); err != nil {
				t.Fatal(err)
			}
		}
		assign("job.pattern", "exec:p")
		for _, path := range InOrder(c.keys) {
			assign(path, c.keys[path])
		}
		w := s.Spec.Job.Pattern.Parts[0]
		key := trafficKey{w.Label(), `{"processes":2,"flit_bytes":8,"packet_flits":8}`}
		s.Spec.Registry.graphs.Store(key, func() (external.Traffic, error) {
			return external.Traffic{Phases: patterns.Phases{{{From: 0, To: 1, Bytes: 9}}}}, nil
		})
		config := s.Spec.PatternConfig(w)
		work, err := config.Work(2, nil, nil)
		if c.want == "" && (err != nil || work.Messages() != 1) ||
			c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v, want %s", c.keys, err, c.want)
		}
	}
}
