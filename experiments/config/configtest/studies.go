package configtest

// CompareStudy is a study of two patterns and three allocators. It has published numbers for five
// of its six points, two rules on ratios and a rule on a difference.
const CompareStudy = `
name = "compare"
[runs]
replications = 2
[[axes]]
key = "job.pattern"
values = ["ring", "fft"]
[[axes]]
key = "allocator"
values = ["mbs", "random", "paging:1"]
[table]
metrics = ["finish_time"]
[published]
csv = """
# a remark
allocator,job.pattern,finish_time,utilization
mbs,ring,100,50
random,ring,200,50
paging:1,ring,300,50
mbs,fft,100,
random,fft,400,
"""
[[tolerances]]
rule = "ratio"
metric = "finish_time"
within = 0.1
at_least = 4
[[tolerances]]
rule = "ratio"
metric = "finish_time"
relative_to = "mbs"
within = 0.1
[[tolerances]]
rule = "difference"
metric = "utilization"
within = 4.0
where = { "job.pattern" = "ring" }
`

// VariantsStudy is a study of three variants and two allocators, with an override for two of the
// variants, a quick version and a figure.
const VariantsStudy = `
name = "variants"
[[variants]]
name = "plain"
[[variants]]
name = "deep, fast"
set = { "network.buffer_flits" = 8, "network.routing_cycles" = 1 }
[[variants]]
name = "whole packets"
set = { "network.switching" = "store-and-forward", "network.buffer_flits" = 8 }
[[axes]]
key = "variant"
values = ["plain", "deep, fast", "whole packets"]
[[axes]]
key = "allocator"
values = ["mbs", "first-fit"]
[[overrides]]
when = { variant = ["plain", "whole packets"], "allocator" = "mbs" }
set = { "job.flits" = 3 }
[quick]
set = { "job.flits" = 5 }
[[quick.axes]]
key = "variant"
values = ["plain"]
[[figures]]
name = "a"
kind = "bars"
x = "variant"
series = "allocator"
metric = "finish_time"
where = { variant = ["plain", "deep, fast"] }
`
