package main

import (
	"fmt"
	"strings"

	"contend/internal/input"
)

// These lines enclose the sentences about accuracy in VALIDATION and README.
const (
	accuracyBegins = "<!-- accuracy: written by make docs -->"
	accuracyEnds   = "<!-- end of accuracy -->"
)

// accuracyText states the sum of the accounts in sentences, "" if there are no printed numbers.
func accuracyText(list []account) string {
	var t tally
	for i := range list {
		t.add(list[i].numbers)
	}
	if t.printed() == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nThe papers print %d numbers. We ran %d: %d match within the paper's "+
		"precision", accuracyBegins, t.printed(), t.run(), t.within)
	switch t.divisors {
	case 0:
		fmt.Fprintf(&b, " and %d do not.\n", t.failed)
	case 1:
		fmt.Fprintf(&b, ", %d do not, and 1 serves only as a\ndivisor.", t.failed)
	default:
		fmt.Fprintf(&b, ", %d do not, and %d serve only as\ndivisors.", t.failed, t.divisors)
	}
	if t.otherVersion > 0 {
		fmt.Fprintf(&b, " Of the %d, %d ran on another version of the paper's log.", t.failed,
			t.otherVersion)
	}
	if gaps := t.notRun(); gaps > 0 {
		fmt.Fprintf(&b, " We did not run %d\n(%s).", gaps, t.missingText())
	}
	return strings.TrimSuffix(b.String(), "\n") + "\n" + accuracyEnds + "\n"
}

// accuracyIn returns the sentences about accuracy of a document with the lines
// that enclose them, "" if there are none.
func accuracyIn(document string) string {
	_, rest, begins := strings.Cut(document, accuracyBegins)
	block, _, ends := strings.Cut(rest, accuracyEnds)
	if !begins || !ends {
		return ""
	}
	return accuracyBegins + block + accuracyEnds
}

// copyAccuracy returns document, such as README, with the sentences about
// accuracy of validation in place of its own.
func copyAccuracy(validation, document string) (string, error) {
	from, to := accuracyIn(validation), accuracyIn(document)
	for _, text := range []struct{ where, block string }{
		{"the validation", from}, {"the document", to},
	} {
		if text.block == "" {
			return "", &input.Error{Problem: text.where +
				" has no block of sentences about accuracy",
				Right: "put the lines " + accuracyBegins + " and " + accuracyEnds + " into it"}
		}
	}
	return strings.Replace(document, to, from, 1), nil
}
