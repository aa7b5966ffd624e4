package spec

import (
	"errors"
	"strings"

	"contend/experiments/spec/input"
	"contend/experiments/spec/machine"
	"contend/scheduler"
)

// configKeys says which key sets a field of a configuration of package scheduler. A
// name that ends in a dot stands for a struct and its section: there the keys are the
// names of the fields in lower case, and distribution is the key of Kind.
var configKeys = map[string]string{
	"SyntheticConfig.Jobs":             "workload.jobs",
	"SyntheticConfig.Sides":            "machine.dims",
	"SyntheticConfig.Side.":            "workload.side.",
	"SyntheticConfig.Interarrival.":    "workload.interarrival.",
	"SyntheticConfig.Service.":         "workload.service.",
	"SyntheticConfig.Quota.Kind":       "job.quota.distribution",
	"SyntheticConfig.Quota.Mean":       "job.quota",
	"SyntheticConfig.PatternQuota":     "job.quota",
	"SyntheticConfig.Patterns":         "job.pattern",
	"LublinConfig.Kind":                "workload.source",
	"LublinConfig.Jobs":                "workload.jobs",
	"LublinConfig.Processors":          "machine.dims",
	"CplantStreamConfig.Interarrival.": "workload.interarrival.",
	"CplantStreamConfig.Service.":      "workload.service.",
	"TransformConfig.First":            "workload.jobs",
	"TransformConfig.Divide":           "workload.size_divisor",
	"TransformConfig.Round":            "workload.round_sizes",
	"TransformConfig.Max":              "workload.size_clamp",
	"TransformConfig.Load":             "workload.load_scale",
	"TransformConfig.Work":             "workload.work_multiple",
	"TransformConfig.Patterns":         "job.pattern",
	"Replicate.factor":                 "workload.replication_factor",
	"Replicate.spread":                 "workload.replication_spread",
	"Shake.spread":                     "workload.shake",
	"ScaleToLoad.target":               "workload.target_load",
}

// Refuse turns an error of a package below into an input.Error. Where the error is about
// a field of a configuration, the text names the key.
func Refuse(err error) *input.Error {
	var bad *scheduler.FieldError
	if errors.As(err, &bad) {
		if key := configKey(bad.Field); key != "" {
			return input.Bad(key, "", "%s %s", key, bad.Problem)
		}
	}
	return &input.Error{Problem: err.Error()}
}

// configKey returns the key that sets a field, or "".
func configKey(field string) string {
	if key, ok := configKeys[field]; ok {
		return key
	}
	cut := strings.LastIndexByte(field, '.') + 1
	section, ok := configKeys[field[:cut]]
	switch name := field[cut:]; {
	case !ok:
		return ""
	case name == "Kind":
		return section + "distribution"
	default:
		return section + strings.ToLower(name)
	}
}

// RefuseConfig turns an error about the configuration of a machine or a network into one
// about the key that the field was decoded from.
func RefuseConfig(err error) *input.Error {
	return input.RefuseField(err, machine.Spec{}, NetworkSpec{})
}
