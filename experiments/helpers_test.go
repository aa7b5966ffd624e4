package experiments

import (
	"testing"

	"contend/experiments/config/configtest"
	"contend/experiments/study"
)

func mustParseSmall(t *testing.T, text string) *study.Study {
	t.Helper()
	st, err := study.Parse("test.toml", text, configtest.Names())
	if err != nil {
		t.Fatal(err)
	}
	return st
}
