package doctor

import (
	"bufio"
	"os"
	"runtime"
	"strings"

	"contend/experiments/cosim"
)

// Machine describes the machine on which the program runs.
type Machine struct {
	Program    string // version under which results are stored
	Go         string // version of Go
	System     string // operating system and architecture
	CPU        string // name of the processor, "" if unknown
	Cores      int    // processor cores, from 1
	Memory     int64  // available bytes, 0 if unknown
	Folder     string // the current folder
	Space      int64  // free bytes in Folder, -1 if unknown
	Unwritable error  // why Folder cannot be written, nil if it can
}

// ThisMachine describes this machine and the current folder. program is the
// version of the program.
func ThisMachine(program string) Machine {
	m := Machine{Program: program, Go: runtime.Version(),
		System: runtime.GOOS + "/" + runtime.GOARCH, CPU: processor("/proc/cpuinfo"),
		Cores: runtime.NumCPU(), Memory: cosim.AvailableMemory()}
	m.Folder, _ = os.Getwd()
	m.Space = freeSpace(".")
	m.Unwritable = writable(".")
	return m
}

// processor returns the name of the processor from Linux's list of processors.
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

// writable creates and removes a file, because permissions alone do not tell.
func writable(dir string) error {
	file, err := os.CreateTemp(dir, ".contend-doctor-*")
	if err != nil {
		return err
	}
	file.Close()
	return os.Remove(file.Name())
}
