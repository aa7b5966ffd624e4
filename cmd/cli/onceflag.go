package cli

import (
	"strings"

	"contend/internal/input"

	"github.com/spf13/pflag"
)

// onceValue is the value of a flag that may be given once. pflag alone would replace the first
// value by the second without an error.
type onceValue struct {
	pflag.Value
	flag  *pflag.Flag
	given string // the flag with its value, "" before it
}

// takeOnce makes all flags of a set that have a single value refuse a second one.
func takeOnce(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if _, several := f.Value.(pflag.SliceValue); !several && f.Value.Type() != "bool" {
			f.Value = &onceValue{Value: f.Value, flag: f}
		}
	})
}

// Set sets the first value and refuses others.
func (v *onceValue) Set(text string) error {
	now := "--" + v.flag.Name + " " + text
	if v.given == "" {
		v.given = now
		return v.Value.Set(text)
	}
	right, usage := "run the command once for each value", v.flag.Usage
	if strings.Contains(usage, "separated by commas") || strings.Contains(usage, "a list") {
		right = "separate its values by commas"
	}
	return &input.Error{Where: now, Problem: v.given + " is given too",
		Right: "give the flag once, and " + right}
}
