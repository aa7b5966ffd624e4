package cli

import (
	"fmt"
	"runtime"
	"time"

	"contend/experiments/doctor"

	"github.com/spf13/cobra"
)

const doctorLong = `Check that this program computes on this machine what it claims: zero-load
latency against the closed form, the engines against a plain reference model, conservation and
queueing theory, allocators and policies against plain ones, two small published tables, and the
same bytes at 1 and 2 workers. Each check prints how many cases it compared, the worst difference,
and what was compared. Then the speed of the engines is measured. The command writes no files and
needs no log; only times differ between runs of one program. The exit status is 1 if a check
failed.`

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check that this program on this machine computes what it claims",
		Long: doctorLong,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.examine(c) },
	}
}

func (a *app) examine(c *cobra.Command) error {
	start := time.Now()
	fmt.Fprint(a.stdout, doctor.ThisMachine(fingerprint()))
	failed, err := doctor.Examine(c.Context(), a.checks, runtime.GOMAXPROCS(0),
		func(o doctor.Outcome) { fmt.Fprint(a.stdout, o) })
	if err != nil {
		return err
	}
	speeds, err := doctor.Speeds(c.Context())
	if err != nil {
		return err
	}
	fmt.Fprint(a.stdout, doctor.SpeedText(speeds))
	seconds := time.Since(start).Seconds()
	if failed > 0 {
		fmt.Fprintf(a.stdout, "%d of %d checks FAILED (%.1f s)\n", failed, len(a.checks), seconds)
		return errOutside
	}
	fmt.Fprintf(a.stdout, "all %d checks ok (%.1f s)\n", len(a.checks), seconds)
	return nil
}
