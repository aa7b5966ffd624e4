// Package training generates jobs that train neural networks, as graphs of tasks: steps from the
// sizes of a model and the division of its work among ranks, and the collectives of process groups,
// which package chakra uses for recorded steps.
//
// # Ranks
//
// Ranks form a grid of tensor, data and pipeline, in which tensor varies fastest, as in Megatron-LM
// (Narayanan et al., SC 2021). Ranks that differ in one axis only are a process group. A group of
// experts is a run of consecutive ranks along data.
//
// # A step
//
// A step trains on some microbatches. A stage of the pipeline does its forward and backward passes
// in the order 1F1B (Narayanan et al., sec. 2.2.1: as many forward passes as there are later
// stages, then one forward and one backward pass in turn, and the rest of the backward passes). In
// the last backward pass the gradients of a bucket of layers are summed over the data axis as soon
// as they are known, while the passes of earlier layers continue (Li et al., VLDB 2020, sec.
// 3.2.3).
//
// With b sequences of s tokens in a microbatch, h the width of the model, t ranks of tensor and 2
// bytes a number:
//
//   - A layer has 12h² parameters, 4h² of attention and 8h² of its perceptron (SC 2021, sec.
//     3.2), of which a rank has a t-th. Embeddings, norms and biases are left out.
//   - The forward pass of a layer has 24bsh² + 4bs²h floating-point operations (SC 2021, app.),
//     of which attention has 8bsh² + 4bs²h, and the backward pass twice as many. Nothing is
//     recomputed.
//   - Tensor parallelism sums 2bsh bytes twice in a forward pass of a layer and twice in a backward
//     pass (Shoeybi et al., 2019, sec. 3), after attention and after the perceptron.
//   - A stage sends 2bsh bytes from each of its ranks to the same rank of the next stage, and back
//     in a backward pass (SC 2021, sec. 3.2; without the scatter and gather of sec. 4.1). With
//     sequence parallelism each rank has a t-th of the tokens between layers and sends 2bsh/t bytes;
//     sums over tensor become reduce-scatters and all-gathers, of as many bytes and here written as
//     sums (Korthikanti et al., MLSys 2023, sec. 4.2.2).
//   - With experts the perceptron of every layer is one of e experts, one a rank of its group
//     (Fedus et al., JMLR 2022: each token has one expert, and tokens are even). A pass then has
//     all-to-alls before and after the perceptron, of 2bsh/t bytes a rank: ranks along tensor, which
//     have the same tokens, send a part each (Singh et al., ICS 2023). Gradients of
//     experts are summed over the ranks that have the same expert.
//   - The optimizer takes no time.
//
// Example: three stages do the forward (F) and backward (B) passes of four microbatches in these
// orders (Example). The last B of a stage also sums its gradients:
//
//	stage 0  F F F B F B B B
//	stage 1  F F B F B F B B
//	stage 2  F B F B F B F B
package training
