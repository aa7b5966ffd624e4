//go:build long

package netfile_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"contend/allocation"
	"contend/allocation/manager"
	"contend/experiments/formats/netfile"
	"contend/internal/must"
	"contend/router/topology"
)

// slurmctld is a controller of Slurm whose nodes are cloud nodes that no slurmd runs on: it places
// jobs on them as on others, and waits for ever that they come up.
type slurmctld struct {
	t       *testing.T
	env     []string
	version string // such as 22.05.8
	number  map[string]topology.Node
	nodes   []string
	free    []bool // the nodes that are not drained
}

// slurmVersion returns the version of the slurmctld on the PATH, or skips the test.
func slurmVersion(t *testing.T) string {
	out, err := exec.Command("slurmctld", "-V").Output()
	words := strings.Fields(string(out))
	if err != nil || len(words) < 2 || os.Getuid() != 0 {
		t.Skip("needs slurmctld, and root to start it")
	}
	return words[1]
}

// startSlurm starts a controller with a topology.conf.
func startSlurm(t *testing.T, plugin, conf string) *slurmctld {
	t.Helper()
	s := &slurmctld{t: t, version: slurmVersion(t), number: map[string]topology.Node{}}
	base := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(base, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("topology.conf", conf)
	topo := must.Have(netfile.ReadSlurm(filepath.Join(base, "topology.conf")))
	s.nodes = topo.Nodes()
	s.free = slices.Repeat([]bool{true}, len(s.nodes))
	for i, name := range s.nodes {
		s.number[name] = topology.Node(i)
	}
	listener := must.Have(net.Listen("tcp", "127.0.0.1:0"))
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	host, _, _ := strings.Cut(must.Have(os.Hostname()), ".")
	names := netfile.Hostlist(s.nodes)
	write("slurm.conf", strings.Join([]string{"ClusterName=test", "AuthType=auth/none",
		"CredType=cred/none", "SlurmUser=root", "SlurmdUser=root", "ProctrackType=proctrack/linuxproc",
		"TaskPlugin=task/none", "SelectType=select/cons_tres", "SelectTypeParameters=CR_Core",
		"SlurmdParameters=config_overrides", "SlurmdTimeout=0", "SuspendProgram=/bin/true",
		"ResumeProgram=/bin/true", "SuspendTime=1000000", "ResumeTimeout=60000", "GresTypes=gpu",
		"SlurmctldHost=" + host + "(127.0.0.1)", fmt.Sprint("SlurmctldPort=", port),
		"TopologyPlugin=topology/" + plugin, "StateSaveLocation=" + base,
		"SlurmctldPidFile=" + base + "/pid", "SlurmctldLogFile=" + base + "/log",
		"NodeName=" + names + " CPUs=8 RealMemory=4000 Gres=gpu:4 State=CLOUD",
		"PartitionName=main Nodes=" + names + " Default=YES MaxTime=INFINITE State=UP", ""}, "\n"))
	write("cgroup.conf", "CgroupPlugin=cgroup/v1\n")
	s.env = append(os.Environ(), "SLURM_CONF="+base+"/slurm.conf", "SLURM_TIME_FORMAT=%s")
	daemon := exec.Command("slurmctld", "-D", "-c", "-i")
	daemon.Env = s.env
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		daemon.Process.Kill()
		daemon.Wait()
	})
	for range 200 {
		if out, err := s.run("scontrol", "ping"); err == nil && strings.Contains(out, "is UP") {
			return s
		}
		time.Sleep(50 * time.Millisecond)
	}
	log, _ := os.ReadFile(base + "/log")
	t.Fatalf("slurmctld does not come up:\n%s", log)
	return nil
}

// run runs a command of Slurm and returns its output.
func (s *slurmctld) run(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = s.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// update sets the state of nodes.
func (s *slurmctld) update(nodes []string, state ...string) {
	s.t.Helper()
	if len(nodes) == 0 {
		return
	}
	args := append([]string{"update", "nodename=" + netfile.Hostlist(nodes)}, state...)
	if out, err := s.run("scontrol", args...); err != nil {
		s.t.Fatalf("scontrol %v: %s", args, out)
	}
}

// starts matches the output of sbatch for a job that it only tests.
var starts = regexp.MustCompile(`Job \d+ to start at (\d+)\b.* using \d+ processors on nodes (\S+)`)

// place returns the nodes that Slurm would give to a job now.
func (s *slurmctld) place(size int, args ...string) (nodes []topology.Node, ok bool) {
	s.t.Helper()
	out, _ := s.run("sbatch", append([]string{"--test-only", "--wrap=true", fmt.Sprint("-N", size)},
		args...)...)
	found := starts.FindStringSubmatch(out)
	if found == nil {
		if !strings.Contains(out, "allocation failure") {
			s.t.Fatalf("sbatch for %d nodes: %s", size, out)
		}
		return nil, false
	}
	var at int64
	fmt.Sscan(found[1], &at)
	if at > time.Now().Add(time.Minute).Unix() {
		return nil, false
	}
	return s.expand(found[2]), true
}

// expand lists the nodes of a hostlist as Slurm reads it.
func (s *slurmctld) expand(list string) (nodes []topology.Node) {
	out, err := s.run("scontrol", "show", "hostnames", list)
	if err != nil {
		s.t.Fatal(out)
	}
	for name := range strings.FieldsSeq(out) {
		nodes = append(nodes, s.number[name])
	}
	slices.Sort(nodes)
	return nodes
}

// allocator returns an allocator of contend for the machine of a topology.conf.
func slurmAllocator(t *testing.T, conf, short string) allocation.Allocator {
	t.Helper()
	network := must.Have(netfile.ReadFile(write(t, "topology.conf", conf)))
	machine := must.Have(topology.NewGraph(network.Config()))
	return must.Have(allocation.Named(manager.Allocators(), short,
		allocation.Site{Machine: machine}))
}

// drawFree draws free nodes: runs of them, and single ones.
func drawFree(stream *rand.Rand, nodes int) []bool {
	free := make([]bool, nodes)
	density := stream.Float64()
	for n := range free {
		free[n] = stream.Float64() < density
	}
	for range stream.IntN(6) {
		from, set := stream.IntN(nodes), stream.IntN(2) == 0
		for n := from; n < min(nodes, from+1+stream.IntN(nodes/3)); n++ {
			free[n] = set
		}
	}
	return free
}

// compare compares the decisions of an allocator and of the controller in a number of random
// states, and returns how many of them had free nodes. Busy nodes are drained.
func (s *slurmctld) compare(a allocation.Allocator, stream *rand.Rand, states int) (placed int) {
	s.t.Helper()
	for range states {
		f := s.set(drawFree(stream, len(s.nodes)))
		if f.Count() == 0 {
			continue
		}
		size := 1 + stream.IntN(f.Count())
		if stream.IntN(2) == 0 {
			size = 1 + stream.IntN(min(f.Count(), 12))
		}
		s.compareOne(a, f, size, "--exclusive")
		placed++
	}
	return placed
}

// startOne compares the nodes of a job that starts, and is not only tested. It is the only one of
// a controller: nodes that have been powered up have other weights.
func (s *slurmctld) startOne(a allocation.Allocator, stream *rand.Rand) {
	s.t.Helper()
	f := s.set(slices.Concat(drawFree(stream, len(s.nodes)-1), []bool{true}))
	size := 1 + stream.IntN(f.Count())
	want, _ := a.Allocate(nil, f, allocation.Request{Size: size})
	id := s.submit("--exclusive", fmt.Sprint("-N", size))
	s.started()
	out, _ := s.run("squeue", "-h", "-j", id, "-o", "%N")
	if got := s.expand(strings.TrimSpace(out)); !slices.Equal(got, want) {
		s.t.Errorf("%d of free %v start on %v, want %v", size, f.AppendTo(nil), got, want)
	}
}

// set drains all nodes but free ones.
func (s *slurmctld) set(free []bool) *allocation.FreeSet {
	s.t.Helper()
	f := allocation.NewFreeSet(len(free))
	var drain, resume []string
	for n, is := range free {
		if !is {
			f.Take([]topology.Node{topology.Node(n)})
		}
		if is && !s.free[n] {
			resume = append(resume, s.nodes[n])
		} else if !is && s.free[n] {
			drain = append(drain, s.nodes[n])
		}
	}
	s.free = free
	s.update(drain, "state=drain", "reason=test")
	s.update(resume, "state=resume")
	return f
}

// compareOne compares one decision.
func (s *slurmctld) compareOne(a allocation.Allocator, f *allocation.FreeSet, size int,
	args ...string) {
	s.t.Helper()
	want, placed := s.place(size, args...)
	got, ok := a.Allocate(nil, f, allocation.Request{Size: size})
	if ok != placed || !slices.Equal(got, want) {
		s.t.Errorf("%d of free %v: %v %v, and Slurm %s gives %v %v", size, f.AppendTo(nil), got, ok,
			s.version, want, placed)
	}
}
