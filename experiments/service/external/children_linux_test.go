package external

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"contend/allocation"
	"contend/internal/input"
	"contend/internal/must"
)

// leaving is a program that answers as the command behind it and has five more processes: a child,
// one without an environment, one in a session of its own, and two in another session whose parents
// have ended. All hold its standard error. The file has their numbers.
const leaving = `file=$1; shift
sleep 600 & echo $! >>$file.some
env -i sleep 600 & echo $! >>$file.some
setsid sleep 600 & echo $! >>$file.some
(setsid sh -c 'sleep 600 & echo $! >>$0.some; echo $$ >>$0.some; mv $0.some $0; sleep 600' $file &)
while [ ! -e $file ]; do sleep 0.01; done
exec "$@"
`

// leavingAllocator is an allocator that leaves processes behind, and has answered once.
func leavingAllocator(t *testing.T, site allocation.Site, way string) (processes []int) {
	dir := t.TempDir()
	script, file := filepath.Join(dir, "leaving.sh"), filepath.Join(dir, "processes")
	must.Do(os.WriteFile(script, []byte(leaving), 0o644))
	command := Command{Words: []string{"sh", script, file, must.Have(os.Executable()), "child", way},
		Deadline: time.Minute}
	a := must.Have(NewAllocator(command.String(), site))
	if _, ok := a.Allocate(nil, allocation.NewFreeSet(16), allocation.Request{Size: 2}); !ok {
		t.Fatal(site.Run.Err())
	}
	for _, word := range strings.Fields(string(must.Have(os.ReadFile(file)))) {
		processes = append(processes, must.Have(strconv.Atoi(word)))
	}
	if len(processes) != 5 || living(processes) != 5 {
		t.Fatalf("%d of the processes %v live", living(processes), processes)
	}
	return processes
}

// living returns how many of some processes have not ended.
func living(processes []int) (n int) {
	for _, pid := range processes {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if _, fields, is := strings.Cut(string(text), ") "); is && fields[0] != 'Z' {
			n++
		}
	}
	return n
}

// No process that a program has started goes on after it, whether the program ends by itself, is
// too slow to end, or belongs to a run that is interrupted. Those of another program do until it
// ends.
func TestNothingIsLeftBehind(t *testing.T) {
	other, _ := siteOf(t)
	others := leavingAllocator(t, other, "first")
	for _, c := range []struct {
		way       string
		interrupt bool
	}{{"first", false}, {"first", true}, {"endless", false}, {"endless", true}} {
		took, quick := time.Hour, c.way == "first" || c.interrupt
		for try := 0; try < 5 && took >= grace && (quick || try == 0); try++ { // on a busy machine
			site, cancel := siteOf(t)
			processes := leavingAllocator(t, site, c.way)
			if c.interrupt {
				cancel()
			}
			began := time.Now()
			site.Run.End()
			took = time.Since(began)
			if n := living(processes); n > 0 {
				t.Errorf("%+v: %d of the processes %v live", c, n, processes)
			}
		}
		if quick && took >= grace {
			t.Errorf("%+v: its end takes %v", c, took)
		}
		if living(others) != len(others) {
			t.Fatalf("%+v: processes of another program have ended", c)
		}
	}
	other.Run.End()
	if n := living(others); n > 0 {
		t.Errorf("%d of the processes %v live", n, others)
	}
}

// What this process has adopted and killed is not left as a zombie: a study has thousands of runs.
func TestNoZombiesAreLeft(t *testing.T) {
	before := len(childrenOf(os.Getpid()))
	for range 3 {
		site, _ := siteOf(t)
		leavingAllocator(t, site, "first")
		site.Run.End()
	}
	if after := len(childrenOf(os.Getpid())); after > before {
		t.Errorf("%d children after %d", after, before)
	}
}

// OnStart is asked before a program starts, with its command line, and its error ends the run.
func TestOnStartRefuses(t *testing.T) {
	var lines []string
	refuse := false
	OnStart(func(c Command) error {
		lines = append(lines, c.Line())
		if refuse {
			return input.Bad("", "", "no programs here")
		}
		return nil
	})
	defer onStart.Store(nil)
	for _, refuse = range []bool{false, true} {
		site, _ := siteOf(t)
		a := must.Have(NewAllocator(childCommand(t, "", "first"), site))
		_, ok := a.Allocate(nil, allocation.NewFreeSet(16), allocation.Request{Size: 2})
		var bad *input.Error
		if ok == refuse || errors.As(site.Run.Err(), &bad) != refuse ||
			refuse && a.program.process != nil {
			t.Errorf("refused %v: %v, %v", refuse, ok, site.Run.Err())
		}
		_, err := NewPattern(childCommand(t, "", `says:{"phases":[]}`)).Ask(Question{Processes: 2})
		if errors.As(err, &bad) != refuse {
			t.Errorf("refused %v: %v", refuse, err)
		}
	}
	if len(lines) != 4 || !strings.HasSuffix(lines[0], " child first") {
		t.Errorf("asked %q", lines)
	}
}
