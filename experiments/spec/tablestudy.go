package spec

// studyKeys are the keys of [runs] that belong to a study and not to any one run.
var studyKeys = []Key{
	{Path: "runs.replications", Default: "10", Min: "1", Max: "1000000",
		Doc: "runs of every point, each with its own random streams"},
	{Path: "runs.confidence", Default: "0.95", Above: "0", Below: "1",
		Doc: "confidence of the intervals (Student's t)"},
	{Path: "runs.max_relative_error", Default: "0", Min: "0",
		Source: "Law, Simulation Modeling and Analysis, sec. 9.4.1",
		Doc: "replications are added until the interval of every primary metric is at most " +
			"this fraction of the mean on either side, judged from ten replications on; " +
			"intervals of 95% then hold the mean in 93.5 to 95% of studies where runs are " +
			"nearly normal, in 85 to 90% where they have the tail of an exponential " +
			"distribution; 0: none are added"},
	{Path: "runs.max_replications", Default: "0", Min: "0", Max: "1000000",
		Doc: "most replications of a point; 0: ten times runs.replications"},
}
