package training

import (
	"contend/internal/call"
)

// Parameters are the parameters of a Step and of its Stragglers.
var Parameters = append([]call.Parameter{
	{Name: "data", Type: call.Integer, Default: "0", Min: "0", Max: "16777216", Unit: "ranks",
		Doc: "along the axis of data; 0: as many as a job has room for"},
	{Name: "tensor", Type: call.Integer, Default: "1", Min: "1", Max: "65536", Unit: "ranks"},
	{Name: "sequence_parallel", Type: call.Boolean, Default: "false", Bare: true,
		Source: "Korthikanti et al. 2023, sec. 4.2.2",
		Doc: "each rank along tensor has a part of the sequence between layers, so stages of a pipeline " +
			"pass on that part only, and activations take less memory"},
	{Name: "pipeline", Type: call.Integer, Default: "1", Min: "1", Max: "65536", Unit: "ranks",
		Doc: "stages of the schedule 1F1B"},
	{Name: "expert", Type: call.Integer, Default: "1", Min: "1", Max: "65536", Unit: "ranks",
		Doc: "of the axis of data, each with one expert of every layer; 1: a dense model"},
	{Name: "layers", Type: call.Integer, Default: "32", Min: "1", Max: "65536",
		Doc: "of the model, a multiple of pipeline; the defaults are those of Llama 7B"},
	{Name: "hidden", Type: call.Integer, Default: "4096", Min: "1", Max: "1048576",
		Doc: "width of the model"},
	{Name: "sequence", Type: call.Integer, Default: "2048", Min: "1", Max: "1048576", Unit: "tokens"},
	{Name: "microbatches", Type: call.Integer, Default: "8", Min: "1", Max: "65536",
		Doc: "of a pipeline in a step"},
	{Name: "microbatch", Type: call.Integer, Default: "1", Min: "1", Max: "65536", Unit: "sequences"},
	{Name: "bucket", Type: call.Integer, Default: "26214400", Min: "1", Max: "2147483647",
		Unit:   "bytes",
		Source: "Li et al. 2020", Doc: "of gradients that are summed at once, beside the backward pass"},
	{Name: "memory", Type: call.Number, Default: "0", Min: "0", Max: "1e9", Unit: "GB",
		Source: "Rajbhandari et al. 2020, Korthikanti et al. 2023",
		Doc: "of a rank: a step that needs more for its parameters, gradients, optimizer states and " +
			"activations is refused; 0: none is"},
}, StepParameters...)

// StepOf returns the step that the Parameters describe.
func StepOf(v call.Values) Step {
	return Step{Data: v.Int("data"), Tensor: v.Int("tensor"), Pipeline: v.Int("pipeline"),
		SequenceParallel: v.Bool("sequence_parallel"), Expert: v.Int("expert"),
		Layers: v.Int("layers"), Hidden: v.Int("hidden"),
		Sequence: v.Int("sequence"), Microbatches: v.Int("microbatches"),
		Microbatch: v.Int("microbatch"), Bucket: int64(v.Int("bucket")),
		Collectives: CollectivesOf(v), FlopRate: v.Float("tflops") * 1e12, Memory: v.Float("memory") * 1e9,
	}
}

// CollectivesOf decodes the parameters that say how groups do collectives.
func CollectivesOf(v call.Values) Collectives {
	return Collectives{Algorithm: Algorithm(v.Word("algorithm")), Host: v.Int("host")}
}

// StepParameters are the parameters of both generated and recorded steps.
var StepParameters = []call.Parameter{
	{Name: "algorithm", Type: call.Word, Default: Algorithms()[0],
		Choices: Algorithms(),
		Source:  "Thakur et al. 2005", Doc: "of collectives; hierarchical is all-reduce-hierarchical, " +
			"and ring for others"},
	{Name: "host", Type: call.Integer, Default: "8", Min: "1", Max: "65536", Unit: "ranks",
		Doc: "that share a host, for algorithm = hierarchical"},
	{Name: "straggler", Type: call.Integer, Default: "-1", Min: "-1", Max: "16777215",
		Doc: "rank that computes more slowly; -1: none in particular"},
	{Name: "straggler_share", Type: call.Number, Default: "0", Min: "0", Max: "1",
		Doc: "probability with which each rank of a job is drawn to be one too"},
	{Name: "slowdown", Type: call.Number, Default: "2", Min: "0", Max: "1000000",
		Doc: "by how much computations of stragglers take longer"},
	{Name: "compute", Type: call.Number, Default: "1", Min: "0", Max: "1000000",
		Doc: "factor on the computing times of all ranks"},
	{Name: "tflops", Type: call.Number, Default: "0", Min: "0", Max: "1e9", Unit: "Tflop/s",
		Doc: "at which a rank computes; 0: in no time, or of a trace in the recorded times"},
}

// StragglersOf decodes the parameters that say which ranks are slow.
func StragglersOf(v call.Values) Stragglers {
	return Stragglers{Factor: v.Float("slowdown"), Rank: v.Int("straggler"),
		Share: v.Float("straggler_share"), All: v.Float("compute")}
}
