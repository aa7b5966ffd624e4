package scheduler

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"contend/internal/input"
	"contend/internal/story"
)

// TestLogs reads the logs of testdata/swf. A first line "nodes in field N" has
// SWFFormat.NodesField; a last line "(cut)" takes the end of the line before away.
func TestLogs(t *testing.T) {
	story.Run(t, "testdata/swf/*.txt", func(t *testing.T, given []string) string {
		var format SWFFormat
		if n, ok := strings.CutPrefix(given[0], "nodes in field "); ok {
			format.NodesField, _ = strconv.Atoi(n)
			given = given[1:]
		}
		text := strings.TrimSuffix(strings.Join(given, "\n")+"\n", "\n(cut)\n")
		l, err := format.Read("log.swf", strings.NewReader(text))
		if bad := (*input.Error)(nil); err != nil && errors.As(err, &bad) {
			return err.Error()
		} else if err != nil {
			return fmt.Sprintf("not an input.Error: %v", err)
		}
		var b strings.Builder
		n, field := l.MachineSize()
		fmt.Fprintf(&b, "machine of %d (%s), %d comments, %d skipped\n", n, field, len(l.Comments),
			l.Skipped)
		for _, w := range l.Warnings {
			fmt.Fprintln(&b, w)
		}
		for _, j := range jobsOf(t, l.Copy(), nil) {
			fmt.Fprintf(&b, "line %d: job %d at %g: %d nodes for %g, estimate %g", j.Line, j.ID, j.Submit,
				j.Size, j.RunTime, j.Estimate)
			if j.NoEstimate {
				b.WriteString(" assumed")
			}
			b.WriteByte('\n')
		}
		return b.String()
	})
}
