package page_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/page"
	"contend/experiments/spec"
	"contend/experiments/study"
)

// The page of a study that ran into a folder.
func Example() {
	const text = `
name = "small"
title = "Two allocators"
machine = { dims = [4, 4] }
workload = { jobs = 20 }
job = { run = "fixed" }

[[axes]]
key = "allocator"
values = ["first-fit", "mbs"]
`
	err := func() error {
		names := spec.BuiltinNames()
		study, err := study.Parse("small.toml", text, names)
		if err != nil {
			return err
		}
		dir, err := os.MkdirTemp("", "page")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		folder, err := experiments.OpenFolder(dir, study, "example", names)
		if err != nil {
			return err
		}
		runner := experiments.Runner{Names: names, Run: (&cosim.Simulator{}).Run, Folder: folder}
		results, err := runner.Study(context.Background(), study)
		if err != nil {
			return err
		}
		if err := folder.Finish(results); err != nil {
			return err
		}
		var html strings.Builder
		if err := page.Write(&html, results, page.Options{Limit: page.DefaultLimit}); err != nil {
			return err
		}
		fmt.Println(strings.Contains(html.String(), "<title>Two allocators</title>"))
		return nil
	}()
	if err != nil {
		fmt.Println(err)
	}
	// Output: true
}
