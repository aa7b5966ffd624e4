# The two commands of the README are `make run` and `make test`.

CONTEND := go run ./cmd/contend

.PHONY: run test check lint test-invariants bench figures docs validation build

# Table 2 of Lo et al. in small: table beside the published one, figures, summary.
run:
	$(CONTEND) run lo-table2 --quick -o out/quick

test:
	go test ./...

# Everything that has to hold before a change goes in.
check: lint test test-invariants

lint:
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt would change:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go vet -tags invariants ./...
	go tool staticcheck ./...

# The engine and the simulation look at all their state after every step.
test-invariants:
	go test -tags invariants ./router/... ./netsim/... ./scheduler/... ./allocation/...

bench:
	go test -run '^$$' -bench . -benchtime 1s ./netsim/... ./allocation/... ./scheduler/...

build:
	CGO_ENABLED=0 go build -trimpath -o contend ./cmd/contend

# The full studies, 10 replications and more: about a quarter of an hour on 2
# cores. Then everything in docs that the program writes.
validation: build
	./contend run lo-table1 lo-fig5-8 lo-table2 lo-sensitivity paragon-contend pascual-fig3 pascual-fig4-7 pascual-closed-loop
	./contend net
	$(MAKE) docs

# The manual, the table of published figures, the README's figures, from the
# results in out.
docs: build figures
	./contend manual > docs/manual.md
	./contend manual patterns > docs/patterns.md
	./contend pattern npb-ft npb-is npb-cg npb-mg npb-lu npb-bt npb-sp --matrix --format svg -o docs/figures
	./contend validation out/lo-table1 out/lo-table2 out/paragon-contend out/pascual-fig3 out/pascual-fig4-7 out/pascual-closed-loop > docs/VALIDATION.md

figures:
	mkdir -p docs/figures
	cp out/lo-table2/figures/*.svg out/lo-fig5-8/figures/*.svg out/net/figures/*.svg docs/figures/
	cp out/lo-table1/figures/finish-time.svg docs/figures/finish-time.svg
	cp out/paragon-contend/figures/*.svg docs/figures/
	cp out/lo-sensitivity/figures/fft.svg docs/figures/sensitivity-fft.svg
	cp out/pascual-fig4-7/figures/fig4-fcfs.svg docs/figures/pascual-fig4-fcfs.svg
	cp out/pascual-closed-loop/figures/all-to-all-fcfs.svg docs/figures/pascual-closed-loop.svg
