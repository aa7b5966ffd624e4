package config

import (
	"contend/experiments/formats/chakra"
	"contend/internal/call"
	"contend/internal/input"
	"contend/patterns/tasks"
	"contend/patterns/training"
)

// trainingPattern is the pattern of generated training steps.
var trainingPattern = Pattern{Name: "training", Source: "Narayanan et al. 2021",
	Doc: "steps that train a neural network, an iteration a step: ranks share it by tensor, " +
		"pipeline, data and expert parallelism",
	Parameters: append([]call.Parameter{
		{Name: "data", Type: call.Integer, Default: "0", Min: "0", Max: "16777216", Unit: "ranks",
			Doc: "along the axis of data; 0: as many as a job has room for"},
		{Name: "tensor", Type: call.Integer, Default: "1", Min: "1", Max: "65536", Unit: "ranks"},
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
	}, stepParameters...),
	Slow: slowRanks, DrawsWith: drawsStragglers,
	Tasks: func(v call.Values, j PatternJob) (*tasks.Graph, error) {
		return training.Step{Data: v.Int("data"), Tensor: v.Int("tensor"), Pipeline: v.Int("pipeline"),
			Expert: v.Int("expert"), Layers: v.Int("layers"), Hidden: v.Int("hidden"),
			Sequence: v.Int("sequence"), Microbatches: v.Int("microbatches"),
			Microbatch: v.Int("microbatch"), Bucket: int64(v.Int("bucket")),
			Algorithm: training.Algorithm(v.Word("algorithm")), FlopRate: v.Float("tflops") * 1e12,
		}.Graph(j.Processes)
	}}

// chakraPattern is the pattern of recorded training steps.
var chakraPattern = Pattern{Name: "chakra", Source: "Sridharan et al. 2023",
	Doc: "a training step as a Chakra execution trace, a file a rank: chakra:PREFIX reads " +
		"PREFIX.0.et, PREFIX.1.et and so on, and the process groups of PREFIX.groups.json if there is " +
		"that file. A job has as many processes as the trace has ranks",
	Parameters: append(append(FileParameters("what the names of the files begin with"),
		call.Parameter{Name: "memory_gbs", Type: call.Number, Default: "0", Min: "0", Max: "1e9",
			Unit: "GB/s",
			Doc:  "of a rank, for nodes with num_ops: they take tensor_size at this rate at least"}),
		stepParameters...),
	Slow: slowRanks, DrawsWith: drawsStragglers,
	Digest: func(v call.Values) (string, error) {
		files, err := chakra.Files(v.Files(), v.Word("file"))
		if err != nil {
			return "", input.Unreadable(err, chakraRight)
		}
		return DigestOf(v.Files(), files...)
	},
	Tasks: func(v call.Values, _ PatternJob) (*tasks.Graph, error) {
		trace, err := chakra.Read(v.Files(), v.Word("file"))
		if err != nil {
			return nil, input.Unreadable(err, chakraRight)
		}
		return trace.Graph(chakra.Options{Algorithm: training.Algorithm(v.Word("algorithm")),
			FlopRate: v.Float("tflops") * 1e12, MemoryRate: v.Float("memory_gbs") * 1e9})
	}}

// chakraRight says what names the files of a Chakra trace.
const chakraRight = "give what the names of the files PREFIX.0.et, PREFIX.1.et and so on begin with"

// stepParameters are the parameters of both generated and recorded steps.
var stepParameters = []call.Parameter{
	{Name: "algorithm", Type: call.Word, Default: training.Algorithms()[0],
		Choices: training.Algorithms(),
		Source:  "Thakur et al. 2005", Doc: "of collectives"},
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

// stragglersOf decodes the parameters that say which ranks are slow.
func stragglersOf(v call.Values) training.Stragglers {
	return training.Stragglers{Factor: v.Float("slowdown"), Rank: v.Int("straggler"),
		Share: v.Float("straggler_share"), All: v.Float("compute")}
}

// slowRanks returns the factors by which the computations of ranks take longer.
func slowRanks(v call.Values, j PatternJob) ([]float64, error) {
	s := stragglersOf(v)
	return s.Factors(j.Processes, j.Stream)
}

// drawsStragglers reports whether slow ranks are drawn.
func drawsStragglers(v call.Values) bool {
	s := stragglersOf(v)
	return s.Draws()
}
