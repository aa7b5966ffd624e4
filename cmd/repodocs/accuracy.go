package main

import (
	"fmt"
	"math"
	"strings"

	"contend/internal/input"
)

// These lines enclose the list of sums about accuracy in VALIDATION and README.
const (
	accuracyBegins = "<!-- accuracy: written by make docs -->"
	accuracyEnds   = "<!-- end of accuracy -->"
)

// accuracyText states three sums of the accounts in a list, "" if there are no printed numbers: how
// many numbers match, their mean error, and how many rules hold.
func accuracyText(list []account) string {
	t := tallyOf(list...)
	if t.printed() == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n- **%d of %d** printed numbers match within the precision of their paper. "+
		"%d do not", accuracyBegins, t.of[within], t.run(), t.failed())
	if other := t.of[failedOther]; other > 0 {
		fmt.Fprintf(&b, "\n  (%d of them on another version of the paper's log)", other)
	}
	switch divisors := t.of[divisor]; divisors {
	case 0:
		b.WriteString(".\n")
	case 1:
		b.WriteString(", and 1 serves only as a divisor.\n")
	default:
		fmt.Fprintf(&b, ", and %d serve only as divisors.\n", divisors)
	}
	if gaps := t.of[notRun]; gaps > 0 {
		fmt.Fprintf(&b, "  Not run: %d of %d printed numbers\n  (%s).\n", gaps, t.printed(),
			t.missingText())
	}
	fmt.Fprintf(&b, "- **%s** is the geometric mean error of the numbers that were run.\n",
		errorText(meanError(list)))
	passed, rules := 0, 0
	for i := range list {
		passed, rules = passed+list[i].passedRules(), rules+len(list[i].rules)
	}
	fmt.Fprintf(&b, "- **%d of %d** rules hold that compare contend with papers and other programs.\n",
		passed, rules)
	return b.String() + accuracyEnds + "\n"
}

// meanError returns the mean of |log(measured / published)| of the numbers that were run and are
// above 0.
func meanError(list []account) float64 {
	sum, n := 0.0, 0
	for i := range list {
		for _, number := range list[i].numbers {
			v, err := number.values()
			if number.outcome == notRun || err != nil || !(v[0] > 0 && v[1] > 0) {
				continue
			}
			sum, n = sum+math.Abs(math.Log(v[1]/v[0])), n+1
		}
	}
	return sum / float64(max(1, n))
}

// accuracyIn returns the sentences about accuracy of a document with the lines that enclose them,
// "" if there are none.
func accuracyIn(document string) string {
	_, rest, _ := strings.Cut(document, accuracyBegins)
	block, _, ends := strings.Cut(rest, accuracyEnds)
	if !ends {
		return ""
	}
	return accuracyBegins + block + accuracyEnds
}

// replaceAccuracy returns a document, such as README, with the given sentences about accuracy in
// place of its own.
func replaceAccuracy(document, sentences string) (string, error) {
	old := accuracyIn(document)
	if old == "" {
		return "", &input.Error{Problem: "the document has no block of sentences about accuracy",
			Right: "put the lines " + accuracyBegins + " and " + accuracyEnds + " into it"}
	}
	return strings.Replace(document, old, sentences, 1), nil
}
