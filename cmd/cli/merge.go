package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"contend/experiments"
	"contend/experiments/study"
	"contend/experiments/sweep"
	"contend/internal/input"

	"github.com/spf13/cobra"
)

const mergeLong = "Join runs of a study that were made apart, and write its tables and figures " +
	"when they are complete.\n" +
	"\n" +
	"With DIR alone, what the tasks of contend sweep have left in it is joined. Other folders " +
	"are those of the same study,\n" +
	"made by the same program, on other machines or with other values on an axis, which the " +
	"study then has too; they stay as\n" +
	"they are. A DIR that is not there becomes one for the study of the first of them. What is " +
	"missing after that is said,\n" +
	"and contend run makes it. Tables of rows that all of the folders have are written too, from " +
	"what the runs have kept."

func (a *app) mergeCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "merge DIR [OTHER...]",
		Short: "Join the runs of a sweep, or of several folders of one study",
		Long:  mergeLong, Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.merge(args[0], args[1:], f) },
	}
	f.tables.define(c.Flags())
	jsonFlag(c.Flags(), &f.json)
	return c
}

func (a *app) merge(dir string, others []string, f runFlags) error {
	st, err := a.mergedStudy(dir, others)
	if err != nil {
		return err
	}
	folder, err := a.openFolder(dir, st, false)
	if err != nil {
		return err
	}
	if err := sweep.Join(folder, filepath.Join(dir, sweep.Folder)); err != nil {
		return err
	}
	for _, other := range others {
		if err := folder.Absorb(filepath.Join(other, experiments.RunsFile), other); err != nil {
			return err
		}
	}
	results, err := folder.Results(st, a.names)
	if err != nil {
		return err
	}
	if len(others) > 0 {
		a.unshown(results)
	}
	done, all := results.Wanted()
	if done == all {
		tables := f.tables.wanted()
		if len(others) > 0 {
			tables = tables.Or(folder.Kept(results, others))
		}
		return a.finish(folder, results, tables, f.json, nil)
	}
	if err := folder.Finish(results); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s holds %d of %d runs; contend run %s -o %s makes the others\n",
		dir, done, all, filepath.Join(dir, "spec.toml"), dir)
	return nil
}

// unshown says how many runs of a folder no table shows.
func (a *app) unshown(results *experiments.Results) {
	const text = "contend: %s holds %s that no table shows, of points or replications that its " +
		"study does not have; contend run %s -o %[1]s with --set or --axis makes a study that has them\n"
	if n, dir := results.Unshown(), results.Folder.Dir; n > 0 {
		fmt.Fprintf(a.stderr, text, dir, input.Plural(n, "run"), filepath.Join(dir, "spec.toml"))
	}
}

// mergedStudy returns the study of a folder, or that of the first of the others if
// the folder is not there. All have to be of one study and one program, this one:
// another one's runs may differ.
func (a *app) mergedStudy(dir string, others []string) (*study.Study, error) {
	folders := append([]string{dir}, others...)
	if _, err := os.Stat(filepath.Join(dir, "spec.toml")); os.IsNotExist(err) && len(others) > 0 {
		folders = others
	}
	var first *study.Study
	for _, d := range folders {
		path := filepath.Join(d, "spec.toml")
		if !input.Exists(path) {
			return nil, &input.Error{Problem: d + " is not an output folder, it has no spec.toml",
				Right: "give folders that contend run or contend sweep wrote"}
		}
		st, err := study.Load(path, a.names)
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = st
		}
		if st.Name != first.Name {
			problem := fmt.Sprintf("%s holds the study %s, not %s", d, st.Name, first.Name)
			return nil, &input.Error{Problem: problem, Right: "merge folders of one study"}
		}
		if p := experiments.ProgramOf(d); p != fingerprint() {
			const text = "%s was made by another program (%s), this one is %s"
			return nil, &input.Error{Problem: fmt.Sprintf(text, d, p, fingerprint()),
				Right: "merge with the program that made it"}
		}
		if st != first {
			first.Widen(st, a.names)
		}
	}
	if err := a.checkRuns(others); err != nil {
		return nil, err
	}
	return first, a.fitFigures(first)
}

// checkRuns refuses folders with runs that cannot be merged, before anything is written.
func (a *app) checkRuns(folders []string) error {
	for _, d := range folders {
		path := filepath.Join(d, experiments.RunsFile)
		if _, err := experiments.KeysIn(path, fingerprint(), a.names); err != nil {
			if os.IsNotExist(err) {
				err = &input.Error{Problem: d + " has no " + experiments.RunsFile,
					Right: "give folders that contend run wrote"}
			}
			return err
		}
	}
	return nil
}
