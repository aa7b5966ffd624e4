package tables

import (
	"testing"
)

func TestCellsMeanWhatTheySay(t *testing.T) {
	for in, want := range map[string][2]string{
		`a|b`:     {`a\|b`, `a$|$b`},
		`<i>&`:    {`\<i>\&`, `$<$i$>$\&`},
		`$5`:      {`\$5`, `\$5`},
		"[a](b)":  {`[a]\(b)`, `[a](b)`},
		"\\*`":    {"\\\\\\*\\`", "\\textbackslash{}*`"},
		"x_mean":  {`x_mean`, `x\_mean`},
		"12 ± 3%": {`12 ± 3%`, `12 $\pm$ 3\%`},
	} {
		if got := markdownCell(in); got != want[0] {
			t.Errorf("Markdown of %q is %q, want %q", in, got, want[0])
		}
		if got := texCell(in); got != want[1] {
			t.Errorf("LaTeX of %q is %q, want %q", in, got, want[1])
		}
	}
	if got := texFirst("[16, 16]") + texFirst("mbs"); got != "{}[16, 16]mbs" {
		t.Error(got)
	}
}
