package experiments

import (
	"context"
	"sync"
)

// Pool calls do for each task in a number of workers, at least one, and passes each result to got
// in the goroutine of the caller. When the context ends it begins no further task and waits for
// those under way.
func Pool[T, R any](ctx context.Context, workers int, tasks []T, do func(context.Context, T) R,
	got func(R)) {
	queue, results := make(chan T), make(chan R)
	var group sync.WaitGroup
	for range min(max(1, workers), len(tasks)) {
		group.Go(func() {
			for t := range queue {
				results <- do(ctx, t)
			}
		})
	}
	go func() {
		defer close(results)
		defer group.Wait()
		defer close(queue)
		for _, t := range tasks {
			if ctx.Err() != nil {
				return
			}
			select {
			case queue <- t:
			case <-ctx.Done():
				return
			}
		}
	}()
	for r := range results {
		got(r)
	}
}
