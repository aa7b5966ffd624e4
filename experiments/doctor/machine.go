package doctor

import (
	"bufio"
	"context"
	"os"
	"runtime"
	"strings"

	"contend/experiments/cosim"
	"contend/experiments/openloop"
	"contend/experiments/spec"
)

// Machine is where the program runs.
type Machine struct {
	// Program is the fingerprint results are stored under.
	Program, Go, System string
	CPU                 string // "" where the system does not tell
	Cores               int
	Memory              int64 // bytes to be had, 0 where unknown
	Folder              string
	Space               int64 // bytes free in Folder, -1 where unknown
	// Unwritable is why nothing can be written into Folder, nil if it can.
	Unwritable error
}

// ThisMachine looks at the machine and the current folder.
func ThisMachine(program string) Machine {
	m := Machine{Program: program, Go: runtime.Version(),
		System: runtime.GOOS + "/" + runtime.GOARCH, CPU: processor("/proc/cpuinfo"),
		Cores: runtime.NumCPU(), Memory: cosim.AvailableMemory()}
	m.Folder, _ = os.Getwd()
	m.Space = freeSpace(".")
	m.Unwritable = writable(".")
	return m
}

// processor returns the name of the processor by Linux's list of them.
func processor(cpuinfo string) string {
	file, err := os.Open(cpuinfo)
	if err != nil {
		return ""
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		if strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// writable makes a file and takes it away again: permissions alone do not tell.
func writable(dir string) error {
	file, err := os.CreateTemp(dir, ".contend-doctor-*")
	if err != nil {
		return err
	}
	file.Close()
	return os.Remove(file.Name())
}

// Speed is how fast an engine is on this machine.
type Speed struct {
	Engine                        string
	NsPerFlitHop, CyclesPerSecond float64
	// Noted is the time of a flit-hop that docs/BENCHMARKS.md has.
	Noted float64
}

// NotedOn is the processor docs/BENCHMARKS.md was written on.
const NotedOn = "an AMD EPYC"

// noted are the times of docs/BENCHMARKS.md for what Speeds measures.
var noted = map[string]float64{"cycle": 25.3, "worm": 6.41}

// Speeds measures both engines on a 16x16 mesh under uniform traffic at half of
// saturation, packets of 8 flits, in one thread.
func Speeds(ctx context.Context) ([]Speed, error) {
	plan := spec.DefaultSpec()
	plan.Machine.Dims = []int{16, 16}
	rows, _, err := openloop.RunBench((&cosim.Simulator{}), ctx, openloop.BenchConfig{Spec: plan,
		Packets: []int{8}, Loads: []float64{0.5}, Engines: openloop.BenchEngines(),
		Seconds: 0.3})
	if err != nil {
		return nil, err
	}
	var speeds []Speed
	for _, r := range rows {
		speeds = append(speeds, Speed{r.Engine, r.NsPerFlitHop, r.CyclesPerSecond, noted[r.Engine]})
	}
	return speeds, nil
}
