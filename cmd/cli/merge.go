package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"contend/experiments"
	"contend/experiments/study"
	"contend/experiments/sweep"
	"contend/internal/input"
	"contend/internal/written"

	"github.com/spf13/cobra"
)

// mergeLong is the help text of contend merge.
const mergeLong = "Join runs of a study from several folders, and write its tables and figures " +
	"when they are complete.\n\n" +
	"With DIR alone, the runs that the tasks of contend sweep left in it are joined. OTHER folders " +
	"hold runs of the same\n" +
	"study, made by the same program on other machines or with other values of an axis, which the " +
	"study then has too;\n" +
	"they are not changed. A DIR that does not exist gets the study of the first OTHER. The command " +
	"names the runs that are\n" +
	"missing, and contend run makes them. Tables whose rows all runs have kept are written too."

// mergeCommand returns the command contend merge.
func (a *app) mergeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "merge DIR [OTHER...]",
		Short: "Join the runs of a sweep, or of several folders of one study",
		Long:  mergeLong, Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.merge(args[0], args[1:]) },
	}
	forceFlag(c.Flags(), &a.force)
	return c
}

// merge adds the runs of a sweep and of other folders to dir, and writes the tables and figures
// if no run is missing.
func (a *app) merge(dir string, others []string) error {
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
		a.warnUnshown(results)
	}
	done, all := results.Wanted()
	if done == all {
		return a.finish(folder, results, folder.TablesIn(results), false, nil)
	}
	if err := folder.Finish(results); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s holds %d of %d runs; contend run %s -o %s makes the others\n",
		dir, done, all, filepath.Join(dir, "spec.toml"), dir)
	return nil
}

// warnUnshown prints to standard error how many stored runs the study's tables leave out.
func (a *app) warnUnshown(results *experiments.Results) {
	const text = "contend: %s holds %s that no table shows, of points or replications that its " +
		"study does not have; contend run %s -o %[1]s with --set or --axis makes a study that has them\n"
	if n, dir := results.Unshown(), results.Folder.Dir; n > 0 {
		fmt.Fprintf(a.stderr, text, dir, input.Plural(n, "run"), filepath.Join(dir, "spec.toml"))
	}
}

// mergedStudy loads the studies of the folders, checks that they have one name and are of this
// program, and returns the first with the axis values of all of them. A dir that is missing takes
// the study of the first of the others.
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
		if d != dir || !a.force { // which writes the study of dir anew
			if err := experiments.CheckFolder(written.In(d)); err != nil {
				return nil, err
			}
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
			first.Widen(st)
		}
	}
	if err := a.checkRuns(others); err != nil {
		return nil, err
	}
	return first, a.fitFigures(first)
}

// checkRuns returns an error if a folder has no readable runs of this program.
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
		if err := experiments.CheckRuns(written.In(d)); err != nil {
			return err
		}
	}
	return nil
}
