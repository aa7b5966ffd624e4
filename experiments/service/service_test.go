package service

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/service/external"
	"contend/experiments/sim"
	"contend/internal/input"
	"contend/internal/must"
	"contend/scheduler"
)

// serviceOf returns the service of keys that are set in order, and the spec.
func serviceOf(t testing.TB, names *config.Registry, keys ...any) (*Service, config.Spec) {
	t.Helper()
	s := config.Defaults()
	s.Spec.Registry = names
	for i := 0; i < len(keys); i += 2 {
		if bad := s.Assign(keys[i].(string), keys[i+1]); bad != nil {
			t.Fatal(bad)
		}
	}
	c := Config{Base: s.Spec, Names: names, Program: "test"}
	return must.Have(New(new(sim.Simulator), c)), s.Spec
}

// answered returns the answer to a line, which must be good.
func answered[T any](t testing.TB, v *Service, line string, args ...any) (a T) {
	t.Helper()
	line = fmt.Sprintf(line, args...)
	text, good := v.Answer([]byte(line), 1)
	if !good {
		t.Fatalf("%s: %s", line, text)
	}
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatalf("%s: %s: %v", line, text, err)
	}
	return a
}

// reply has the keys of answers that the tests check.
type reply struct {
	Now      int64
	Ended    []jobReply
	Jobs     []jobReply
	Channels []channelWaits
	Running  []string
}

// jobReply has the keys of a job in an answer that the tests check.
type jobReply struct {
	Job                                     string
	Start, End, Service, Received, Messages int64
	Alone, Packets                          int64
	Slowdown                                float64
	Blocking                                int64 `json:"packet_blocking_time"`
	Foreign                                 int64 `json:"foreign_blocking_time"`
	Waits                                   []struct {
		For    string
		Cycles int64
	}
}

// kept are copies of the records of a run.
type kept []scheduler.Record

// Record implements config.Meter.
func (k *kept) Record(r *scheduler.Record) {
	c := *r
	j := *r.Job
	c.Job, c.Nodes = &j, slices.Clone(r.Nodes)
	*k = append(*k, c)
}

// Value implements config.Meter.
func (*kept) Value(config.MetricEnd) float64 { return 0 }

// recorded runs a spec and returns its jobs in the order in which they started, and its result.
func recorded(t *testing.T, keys []any) (kept, metrics.Result) {
	t.Helper()
	var jobs kept
	r := metrics.Builtin()
	r.Metrics = append(r.Metrics, config.Metric{Name: "kept", Doc: "keeps the records",
		New: func(config.MetricRun) config.Meter { return &jobs }})
	_, s := serviceOf(t, r, keys...)
	plan := must.Have(s.Plan())
	result := must.Have(new(sim.Simulator).Run(context.Background(), plan, 0, nil))
	slices.SortStableFunc(jobs, func(a, b scheduler.Record) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Number, b.Number))
	})
	return jobs, result
}

// A scheduler that starts the jobs of a run where and when the run did gets the times of the run,
// and as much waiting.
func TestRecordedRuns(t *testing.T) {
	jobs := []any{"workload.jobs", int64(60), "workload.interarrival.mean", 200.0,
		"job.quota.iterations", 4.0}
	for name, keys := range map[string][]any{
		"mesh": {"machine.dims", []any{int64(8), int64(8)}, "allocator", "random",
			"job.pattern", "all-to-all"},
		"mix": {"machine.dims", []any{int64(8), int64(8)}, "allocator", "mbs",
			"job.pattern", "ring+n-body", "job.flits", int64(20)},
		"torus": {"machine.topology", "torus:4x4x4", "allocator", "free-list", "job.pattern", "ring",
			"network.virtual_channels", int64(4), "network.routing", "minimal-adaptive",
			"job.send_cycles", int64(7), "job.compute_cycles", int64(50)},
		"dragonfly": {"machine.topology", "dragonfly:a4h2p2g9", "allocator", "random",
			"network.virtual_channels", int64(4), "network.routing", "ugal-l", "job.pattern", "random"},
	} {
		if name == "dragonfly" || name == "torus" {
			keys = append(keys, "workload.processors", int64(9))
		}
		keys = append(jobs[:len(jobs):len(jobs)], keys...)
		records, result := recorded(t, keys)
		v, s := serviceOf(t, config.Builtin(), keys...)
		plan := must.Have(s.Plan())
		ends, blocking, packets := map[string]int64{}, int64(0), int64(0)
		note := func(r reply) {
			for _, e := range r.Ended {
				ends[e.Job], blocking, packets = e.End, blocking+e.Blocking, packets+e.Packets
			}
		}
		now := int64(0)
		for _, r := range records {
			for now < int64(r.Start) {
				a := answered[reply](t, v, `{"advance":%d}`, r.Start)
				note(a)
				now = a.Now
			}
			answered[reply](t, v,
				`{"start":"%d","nodes":%s,"shape":%s,"messages":%d,"seed":%d,"pattern":%q}`, r.Job.ID,
				must.Have(json.Marshal(r.Nodes)), shapeText(r.Job), r.Job.Quota, r.Job.Seed,
				plan.Job.Patterns[r.Job.Pattern].Label)
		}
		for len(v.state.jobs) > 0 {
			note(answered[reply](t, v, `{"advance":"next"}`))
		}
		for _, r := range records {
			if got := ends[fmt.Sprint(r.Job.ID)]; got != int64(r.End) {
				t.Errorf("%s: job %d ends at %d, want %d", name, r.Job.ID, got, r.End)
			}
		}
		if v.state.free.Count() != v.plan.Machine.Nodes() || len(records) != 60 {
			t.Errorf("%s: %d jobs, and %d nodes are free at the end", name, len(records),
				v.state.free.Count())
		}
		want, _ := result.Value("packet_blocking_time")
		if got := float64(blocking) / float64(packets); math.Abs(got-want) > 1e-9*want || want == 0 {
			t.Errorf("%s: packets wait %v cycles, want %v", name, got, want)
		}
	}
}

// shapeText returns the shape of a job as JSON, that of a line for a job without one.
func shapeText(j *scheduler.Job) string {
	if j.Shape == nil {
		return fmt.Sprintf("[%d]", j.Size)
	}
	return string(must.Have(json.Marshal(j.Shape)))
}

// A job that shares channels is slower than alone, by what it takes when nobody else is there, also
// while it runs. The answer has the channels and the jobs for which it waited.
func TestSlowdown(t *testing.T) {
	const victim = `{"start":"a","nodes":[0,2,4,6],"pattern":"all-to-all","iterations":30}`
	line := []any{"machine.dims", []any{int64(8), int64(1)}}
	alone, _ := serviceOf(t, config.Builtin(), line...)
	answered[reply](t, alone, victim)
	want := answered[reply](t, alone, `{"advance":"next","slowdown":true}`).Ended[0]
	if want.Slowdown != 1 || want.Alone != want.Service || want.Received != want.Messages ||
		want.Foreign != 0 {
		t.Errorf("alone: %+v", want)
	}
	v, _ := serviceOf(t, config.Builtin(), line...)
	answered[reply](t, v, `{"advance":1000}`)
	answered[reply](t, v, victim)
	answered[reply](t, v, `{"start":"other","nodes":[1,3,5,7],"pattern":"all-to-all","flits":32}`)
	answered[reply](t, v, `{"advance":%d}`, 1000+want.Service/2)
	half := answered[reply](t, v, `{"status":"a","slowdown":true}`)
	if a := half.Jobs[0]; a.Slowdown <= 1.1 || a.Alone >= want.Service/2 ||
		a.Received >= a.Messages/2 {
		t.Errorf("half way: %+v", a)
	}
	if c := half.Channels; len(c) != maxChannels || c[0].Foreign < c[9].Foreign || c[9].Foreign < 1 {
		t.Errorf("the channels are %+v", c)
	}
	got := answered[reply](t, v, `{"advance":"next","slowdown":true}`).Ended[0]
	if got.Start != 1000 || got.Alone != want.Service ||
		got.Slowdown != float64(got.End-1000)/float64(want.Service) || got.Slowdown < 1.1 {
		t.Errorf("with others: %+v, want %d cycles alone", got, want.Service)
	}
	if w := got.Waits; got.Foreign == 0 || len(w) != 2 || w[0].For == w[1].For || w[1].Cycles < 1 {
		t.Errorf("waits: %+v", got)
	}
	answered[reply](t, v, `{"end":"other"}`)
	if a := answered[reply](t, v, `{"status":true}`); len(a.Jobs) > 0 {
		t.Errorf("%+v", a)
	}
	answered[reply](t, v, `{"start":"c","nodes":[7],"cycles":50}`)
	if c := answered[reply](t, v, `{"advance":"next","slowdown":true}`).Ended[0]; c.Service != 50 ||
		c.Slowdown != 1 {
		t.Errorf("computing: %+v", c)
	}
}

// Whoever asks must have the answer before asking again.
func TestAnswersAreNotHeldBack(t *testing.T) {
	in, ask := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	v, _ := allocating(t, "mesh:4x4", "mbs")
	go func() { done <- v.Serve(in, out); out.Close() }()
	answer := make([]byte, 1000)
	for i := range 3 {
		fmt.Fprintf(ask, `{"free":[0],"size":1,"id":%d}`+"\n", i)
		n, err := answers.Read(answer)
		if err != nil || !strings.HasPrefix(string(answer[:n]),
			fmt.Sprintf(`{"id":%d,"nodes":[0],`, i)) || answer[n-1] != '\n' {
			t.Fatalf("answer %d: %s, %v", i, answer[:n], err)
		}
	}
	ask.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Answers lists the keys of all answers and no others.
func TestKeysOfAnswers(t *testing.T) {
	listed, found := map[string]bool{}, map[string]bool{"id": true, "saved": true, "loaded": true,
		"running": true}
	for _, k := range Answers {
		if listed[k.Name] {
			t.Errorf("%s stands twice", k.Name)
		}
		listed[k.Name] = true
	}
	for _, answer := range []reflect.Type{reflect.TypeFor[errorAnswer](), reflect.TypeFor[jobAnswer](),
		reflect.TypeFor[advanceAnswer](), reflect.TypeFor[endedJob](), reflect.TypeFor[statusAnswer](),
		reflect.TypeFor[jobStatus](), reflect.TypeFor[jobWait](), reflect.TypeFor[channelWaits](),
		reflect.TypeFor[external.Placement]()} {
		for i := range answer.NumField() {
			if name, _, _ := strings.Cut(answer.Field(i).Tag.Get("json"), ","); name != "" {
				found[name] = true
			}
		}
	}
	if !maps.Equal(listed, found) {
		t.Errorf("listed are %v, and answers have %v", input.SortedKeys(listed), input.SortedKeys(found))
	}
}

// long matches lines with numbers that take long to simulate.
var long = regexp.MustCompile(`[0-9]{5}|[0-9][eE]`)

// The answer to any line is a line of JSON, and the free nodes are those that no job has.
func FuzzRequests(f *testing.F) {
	for _, line := range []string{
		`{"start":"a","nodes":[0,1],"pattern":"ring","iterations":2,"id":[1]}`, `{"advance":"next"}`,
		`{"advance":7,"slowdown":true}`, `{"status":"a"}`, `{"end":"a"}`, `{"id":1}`,
		`{"start":1,"nodes":[3],"cycles":9}`,
		`{"start":"a","nodes":[0,1],"pattern":"all-reduce","bytes":"1 KiB"}`,
		`{"start":"a","nodes":[5,6],"shape":[2,1],"flits":3,"seed":1844}`,
		`{"allocate":"\u00e9\n","size":2,"shape":[2,1]}`, `{"start":"\u00e9\n","cycles":4}`,
		`{"free":[0,1,5],"size":2,"id":{"a":[1,"}"]}}`, `{"id":"\\","free":[00],"size" : 1e0}`, `null`,
		``, `{"":{}}`, "{\"id\":\"\u2028\",\"machine\":{\"nodes\":9}}"} {
		f.Add([]byte(line), []byte(`{"advance":99}`))
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		v, _ := allocating(t, "mesh:4x4", "paging:1")
		for _, line := range [][]byte{first, second, first, []byte(`{"advance":500}`)} {
			r, _ := readRequest(line)
			if bytes.IndexByte(line, '\n') >= 0 || long.Match(line) || r.kind == "save" ||
				r.kind == "load" {
				continue
			}
			text, _ := v.Answer(line, 1)
			if !json.Valid(text) || bytes.IndexByte(text, '\n') >= 0 {
				t.Fatalf("%q: %q is no line of JSON", line, text)
			}
			free := allocation.NewFreeSet(16)
			for _, j := range v.state.jobs {
				free.Take(j.nodes)
			}
			for _, g := range v.state.granted {
				free.Take(g.nodes)
			}
			if free.Count() != v.state.free.Count() {
				t.Fatalf("%q: %d nodes are free, %d by the jobs", line, v.state.free.Count(), free.Count())
			}
		}
	})
}
