package site

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/scheduler"
)

const header = "JobID|State|Submit|Start|End|Elapsed|NNodes|NCPUS|Timelimit|User|Partition\n"

func sacctOf(text string) (*sacct, error) { return readSacct("s.txt", strings.NewReader(text)) }

// Jobs become lines of SWF, in the order of their submission; steps and jobs that did not run are
// left out.
func TestSacctBecomesSWF(t *testing.T) {
	s := must.Have(sacctOf(header +
		"12|COMPLETED|2026-03-01T00:01:00|2026-03-01T00:02:30|2026-03-02T00:02:30|1-00:00:00|4|32|" +
		"2-01:02:03|ann|gpu\n" +
		"12.batch|COMPLETED|2026-03-01T00:01:00|2026-03-01T00:02:30|x|00:01:00|1|8||ann|\n" +
		"7_3|CANCELLED by 0|2026-03-01T00:00:00|2026-03-01T00:00:00|x|10:05|1|2|UNLIMITED|bob|cpu\n" +
		"8|CANCELLED|2026-03-01T00:00:00|None|x|00:00:00|1|2|UNLIMITED|bob|cpu\r\n" +
		"9|RUNNING|2026-03-01T00:00:00|2026-03-01T00:00:00|Unknown|00:10:05|1|2||bob|cpu\n"))
	if s.steps != 1 || s.never != 1 || s.running != 1 || s.cpus != 8 {
		t.Errorf("%d steps, %d never, %d running, %d CPUs", s.steps, s.never, s.running, s.cpus)
	}
	_, lines := s.swf(16)
	want := []string{"[1 0 0 605 1 -1 -1 1 -1 -1 5 1 -1 -1 1 -1 -1 -1]",
		"[2 60 90 86400 4 -1 -1 4 176523 -1 1 2 -1 -1 2 -1 -1 -1]"}
	for i, l := range lines {
		if got := fmt.Sprint(l.Fields); got != want[i] {
			t.Errorf("line %d is %s, want %s", i, got, want[i])
		}
	}
}

func TestFaultsOfSacct(t *testing.T) {
	good := "1|COMPLETED|2026-03-01T00:00:00|2026-03-01T00:00:00|x|00:01:00|1|8|1:00|a|b\n"
	for text, want := range map[string]string{
		"JobID|State\n":      "s.txt:1: there is no column Submit: give the output of: sacct",
		header + "1|2\n":     "s.txt:2: the line has 2 columns, and the header 11",
		header:               "s.txt: no job of it has started and ended",
		header + good + "\n": "",
		header + strings.Replace(good, "2026-03-01T00", "3 Mar",
			1): `s.txt:2: "3 Mar:00:00" is no time`,
		header + strings.Replace(good, "|00:01:00", "|1h",
			1): `s.txt:2: "1h" is no time such as 1-02`,
		header + strings.Replace(good, "|00:01:00", "|1-00:x:00", 1): `s.txt:2: "1-00:x:00" is no time`,
		header + strings.Replace(good, "|1|8|", "|-1|8|",
			1): `s.txt:2: NNodes is "-1" and no number`,
		header + strings.Replace(good, "|1:00|", "|soon|", 1):         `s.txt:2: "soon" is no time`,
		header + strings.Replace(good, "2026-03-01T00:00", "2026", 1): `s.txt:2: "2026:00" is no time`,
	} {
		_, err := sacctOf(text)
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzSacct reads any text as a log or refuses it, and what it reads is a log in SWF.
func FuzzSacct(f *testing.F) {
	f.Add(header + "1|COMPLETED|2026-03-01T00:00:00|2026-03-01T00:00:00|x|00:01:00|1|8|1:00|a|b\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := sacctOf(text)
		if err != nil {
			return
		}
		var out strings.Builder
		comments, lines := s.swf(4)
		if err := scheduler.WriteSWF(&out, comments, lines); err != nil {
			t.Fatal(err)
		}
		if _, err := scheduler.ReadSWF("", strings.NewReader(out.String())); err != nil {
			t.Errorf("%q becomes %q: %v", text, out.String(), err)
		}
	})
}

// The load is that of the jobs on the nodes, and sizes in processors become nodes.
func TestSiteMeasuresTheLog(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	topology := write("topology.conf", "SwitchName=a Nodes=n[1-4]\nSwitchName=b Nodes=n[5-8]\n"+
		"SwitchName=r Switches=a,b\n")
	var log strings.Builder
	for i := range 41 { // 8 processors are 2 nodes of 4, for 10 of 40 s: a sixteenth of the machine
		fmt.Fprintf(&log, "%d %d -1 10 %d -1 -1 -1 -1 -1 1 1 1 1 1 -1 -1 -1\n", i+1, 40*i, 8)
	}
	fmt.Fprintf(&log, "42 1600 -1 0 32 -1 -1 -1 -1 -1 1 1 1 1 1 -1 -1 -1\n")
	m := &maker{Config: Config{Topology: topology, Log: write("l.swf", log.String()),
		Out: filepath.Join(folder, "x.toml"), Taper: 1, Share: 0.5, Preset: "hdr"}}
	notes, err := Make(m.Config)
	if err != nil || !slices.ContainsFunc(notes, func(n string) bool {
		return strings.HasPrefix(n, "4 processors of ")
	}) {
		t.Errorf("%q, %v", notes, err)
	}
	text := string(must.Have(os.ReadFile(m.Out)))
	for _, want := range []string{"is 0.0641 of the machine", "size_divisor = 4", `trace = "l.swf"`,
		`"router 1 name b level 0 node 4 node 5 node 6 node 7 router 2 x4"`, "jobs = 8",
		`"response_time_size_2", "response_time_size_8"]`,
		`values = ["slurm-tree", "one-switch", "random"]`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
