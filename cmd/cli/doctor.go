package cli

import (
	"fmt"
	"runtime"
	"time"

	"contend/experiments/doctor"
	"contend/experiments/sim"

	"github.com/spf13/cobra"
)

const doctorLong = `Check that this program computes on this machine what it computes elsewhere:
small studies of every kind of network, engine, allocator and policy run as contend run does, and
every metric of every run is compared with the recorded one, digit for digit. Each line says how
many runs a case compared, how many differ, and what was simulated. The command writes no files and
needs no log; only times differ between runs of one program. The exit status is 1 if a case
failed.`

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check that this program computes on this machine what it claims",
		Long: doctorLong,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.examine(c) },
	}
}

func (a *app) examine(c *cobra.Command) error {
	start := time.Now()
	fmt.Fprintf(a.stdout, "program  %s, %s, %s/%s, %d cores\n", fingerprint(), runtime.Version(),
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	failed, err := doctor.Examine(c.Context(), a.cases, (&sim.Simulator{}).Run,
		runtime.GOMAXPROCS(0), func(o doctor.Outcome) { fmt.Fprint(a.stdout, o) })
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	if failed > 0 {
		fmt.Fprintf(a.stdout, "%d of %d cases FAILED (%.1f s)\n", failed, len(a.cases), seconds)
		return errOutside
	}
	fmt.Fprintf(a.stdout, "all %d cases ok (%.1f s)\n", len(a.cases), seconds)
	return nil
}
