// Package contend makes a program of one's own with the command line of
// contend. A main function fills in a Registry and hands it down:
//
//	func main() {
//		r := contend.Builtin()
//		r.Allocators = append(r.Allocators, contend.Allocator{
//			Name: "my-allocator", Doc: "what it does, in a line",
//			New: func(v contend.Values, s contend.AllocatorSite) (allocation.Allocator, error) { ... },
//		})
//		contend.Main(r)
//	}
//
// Studies, flags, tables and error messages then know the name as they know
// the built-in ones. The folder examples has a module for each kind.
package contend

import (
	"os"

	"contend/allocation"
	"contend/cmd/cli"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/call"
	"contend/router/topology"
)

// Registry holds everything that a study can name.
type Registry = config.Registry

// What a Registry holds.
type (
	Topology  = config.Topology
	Routing   = config.Routing
	Pattern   = config.Pattern
	Allocator = config.Allocator
	Policy    = config.Policy
	Metric    = config.Metric
)

// What constructors and meters are given.
type (
	AllocatorSite = allocation.Site
	PatternJob    = config.PatternJob
	PolicyRun     = config.PolicyRun
	MetricRun     = config.MetricRun
	MetricEnd     = config.MetricEnd
	Meter         = config.Meter
)

// Parameter describes a value that a study gives in a call such as
// name:parameter=value; Values are those of one call.
type (
	Parameter = call.Parameter
	Values    = call.Values
)

// The types of parameters.
const (
	Integer = call.Integer
	Number  = call.Number
	Boolean = call.Boolean
	Word    = call.Word
	Text    = call.Text
	File    = call.File
	Digest  = call.Digest
)

// FileParameters are the parameters of a Pattern that reads a file, and FilesDigest is its Digest.
func FileParameters(about string) []Parameter { return config.FileParameters(about) }

// FilesDigest returns the digest of the file of FileParameters.
func FilesDigest(v Values) (string, error) { return config.FilesDigest(v) }

// Unwrap returns a machine as the New of its Topology made it, with its own type and
// methods. AllocatorSite.Machine and MetricRun.Machine may be a topology around that
// one, which counts hops.
func Unwrap(m topology.Topology) topology.Topology { return topology.Unwrap(m) }

// Builtin returns a registry of everything that is built in.
func Builtin() *Registry { return metrics.Builtin() }

// Main runs the command line of contend on the registry and ends the program.
// A registry in which something is wrong ends it at once, with a message that
// says what.
func Main(r *Registry) { os.Exit(cli.Run(os.Args[1:], os.Stdout, os.Stderr, r)) }
