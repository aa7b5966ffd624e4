package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"contend/experiments/metrics"
	"contend/internal/must"
)

// A value that an axis does not have is refused in one line, whatever the values are: a few long
// ones, many short ones, and ones of long characters.
func TestLongNamesOfValues(t *testing.T) {
	for of, c := range map[string]struct {
		names, length int
		letter        string
	}{"few": {3, 115, "a"}, "wide": {3, 115, "ü"}, "one": {1, 1000, "a"}, "many": {40, 12, "x"}} {
		var values []string
		study, variants := "", ""
		for i := range c.names {
			name := fmt.Sprintf(`"%d%s"`, i, strings.Repeat(c.letter, c.length))
			values = append(values, name)
			variants += fmt.Sprintf("[[variants]]\nname = %s\nset = { \"workload.jobs\" = %d }\n", name, 2+i)
		}
		study = "name = \"names\"\n[machine]\ndims = [4, 4]\n[workload]\nside.max = 2\n[job]\n" +
			"run = \"fixed\"\n[runs]\nreplications = 1\n[[axes]]\nkey = \"variant\"\nvalues = [" +
			strings.Join(values, ", ") + "]\n[[axes]]\nkey = \"allocator\"\n" +
			"values = [\"mbs\", \"random\"]\n" + variants
		dir := t.TempDir()
		good, bad := filepath.Join(dir, "good.toml"), filepath.Join(dir, "bad.toml")
		must.Do(os.WriteFile(good, []byte(study), 0o600))
		must.Do(os.WriteFile(bad, []byte(study+"[[figures]]\nname = \"f\"\nkind = \"bars\"\n"+
			"x = \"allocator\"\nmetric = \"wait_time\"\nwhere = { variant = \"x\" }\n"), 0o600))
		for _, args := range []string{"run DIR/good.toml --jobs-csv -o DIR/out",
			"compare DIR/out --by allocator --where variant=x",
			"plot DIR/out --kind gantt --where variant=x", "why DIR/out 1 --where variant=x",
			"export DIR/out --at variant=x", "export DIR/out --at variant=" + strings.Repeat("ü", 500),
			"show DIR/bad.toml", "run DIR/bad.toml"} {
			var stderr bytes.Buffer
			words := strings.Fields(strings.ReplaceAll(args, "DIR", dir))
			status := Run(words, io.Discard, &stderr, metrics.Builtin())
			if strings.Contains(args, "good") {
				if status != exitDone {
					t.Fatal(stderr.String())
				}
				continue
			}
			lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
			last := lines[len(lines)-1]
			if status != exitInput || strings.Contains(stderr.String(), "panic") ||
				!strings.Contains(last, "there are ") || !utf8.ValidString(last) ||
				utf8.RuneCountInString(last) > 1200 {
				t.Errorf("%s, %.60s: status %d: %s", of, args, status, stderr.String())
			}
		}
	}
}
