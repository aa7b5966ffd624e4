package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"contend/experiments/metrics"
	"contend/internal/must"
	"contend/internal/written"
)

// maxInterruptTime bounds the time from a signal to the end of a command. It takes half a second
// and less on a machine that does nothing else.
const maxInterruptTime = 3 * time.Second

// longStudies are studies, by name, of which commands have work for minutes.
var longStudies = map[string]string{
	"points": // as many as a study may have
	"[workload]\njobs = 5\nside.max = 2\n" +
		axisTo("workload.jobs", 50) + axisTo("network.buffer_flits", 50) +
		axisTo("network.link_cycles", 50),
	"message":// of two billion flits
	"machine.dims = [4, 4]\njob.flits = 2000000000\n" + jobOfList(2),
	"jumps": "machine.dims = [4, 4]\nruns.fast_forward = 0.05\njob.flits = 2000000000\n" +
		jobOfList(2),
	"threads": "machine.dims = [64, 64]\nnetwork.virtual_channels = 2\nruns.threads = 2\n" +
		"job.flits = 1000000\n" + jobOfList(4096),
	"machine": "machine.dims = [1000, 1000]\n" + jobOfList(2),
	"calibration": "machine.dims = [32, 32]\n[workload]\njobs = 5\nsystem_load = 0.5\n" +
		"side.max = 32\n[job]\npattern = \"all-to-all\"\nflits = 100000\n",
	"iterations": "machine.dims = [32, 32]\n[workload]\nsource = \"lublin\"\njobs = 50\n" +
		"[job]\npattern = \"all-to-all\"\nflits = 100000\nquota.per_second = \"auto\"\n",
	"graph": "machine.topology = \"hyperx:32x32x32\"\nallocator = \"free-list\"\n" + jobOfList(2),
	"search": "machine.dims = [20, 20]\nallocator = \"optimal:1000000000000\"\n[workload]\n" +
		"jobs = 9\n[workload.side]\nmin = 6\nmax = 6\n" +
		"[job]\nrun = \"fixed\"\n",
	"program": "machine.dims = [4, 4]\nallocator = \"exec:deadline=999 sh silent.sh\"\n" +
		"[workload]\njobs = 9\n[job]\nrun = \"fixed\"\n",
	"none": "machine.dims = [4, 4]\n[workload]\njobs = 9\nside.max = 2\n",
}

// jobOfList is a list with a job of some processes that send to each other.
func jobOfList(processes int) string {
	return fmt.Sprintf("[workload]\nsource = \"list\"\n[[workload.list]]\npattern = \"ring\"\n"+
		"processes = %d\niterations = 1\n", processes)
}

// axisTo is an axis of the values from 1 to n.
func axisTo(key string, n int) string {
	var values []string
	for i := range n {
		values = append(values, strconv.Itoa(i+1))
	}
	return fmt.Sprintf("[[axes]]\nkey = %q\nvalues = [%s]\n", key, strings.Join(values, ","))
}

// signalCase is a command that is signalled.
type signalCase struct {
	args  string
	stdin bool // it is sent requests, and standard input stays open
	// blocked says that nobody reads what it prints: it is signalled while it waits for that.
	blocked bool
	waits   bool // it is signalled while it waits, without using the processor
}

// signalCases has each command that can take longer than a second.
var signalCases = []signalCase{
	{args: "run message.toml -o DIR"},
	{args: "run jumps.toml -o DIR"},
	{args: "run threads.toml -o DIR"},
	{args: "run machine.toml -o DIR"},
	{args: "run graph.toml -o DIR"},
	{args: "run search.toml -o DIR"},
	{args: "run points.toml -o DIR"},
	{args: "run calibration.toml -o DIR"},
	{args: "run calibration.toml -o DIR --dry-run"},
	{args: "run iterations.toml -o DIR"},
	{args: "run program.toml -o DIR", waits: true},
	{args: "sweep calibration.toml --slurm -o DIR"},
	{args: "net --topology mesh:32x32 --loads 0.1 --cycles 1000000000 -o DIR"},
	{args: "net --topology mesh:1000x1000 --matrix -o DIR"},
	{args: "network message.toml", stdin: true},
	{args: "network --machine mesh:16x16", stdin: true, waits: true},
	{args: "network graph.toml"},
	{args: "pattern npb-cg:A --processes 64 --trace 100000000 -o DIR"},
	{args: "pattern exec:deadline=999;sh;silent.sh", waits: true},
	{args: "show points.toml"},
	{args: "export folder"},
	{args: "report folder"},
	{args: "plot folder"},
	{args: "compare folder --by workload.jobs"},
	{args: "why folder 1"},
	{args: "merge folder"},
	{args: "site answer folder"},
	{args: "site --topology topology.conf --log log.swf -o DIR.toml", blocked: true},
	{args: "trace stats log.swf", blocked: true},
	{args: "list keys", blocked: true},
}

// Each command that can take longer than a second ends soon after Ctrl-C or SIGTERM, whatever it
// does at the time, with its status and in one sentence. It leaves no half-written file, and the
// programs that it has started do not go on.
func TestSignalsEndEveryCommand(t *testing.T) {
	for i, c := range signalCases {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			dir := signalFolder(t)
			p := startSignalCase(t, dir, c)
			began := time.Now()
			must.Do(p.Process.Signal([]os.Signal{os.Interrupt, syscall.SIGTERM}[i%2]))
			p.Wait()
			took, text := time.Since(began), p.Stderr.(*bytes.Buffer).String()
			if code := p.ProcessState.ExitCode(); code != exitInterrupted || took > maxInterruptTime ||
				!strings.HasSuffix(text, interruptedText+"\n") || strings.Contains(text, "goroutine") {
				t.Errorf("status %d after %v: %s", code, took, text)
			}
			checkNothingLeft(t, dir)
		})
	}
}

// A second signal ends a command that goes on after the first at once.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	least := maxInterruptTime
	for try := 0; try < 5 && least >= interruptPatience/2; try++ {
		p := startSignalCase(t, signalFolder(t), signalCase{args: "list keys", blocked: true})
		began := time.Now()
		must.Do(p.Process.Signal(os.Interrupt))
		time.Sleep(10 * time.Millisecond) // signals that are pending are one
		must.Do(p.Process.Signal(os.Interrupt))
		p.Wait()
		least = min(least, time.Since(began))
		if code := p.ProcessState.ExitCode(); code != exitInterrupted {
			t.Fatalf("status %d", code)
		}
	}
	if least >= interruptPatience/2 {
		t.Errorf("it took %v", least)
	}
}

// A command that is ended while it writes a file leaves the file as it was, and nothing beside it.
func TestEndRemovesHalfWrittenFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "results.csv")
	must.Do(os.WriteFile(path, []byte("old"), 0o644))
	c := contend(t, path)
	c.Args[0] = "endwhilewriting"
	text, _ := c.CombinedOutput()
	entries := must.Have(os.ReadDir(dir))
	if c.ProcessState.ExitCode() != exitInterrupted || string(text) != interruptedText+"\n" ||
		len(entries) != 1 || string(mustRead(t, path)) != "old" {
		t.Errorf("status %d, %d files: %s", c.ProcessState.ExitCode(), len(entries), text)
	}
}

// endWhileWriting is a command that is ended while it writes to a file.
func endWhileWriting(path string) {
	writing := make(chan struct{})
	go written.ReplaceWith(path, func(w io.Writer) error {
		w.Write(make([]byte, 1<<20))
		close(writing)
		select {}
	})
	<-writing
	newApp(os.Stdout, os.Stderr, metrics.Builtin()).endNow()
}

// A study that is ended in the middle of a run keeps the runs that ended, and the folder resumes:
// its files have the bytes of a study that nobody interrupted.
func TestInterruptedStudyResumes(t *testing.T) {
	t.Parallel()
	dir := signalFolder(t)
	must.Do(os.WriteFile(filepath.Join(dir, "mixed.toml"), []byte("name = \"x\"\n"+
		longStudies["none"]+"[job]\nrun = \"fixed\"\n[[axes]]\nkey = \"allocator\"\n"+
		"values = [\"mbs\", \"exec:deadline=999 sh silent.sh\"]\n[runs]\nreplications = 1\n"), 0o644))
	p := startSignalCase(t, dir, signalCase{args: "run mixed.toml -o DIR --workers 2", waits: true})
	must.Do(p.Process.Signal(os.Interrupt))
	p.Wait()
	kept := bytes.Count(mustRead(t, filepath.Join(dir, "DIR", "runs.jsonl")), []byte("\n"))
	if kept != 1 || p.ProcessState.ExitCode() != exitInterrupted {
		t.Fatalf("%d runs are kept, status %d: %s", kept, p.ProcessState.ExitCode(), p.Stderr)
	}
	for out, axis := range map[string]string{"DIR": "mbs,random", "whole": "mbs,random"} {
		c := contend(t, "run", "mixed.toml", "-o", out, "--axis", "allocator="+axis)
		c.Dir = dir
		if text, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	for _, name := range []string{"runs.jsonl", "runs.csv", "summary.csv"} {
		if !bytes.Equal(mustRead(t, filepath.Join(dir, "DIR", name)),
			mustRead(t, filepath.Join(dir, "whole", name))) {
			t.Errorf("%s differs from that of an undisturbed study", name)
		}
	}
}

// The programs of a command that is killed end with it.
func TestProgramsOfAKilledCommandEnd(t *testing.T) {
	t.Parallel()
	dir := signalFolder(t)
	p := startSignalCase(t, dir, signalCase{args: "run program.toml -o DIR", waits: true})
	must.Do(p.Process.Kill())
	p.Wait()
	text := strings.Fields(string(mustRead(t, filepath.Join(dir, "processes"))))
	waitUntil(t, "the program ends", func() bool { return !lives(must.Have(strconv.Atoi(text[0]))) })
	for _, word := range text[1:] { // what it has started is not known to anybody
		must.Have(os.FindProcess(must.Have(strconv.Atoi(word)))).Kill()
	}
}

// signalFolder makes a folder with what signalCases name.
func signalFolder(t *testing.T) (dir string) {
	if runtime.GOOS != "linux" {
		t.Skip("what a process does is not in /proc")
	}
	dir = t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		must.Do(os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(os.WriteFile(path, []byte(text), 0o644))
	}
	for name, text := range longStudies {
		write(name+".toml", "name = \"x\"\n"+text)
	}
	write("folder/spec.toml", "name = \"x\"\n"+longStudies["points"])
	write("topology.conf", "SwitchName=a Nodes=n[0-7]\nSwitchName=b Nodes=n[8-15]\n"+
		"SwitchName=top Switches=a,b\n")
	log := "; MaxProcs: 16\n; MaxNodes: 16\n"
	for i := range 2000 {
		log += fmt.Sprintf("%d %d 0 100 4 -1 -1 4 200 -1 1 1 1 1 1 -1 -1 -1\n", i+1, 30*i)
	}
	write("log.swf", log)
	write("silent.sh", silent)
	write("bin/sbatch", "#!/bin/sh\nexit 1\n")
	must.Do(os.Chmod(filepath.Join(dir, "bin", "sbatch"), 0o755))
	return dir
}

// silent is a program that answers nothing, with a child, a child in a session of its own, and one
// whose parent has ended. The file processes has them all.
const silent = `sleep 600 & echo $! >>children
setsid sleep 600 & echo $! >>children
(setsid sh -c 'sleep 600 & echo $! >>children; echo $$ >>children; mv children all; sleep 600' &)
while [ ! -e all ]; do sleep 0.01; done
(echo $$; cat all) >list; mv list processes
exec sleep 600
`

// startSignalCase starts a command in a folder, and waits until it is in the middle of its work.
func startSignalCase(t *testing.T, dir string, c signalCase) *exec.Cmd {
	t.Helper()
	words := strings.Fields(c.args)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], ";", " ")
	}
	p := contend(t, words...)
	p.Dir, p.Stderr = dir, &bytes.Buffer{}
	p.WaitDelay = maxInterruptTime
	if c.stdin {
		in := must.Have(p.StdinPipe())
		if !c.waits {
			fmt.Fprintln(in, `{"start":"a","nodes":[0,1],"pattern":"ring","iterations":1}`)
			fmt.Fprintln(in, `{"advance":"next"}`)
		}
	}
	if c.blocked {
		from, to, err := os.Pipe()
		must.Do(err)
		for err == nil { // until it is full
			must.Do(to.SetWriteDeadline(time.Now().Add(200 * time.Millisecond)))
			_, err = to.Write(make([]byte, 1<<10))
		}
		p.Stdout = to
		t.Cleanup(func() { from.Close(); to.Close() })
	}
	must.Do(p.Start())
	t.Cleanup(func() { p.Process.Kill() })
	waitUntil(t, c.args+" begins", func() bool {
		if !lives(p.Process.Pid) {
			p.Wait()
			t.Fatalf("it has ended: %s", p.Stderr)
		}
		switch {
		case c.blocked:
			return threadsIn(p.Process.Pid, "pipe_write")
		case c.waits && c.stdin:
			return threadsIn(p.Process.Pid, "pipe_read")
		case c.waits:
			_, err := os.Stat(filepath.Join(dir, "processes"))
			return err == nil
		}
		return processorTime(p.Process.Pid) > 200*time.Millisecond
	})
	return p
}

// checkNothingLeft checks that no half-written file and no process of silent is left.
func checkNothingLeft(t *testing.T, dir string) {
	t.Helper()
	must.Do(filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".tmp") {
			t.Errorf("%s is left", path)
		}
		return err
	}))
	processes, _ := os.ReadFile(filepath.Join(dir, "processes"))
	for _, word := range strings.Fields(string(processes)) {
		pid := must.Have(strconv.Atoi(word))
		waitUntil(t, "process "+word+" ends", func() bool { return !lives(pid) })
	}
}

// waitUntil waits for a minute.
func waitUntil(t *testing.T, what string, done func() bool) {
	t.Helper()
	for until := time.Now().Add(time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// statOf returns the fields of a process in /proc from its state on, nil if there is none.
func statOf(pid int) []string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, fields, _ := strings.Cut(string(text), ") ")
	return strings.Fields(fields)
}

// lives reports whether a process has not ended.
func lives(pid int) bool {
	fields := statOf(pid)
	return len(fields) > 0 && fields[0] != "Z" && fields[0] != "X"
}

// processorTime returns the time for which a process has had a processor.
func processorTime(pid int) time.Duration {
	fields := statOf(pid)
	if len(fields) < 13 {
		return 0
	}
	ticks := must.Have(strconv.Atoi(fields[11])) + must.Have(strconv.Atoi(fields[12]))
	return time.Duration(ticks) * 10 * time.Millisecond
}

// threadsIn reports whether a thread of a process waits in a function of the system.
func threadsIn(pid int, function string) bool {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/wchan", pid))
	for _, file := range files {
		if text, _ := os.ReadFile(file); bytes.Contains(text, []byte(function)) {
			return true
		}
	}
	return false
}

// contend prepares the program as a process of its own, which is this test.
func contend(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self := must.Have(os.Executable())
	c := exec.Command(self)
	c.Args = append([]string{"contend"}, args...)
	c.Env = append(os.Environ(), fingerprintVariable+"="+fingerprint())
	return c
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	text := must.Have(os.ReadFile(path))
	return text
}
