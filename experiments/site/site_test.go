package site

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/scheduler"
)

// header is the first line of the logs of the tests.
const header = "JobID|State|Submit|Start|End|Elapsed|NNodes|NCPUS|Timelimit|User|Partition\n"

// sacctOf reads a log from its text.
func sacctOf(text string) (*slurmLog, error) { return readSacct("s.txt", strings.NewReader(text)) }

// Jobs become lines of SWF, in the order of their submission; steps and jobs that did not run are
// left out.
func TestSacctBecomesSWF(t *testing.T) {
	s := must.Have(sacctOf(header +
		"12|COMPLETED|2026-03-01T00:01:00|2026-03-01T00:02:30|2026-03-02T00:02:30|1-00:00:00|4|32|" +
		"2-01:02:03|ann|gpu\n" +
		"12.batch|COMPLETED|2026-03-01T00:01:00|2026-03-01T00:02:30|x|00:01:00|1|8||ann|\n" +
		"7_3|CANCELLED by 0|2026-03-01T00:00:00|2026-03-01T00:00:00|x|10:05|1|2|UNLIMITED|bob|cpu\n" +
		"8|CANCELLED|2026-03-01T00:00:00|None|x|00:00:00|1|2|UNLIMITED|bob|cpu\r\n" +
		"10|CANCELLED|2026-03-01T00:00:00|2026-03-01T00:09:00|x|00:00:00|1|2|UNLIMITED|bob|cpu\n" +
		"9|RUNNING|2026-03-01T00:00:00|2026-03-01T00:00:00|Unknown|00:10:05|1|2||bob|cpu\n"))
	if s.steps != 1 || s.neverStarted != 2 || s.running != 1 || s.nodeCPUs != 8 {
		t.Errorf("%d steps, %d never, %d running, %d CPUs", s.steps, s.neverStarted, s.running,
			s.nodeCPUs)
	}
	_, lines := s.asSWF(16)
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
		strings.Replace(header, "Elapsed", "ElapsedRaw", 1) + good: `s.txt:2: ElapsedRaw is "00:01:00"`,
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
		comments, lines := s.asSWF(4)
		must.Have(0, scheduler.WriteSWF(&out, comments, lines))
		if _, err := scheduler.ReadSWF("", strings.NewReader(out.String())); err != nil {
			t.Errorf("%q becomes %q: %v", text, out.String(), err)
		}
	})
}

// folder writes files into a folder that becomes the working directory.
func folder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		must.Have(0, os.WriteFile(name, []byte(text), 0o666))
	}
}

// twoSwitches are eight nodes.
const twoSwitches = "SwitchName=a Nodes=n[1-4]\nSwitchName=b Nodes=n[5-8]\n" +
	"SwitchName=r Switches=a,b\n"

// job is a line of SWF.
func job(number int, submit, run float64, size int) string {
	return fmt.Sprintf("%d %g -1 %g %d -1 -1 -1 -1 -1 1 1 1 1 1 -1 -1 -1\n", number, submit, run,
		size)
}

// The load is that of the jobs on the nodes, and sizes in processors become nodes.
func TestSiteMeasuresTheLog(t *testing.T) {
	log := ""
	for i := range 41 { // 8 processors are 2 nodes of 4, for 10 of 40 s: a sixteenth of the machine
		log += job(i+1, 40*float64(i), 10, 8)
	}
	log += job(42, 1600, 0, 32)
	folder(t, map[string]string{"topology.conf": twoSwitches, "l.swf": log})
	s := must.Have(Read(Config{Topology: "topology.conf", Log: "l.swf", Out: "x.toml",
		Tapers: []string{"1"}, Share: 0.5, Preset: "hdr"}))
	if !slices.ContainsFunc(s.Notes(), func(n string) bool {
		return strings.HasPrefix(n, "4 processors of ")
	}) {
		t.Errorf("%q", s.Notes())
	}
	text := s.Study()
	for _, want := range []string{"is 0.0641 of the machine", "size_divisor = 4", `trace = "l.swf"`,
		`"router 1 name b level 0 node 4 node 5 node 6 node 7 router 2 x4"`, "snapshots = true",
		`"dilation_size_2", "dilation_size_8"]`,
		`values = ["slurm-tree", "one-switch", "random"]`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// Large jobs are few: a class counts by its jobs or by their work. Jobs without a limit are noted.
func TestClassesByJobsAndWork(t *testing.T) {
	log := ""
	for i := range 120 {
		log += job(i+1, 40*float64(i), 10, 1)
	}
	log += job(121, 4800, 5, 4) + job(122, 4800, 5, 8) // 20 and 40 of 1260 node-seconds
	folder(t, map[string]string{"topology.conf": twoSwitches, "l.swf": log})
	s := must.Have(Read(Config{Topology: "topology.conf", Log: "l.swf", Out: "x.toml",
		Tapers: []string{"1"}, Share: 0.5, Preset: "hdr"}))
	if got := s.classes(); !slices.Equal(got, []int{1, 8}) {
		t.Errorf("%v", got)
	}
	if got := strings.Join(s.Notes(), "\n"); !strings.HasPrefix(got,
		"122 of 122 jobs have no limit") {
		t.Errorf("%q", got)
	}
}

// No file that is read is written, nor any other that is there.
func TestSiteReplacesNoFile(t *testing.T) {
	sacct := header
	for i := range 30 {
		at := fmt.Sprintf("2026-03-01T00:%02d:00", i)
		sacct += fmt.Sprintf("%d|COMPLETED|%s|%s|x|00:01:00|1|8|1:00|a|b\n", i, at, at)
	}
	files := map[string]string{"topology.conf": twoSwitches, "s.txt": sacct, "jobs.swf": sacct,
		"log.toml": sacct, "there.toml": ""}
	folder(t, files)
	for _, c := range []struct{ log, out, want string }{
		{"s.txt", "s.txt", "-o is"},
		{"s.txt", "", "-o is"},
		{"s.txt", ".toml", "-o is"},
		{"jobs.swf", "jobs.toml", "jobs.swf: the file exists already: give another " +
			"name with -o, as this one is jobs.swf, which is read"},
		{"log.toml", "log.toml", "log.toml: the file exists already"},
		{"s.txt", "there.toml", "or remove it"},
		{"s.txt", "new.toml", ""},
	} {
		s, err := Read(Config{Topology: "topology.conf", Log: c.log, Out: c.out,
			Tapers: []string{"1"}, Share: 0.5, Preset: "hdr"})
		if err == nil {
			err = s.Write()
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for name, text := range files {
		if got := string(must.Have(os.ReadFile(name))); got != text {
			t.Errorf("%s was written over: %q", name, got)
		}
	}
}

// What --taper asks for is rounded to whole links, which the study and a note say.
func TestTaperThatIsWritten(t *testing.T) {
	log := ""
	for i := range 30 {
		log += job(i+1, 40*float64(i), 10, 16)
	}
	folder(t, map[string]string{"l.swf": log, "topology.conf": "SwitchName=a Nodes=n[1-16]\n" +
		"SwitchName=b Nodes=n[17-32]\nSwitchName=r Switches=a,b\n"})
	for _, c := range []struct {
		taper, links, said string
	}{{"2", "router 2 x8\"", ""}, {"3", "router 2 x6\"", "--taper 3 becomes 2.67 at level 1"}} {
		s := must.Have(Read(Config{Topology: "topology.conf", Log: "l.swf", Out: "x.toml",
			Tapers: []string{c.taper}, Share: 0.5, Preset: "hdr"}))
		text, notes := s.Study(), strings.Join(s.Notes(), "\n")
		if !strings.Contains(text, c.links) || !strings.Contains(notes, c.said) ||
			strings.Contains(notes, "becomes") != (c.said != "") {
			t.Errorf("taper %s: no %s in\n%s\nor %q", c.taper, c.links, text, notes)
		}
	}
}

// The study has the routing of the cluster, or an axis of several of which it is the first.
func TestRoutingsOfASite(t *testing.T) {
	log := ""
	for i := range 30 {
		log += job(i+1, 0, 60, 4)
	}
	folder(t, map[string]string{"t.conf": twoSwitches, "log.swf": log})
	for _, c := range []struct {
		routings []string
		axis     string
	}{
		{nil, ""},
		{[]string{"shortest"}, ""},
		{[]string{"shortest", "auto"}, "key = \"network.routing\"\nvalues = [\"shortest\", \"auto\"]"},
	} {
		s := must.Have(Read(Config{Topology: "t.conf", Log: "log.swf", Out: "x.toml", Routings: c.routings,
			Tapers: []string{"1"}, Share: 0.5, Preset: "hdr"}))
		first := append(c.routings, "auto")[0]
		if text := s.Study(); !strings.Contains(text, "routing = "+quote(first)) ||
			!strings.Contains(text, c.axis) ||
			strings.Contains(text, "key = \"network.routing\"") != (c.axis != "") {
			t.Errorf("%q: %s", c.routings, text)
		}
	}
}

func TestSiteRefusesFlags(t *testing.T) {
	good := Config{Topology: "t", Log: "l", Out: "x.toml", Tapers: []string{"1"}, Share: 0.5,
		Preset: "hdr"}
	for want, change := range map[string]func(*Config){
		"there are procsimity, paragon": func(c *Config) { c.Preset = "zz" },
		"--cores is -1":                 func(c *Config) { c.Cores = -1 },
		"--loads is 115%: give times the load of the log: 1.15": func(c *Config) {
			c.LoadTexts = []string{"1", "115%"}
		},
		"--loads is 0: give times the load of the log, such as": func(c *Config) {
			c.LoadTexts = []string{"0"}
		},
		"--communication-share is 0": func(c *Config) { c.Share = 0 },
	} {
		c := good
		if change(&c); !strings.Contains(fmt.Sprint(c.check()), want) {
			t.Errorf("%v, want %s", c.check(), want)
		}
	}
	if err := good.check(); err != nil {
		t.Error(err)
	}
}

// Files that were taken for one another say so.
func TestSwappedFiles(t *testing.T) {
	folder(t, map[string]string{"t.conf": twoSwitches,
		"comma.txt": strings.ReplaceAll(header, "|", ","), "log.txt": header})
	for _, c := range []struct{ topology, log, want string }{
		{"t.conf", "t.conf", "t.conf:1: this is a topology.conf, and should be a log: give the output of"},
		{"log.txt", "t.conf", "is no setting: give lines such as: SwitchName"},
		{"t.conf", "comma.txt", "comma.txt:1: there is no | between columns: give the output of: sacct"},
	} {
		_, err := Read(Config{Topology: c.topology, Log: c.log, Out: "x.toml", Tapers: []string{"1"},
			Share: 0.5, Preset: "hdr"})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s and %s: %v", c.topology, c.log, err)
		}
	}
}

// ElapsedRaw and TimelimitRaw have the times of Elapsed and Timelimit in seconds and minutes.
func TestRawTimesOfSacct(t *testing.T) {
	const job = "3|COMPLETED|2026-03-01T00:00:00|2026-03-01T00:01:00|x|%s|2|8|%s|a|b\n"
	text := must.Have(sacctOf(header + fmt.Sprintf(job, "1-02:03:04", "2-00:30:00")))
	raw := must.Have(sacctOf(strings.NewReplacer("Elapsed", "ElapsedRaw", "Timelimit",
		"TimelimitRaw").Replace(header) + fmt.Sprintf(job, "93784", "2910")))
	if text.jobs[0] != raw.jobs[0] {
		t.Errorf("%+v, and raw %+v", text.jobs[0], raw.jobs[0])
	}
}
