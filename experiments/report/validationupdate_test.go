package report

import (
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/spec/spectest"
)

// updated returns the results of two studies of one name, of which the second has flags.
func updated(t *testing.T, first, second float64) []*experiments.Results {
	t.Helper()
	own := compared(t, [][]float64{{first}, {101}, nil, {50}, {49}, {60}})
	flagged := compared(t, [][]float64{{second}, {201}, nil, {90}, {89}, {70}})
	flagged.Study.Changed = []string{"--set job.flits=4"}
	return []*experiments.Results{own, flagged}
}

// A section that is replaced is the one that the whole document would have.
func TestUpdatedSectionIsThatOfTheWhole(t *testing.T) {
	names := spectest.Names()
	old := Validation(updated(t, 100, 200), names, nil, "")
	all := updated(t, 100, 222)
	want := Validation(all, names, nil, "")
	if old == want {
		t.Fatal("the results make no difference")
	}
	got, err := UpdateValidation(old, all[1:], names, nil)
	if err != nil || got != want {
		t.Errorf("%v, and the document is\n%s\nnot\n%s", err, got, want)
	}

	all[1].Study.Changed = []string{"--set job.flits=5"}
	if _, err := UpdateValidation(old, all[1:], names, nil); err == nil ||
		!strings.Contains(err.Error(), "no section is of the study compare with these flags") {
		t.Errorf("flags without a section: %v", err)
	}
	if _, err := UpdateValidation(old+old, all[:1], names, nil); err == nil ||
		!strings.Contains(err.Error(), "two sections are of the study compare") {
		t.Errorf("two sections: %v", err)
	}
}

// The head of the document stays true: results that would change it are refused.
func TestUpdateDoesNotChangeAccounts(t *testing.T) {
	names := spectest.Names()
	r := accounted(t)
	old := Validation([]*experiments.Results{r}, names, nil, "")
	got, err := UpdateValidation(old, []*experiments.Results{r}, names, nil)
	if err != nil || got != old {
		t.Errorf("%v, and the document is\n%s", err, got)
	}
	other := strings.Replace(old, " run, ", " run, 1", 2)
	if _, err := UpdateValidation(other, []*experiments.Results{r}, names, nil); err == nil ||
		!strings.Contains(err.Error(), "the account of ") {
		t.Errorf("another account: %v", err)
	}
}
