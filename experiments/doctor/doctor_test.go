package doctor

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
)

var update = flag.Bool("update", false, "record the runs of the cases anew")

func run(ctx context.Context, plan *config.Plan, n int, x *sim.Extra) (metrics.Result, error) {
	return (&sim.Simulator{}).Run(ctx, plan, n, x)
}

// With -update the runs of the cases are recorded anew. That they hold shows the script doctor of
// the command.
func TestRecordCases(t *testing.T) {
	if !*update {
		return
	}
	for _, c := range Cases() {
		results, err := c.results(t.Context(), run, 1)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(linesOf(results), "\n") + "\n"
		if err := os.WriteFile(filepath.Join("cases", c.Name+".jsonl"), []byte(text),
			0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Whatever is wrong with a case fails it and is named.
func TestACaseCanFail(t *testing.T) {
	sound := Cases()[0]
	digit := sound
	digit.Recorded = strings.Replace(sound.Recorded, `"finish_time":`, `"finish_time":1`, 1)
	metric := sound
	metric.Recorded = strings.Replace(sound.Recorded, `"finish_time"`, `"finish"`, 1)
	lost := sound
	lost.Recorded = sound.Recorded[strings.Index(sound.Recorded, "\n")+1:]
	study := sound
	study.Study = strings.Replace(sound.Study, "[[axes]]", "[[axis]]", 1)
	none := sound
	none.Recorded = ""
	for want, c := range map[string]Case{"finish_time is": digit, "no finish, recorded": metric,
		"recorded": lost, "axis": study, `recorded ""`: none} {
		failed, err := Examine(t.Context(), []Case{c}, run, 2, func(o Outcome) {
			if o.OK() || !strings.Contains(o.String(), want) ||
				!strings.HasPrefix(o.String(), "FAILED  "+c.Name) {
				t.Errorf("no %q in\n%s", want, o)
			}
		})
		if failed != 1 || err != nil {
			t.Errorf("%q: %d failed, %v", want, failed, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	told := func(Outcome) { t.Error("told of a case after the end") }
	if _, err := Examine(ctx, Cases(), run, 2, told); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}
