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
	t := tallyOf(list...)
	if t.printed() == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nThe papers print %d numbers. We ran %d: %d match within the paper's "+
		"precision", accuracyBegins, t.printed(), t.run(), t.of[within])
	switch divisors := t.of[divisor]; divisors {
	case 0:
		fmt.Fprintf(&b, " and %d do not.\n", t.failed())
	case 1:
		fmt.Fprintf(&b, ", %d do not, and 1 serves only as a\ndivisor.", t.failed())
	default:
		fmt.Fprintf(&b, ", %d do not, and %d serve only as\ndivisors.", t.failed(), divisors)
	}
	if other := t.of[failedOther]; other > 0 {
		fmt.Fprintf(&b, " Of the %d, %d ran on another version of the paper's log.", t.failed(), other)
	}
	if gaps := t.of[notRun]; gaps > 0 {
		fmt.Fprintf(&b, " We did not run %d\n(%s).", gaps, t.missingText())
	}
	return strings.TrimSuffix(b.String(), "\n") + "\n" + accuracyEnds + "\n"
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
