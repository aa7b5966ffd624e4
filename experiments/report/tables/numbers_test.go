package tables

import "testing"

// A number in LaTeX has thin spaces between thousands if it has at least five digits.
func TestThousandsInLaTeX(t *testing.T) {
	for text, want := range map[string]string{
		"7": "$7$", "-999": "$-999$", "1234": "$1234$", "-1234": "$-1234$", "-1234.5": "$-1234.5$",
		"12345": `$12\,345$`, "-12345": `$-12\,345$`, "1234567.25": `$1\,234\,567.25$`,
		`12345 \pm 1234`: `$12\,345 \pm 1234$`, `-123456 \pm 65432`: `$-123\,456 \pm 65\,432$`,
	} {
		if got := texDigits(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// The widths are those of cmr8.tfm, rounded up, but of the space and of < > _ |, which TexEscape
// replaces. The sums are those of the widths read from that file.
func TestWidthsOfCMR8(t *testing.T) {
	sum, weighted := 0, 0
	for i, w := range cmr8Widths {
		sum, weighted = sum+int(w), weighted+(i+1)*int(w)
		if c := rune(' ' + i); c >= '0' && c <= '9' && w != 43 {
			t.Errorf("%c is %d wide, as no other digit", c, w)
		}
	}
	if len(cmr8Widths) != '~'-' '+1 || sum != 4517 || weighted != 214774 {
		t.Errorf("%d widths, sum %d, weighted %d", len(cmr8Widths), sum, weighted)
	}
}
