package experiments

import (
	"context"
	"sync"
)

// Pool does the tasks on so many workers and hands each result to got, which
// runs in the caller's goroutine only. When the context ends, no further task
// is begun; those under way are waited for.
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
