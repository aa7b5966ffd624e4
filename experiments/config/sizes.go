package config

import (
	"fmt"
	"strings"

	"contend/internal/call"
	"contend/internal/input"
	"contend/scheduler"
)

// sizePath is the key of the distribution of the sizes of drawn jobs.
const sizePath = "workload.size"

// sizeKind is a distribution of sizes that workload.size calls by its name.
type sizeKind struct {
	name, doc  string
	parameters []call.Parameter
	make       func(call.Values) scheduler.SizeConfig
}

// between has the parameters of sizes from a smallest to a largest one.
var between = []call.Parameter{
	{Name: "min", Type: call.Integer, Default: "1", Min: "1", Max: "1000000000", Bare: true},
	{Name: "max", Type: call.Integer, Default: "0", Min: "0", Max: "1000000000", Bare: true}}

// bounded makes sizes from a smallest to a largest one.
func bounded(v call.Values) scheduler.SizeConfig {
	return scheduler.SizeConfig{Distribution: v.Owner(), Min: v.Int("min"), Max: v.Int("max")}
}

// sizeKinds are the distributions with names.
var sizeKinds = []sizeKind{
	{"uniform", "uniform:MIN,MAX all sizes alike, without MAX up to the machine's", between, bounded},
	{"log-uniform", "log-uniform:MIN,MAX sizes with a uniform logarithm", between, bounded},
	{"power-of-two", "power-of-two:MIN,MAX powers of two, all alike", between, bounded},
	{"exponential",
		"exponential:MEAN an exponential draw, moved to the nearest size from 1 to the machine's",
		[]call.Parameter{{Name: "mean", Type: call.Number, Default: "16", Above: "0", Bare: true}},
		func(v call.Values) scheduler.SizeConfig {
			return scheduler.SizeConfig{Distribution: v.Owner(), Mean: v.Float("mean")}
		}},
	{"fixed", "fixed:N one size", []call.Parameter{
		{Name: "size", Type: call.Integer, Default: "16", Min: "1", Max: "1000000000", Bare: true}},
		func(v call.Values) scheduler.SizeConfig {
			return scheduler.SizeConfig{Distribution: v.Owner(), Value: v.Int("size")}
		}},
}

// sizeForms lists what workload.size may be.
func sizeForms() string {
	text := ""
	for _, k := range sizeKinds {
		text += k.doc + "; "
	}
	return text + "or sizes with weights, such as 4:0.7+32:0.3"
}

// parseSize reads a distribution of sizes and returns its canonical text too.
func parseSize(text string) (c scheduler.SizeConfig, canonical string, bad *input.Error) {
	if text == "" {
		return c, "", nil
	}
	if text[0] >= '0' && text[0] <= '9' {
		list, err := call.ParseWeights(text, "nodes")
		if err != nil {
			return c, text, FieldSize.Bad("give sizes with weights, such as 4:0.7+32:0.3",
				"%s is %q, %v", FieldSize, text, err)
		}
		if len(list) == 1 {
			return parseSize(fmt.Sprintf("fixed:%d", list[0].Value))
		}
		c = scheduler.SizeConfig{Distribution: "weighted", Weights: list}
		return c, call.FormatWeights(list), nil
	}
	var names []string
	for _, k := range sizeKinds {
		if k.name == call.Name(text) {
			v, err := call.Parse(text, k.parameters)
			if err != nil {
				err.Key = sizePath
				err.Problem = sizePath + ": " + err.Problem
				return c, text, err
			}
			canonical = v.String()
			if bare, ok := strings.CutSuffix(canonical, ",0"); ok { // up to the machine
				canonical = strings.TrimSuffix(bare, ":1")
			}
			return k.make(v), canonical, nil
		}
		names = append(names, k.name)
	}
	return c, text, FieldSize.Bad(input.OneOf(call.Name(text), names)+", or give sizes with weights, "+
		"such as 4:0.7+32:0.3", "%s is %q", FieldSize, text)
}

// canonicalSize writes a distribution of sizes in canonical form.
func canonicalSize(text string) (string, *input.Error) {
	_, text, err := parseSize(text)
	return text, err
}

// sizes returns the distribution of the sizes of drawn jobs; one without a name if they draw sides.
func (w *WorkloadSpec) sizes() scheduler.SizeConfig {
	if w.Processors > 0 {
		return scheduler.SizeConfig{Distribution: "fixed", Value: w.Processors}
	}
	c, _, _ := parseSize(w.Size) // it was read before
	return c
}
