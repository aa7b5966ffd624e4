// Command mutate plants faults in the packages that compute results, one at a time, and reports
// those that no test sees.
//
//	go run ./cmd/mutate [-seed N] [-count N] [-own] [-time T] [-min PERCENT] [-page FILE] PACKAGE...
//
// A seed draws the faults of all places of the packages. A fault is another operator, a boundary
// left out or taken in, a number one off, a condition negated, a statement removed, or zero
// returned. The files stay as they are: go -overlay compiles changed copies. What does not compile
// is drawn again. A fault is tried with the tests that reach its function: those of its package,
// then those of the packages that import it (not with -own), and those that simulate whole runs. It
// is caught by the first that fails, or that takes far longer than without the fault. Equivalent
// faults, which change no result, stand with the reason in equivalent.txt and are not run.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, args []string) error {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	seed := flags.Uint64("seed", 1, "draws the faults")
	count := flags.Int("count", 300, "faults that are planted")
	own := flags.Bool("own", false, "run the tests of the changed package only")
	budget := flags.Duration("time", 2*time.Minute,
		"of the tests of other packages, those that take no longer together")
	least := flags.Int("min", 0, "exit status 1 if fewer percent of the faults are caught")
	page := flags.String("page", "", "Markdown file whose block of figures is written anew")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r, err := loadRepository()
	if err != nil {
		return err
	}
	limit := syscall.Rlimit{Cur: maxMemory, Max: maxMemory}
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &limit); err != nil {
		return err
	}
	all, err := r.draw(flags.Args(), *seed)
	if err != nil {
		return err
	}
	judged, err := readEquivalents(filepath.Join(r.root, equivalentsFile))
	if err != nil {
		return err
	}
	m := mutation{repository: r, w: w, own: *own, budget: *budget, judged: judged,
		folder: filepath.Join(r.root, "build", "_mutate"),
		tally:  tally{seed: *seed, packages: flags.Args()}}
	if err := m.run(all, *count); err != nil {
		return err
	}
	m.tally.print(w)
	if *page != "" {
		if err := m.tally.write(*page); err != nil {
			return err
		}
	}
	if share := m.tally.share(); share < float64(*least) {
		return fmt.Errorf("%.0f%% of the faults are caught, fewer than %d%%", share, *least)
	}
	return nil
}

// faults returns the faults of each place of a package.
func (r *repository) faults(name string) ([][]fault, error) {
	p := r.packages[r.module+"/"+name]
	if p == nil {
		return nil, fmt.Errorf("there is no package %s", name)
	}
	var all [][]fault
	for _, file := range p.GoFiles {
		path := filepath.Join(p.Dir, file)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		list, err := faultsOf(p.ImportPath, name+"/"+file, path, string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// draw returns a fault for each place of packages, in an order that the seed draws.
func (r *repository) draw(packages []string, seed uint64) ([]fault, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	var all []fault
	for _, name := range packages {
		places, err := r.faults(name)
		if err != nil {
			return nil, err
		}
		for _, list := range places {
			all = append(all, list[rng.IntN(len(list))])
		}
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	bodies := map[*body]bool{}
	for i := range all {
		if b := all[i].body; b != nil && !bodies[b] {
			bodies[b], b.number = true, len(bodies)+1
		}
	}
	return all, nil
}

// mutation tries faults.
type mutation struct {
	*repository
	w      io.Writer
	own    bool
	budget time.Duration
	judged map[string]string
	folder string
	tally  tally
	all    *overlay // of all faults in functions
	alone  *overlay // of the fault that is tried, if it is in none
}

// run tries the first count faults that compile.
func (m *mutation) run(all []fault, count int) error {
	all = all[:min(len(all), count*3/2+20)] // of ten about nine compile
	inFunctions := map[int]*fault{}
	for i := range all {
		if f := &all[i]; f.body != nil && m.judged[f.name()] == "" {
			inFunctions[i+1] = f
		}
	}
	var err error
	if m.all, err = m.compiles(filepath.Join(m.folder, "all"), inFunctions); err != nil {
		return err
	}
	for i := range all {
		f := &all[i]
		if m.tally.drawn() == count {
			return nil
		}
		if why, ok := m.judged[f.name()]; ok {
			m.tally.equivalent++
			m.report(f, "equivalent: "+why)
			continue
		}
		m.alone = nil
		if f.body == nil {
			if m.alone, err = m.aloneOverlay(filepath.Join(m.folder, "alone"), f); err != nil {
				return err
			}
			if m.alone.command(compiling, nil, "go", "build", f.pkg).failed {
				continue
			}
		} else if inFunctions[i+1] == nil {
			continue
		}
		by, err := m.catch(i+1, f)
		if err != nil {
			return err
		}
		if by == "" {
			m.tally.survivors = append(m.tally.survivors, *f)
			m.report(f, "SURVIVES")
			continue
		}
		m.tally.caught++
		m.report(f, "caught by "+by)
	}
	return nil
}

func (m *mutation) report(f *fault, what string) {
	fmt.Fprintf(m.w, "%d %s\n    %s\n", m.tally.drawn(), f, what)
}

// catch returns what catches a fault, or "". What was caught before, in the same file, is not run
// again.
func (m *mutation) catch(number int, f *fault) (string, error) {
	name := fmt.Sprintf("%x", sha256.Sum256([]byte(f.file+"\n"+f.changed())))
	known := filepath.Join(m.folder, name[:20])
	if by, err := os.ReadFile(known); err == nil {
		return string(by), nil
	}
	list := m.testsOf(f.pkg)
	if m.own {
		list = slices.DeleteFunc(list, func(name string) bool { return name != f.pkg })
	}
	left := m.budget
	for _, name := range list {
		s, err := m.all.suite(name)
		if err != nil {
			return "", err
		}
		tests := s.reach(f)
		if m.alone != nil {
			if s, err = m.alone.compile(name); err != nil {
				return "", err
			}
		}
		if name != f.pkg {
			for i := range tests {
				if left -= tests[i].takes; left < 0 {
					tests = tests[:i]
					break
				}
			}
		}
		if by := m.all.try(s, number, tests); by != "" {
			return by, os.WriteFile(known, []byte(by), 0o666)
		}
		if left < 0 {
			break
		}
	}
	return "", nil
}
