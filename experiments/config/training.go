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
	Parameters: training.Parameters,
	Slow:       slowRanks, DrawsWith: drawsStragglers,
	Tasks: func(v call.Values, j PatternJob) (*tasks.Graph, error) {
		return training.StepOf(v).Graph(j.Processes)
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
		training.StepParameters...),
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

// slowRanks returns the factors by which the computations of ranks take longer.
func slowRanks(v call.Values, j PatternJob) ([]float64, error) {
	s := training.StragglersOf(v)
	return s.Factors(j.Processes, j.Stream)
}

// drawsStragglers reports whether slow ranks are drawn.
func drawsStragglers(v call.Values) bool {
	s := training.StragglersOf(v)
	return s.Draws()
}
