# The two commands of the README for a clone are `make run` and `make test`.

export CGO_ENABLED := 0

CONTEND := go run ./cmd/contend

# Studies of logs, of which this machine may lack some; what is missing is said.
OF_LOGS := johnson-fig4 johnson-fig8 johnson-fig9-14 johnson-fig15 johnson-fig16 johnson-fig18 \
	leung-fig1 leung-fig1-replication

.PHONY: run test test-long check lint test-invariants bench figures docs validation build

# Table 2 of Lo et al. in small: table beside the published one, figures, summary.
run:
	@echo "building: about a minute on 2 cores the first time, seconds later"
	$(CONTEND) run lo-table2 --quick -o out/quick

# Ends with the tests that skip, and why. With NEED_LOGS=FOLDER none may for want of a log
# where the folder exists.
# Without tables for debuggers the programs of tests are linked in half the time.
GOTESTSUM := go tool gotestsum --format pkgname --format-hide-empty-pkg -- -vet=off -ldflags=-w
# Programs that live for seconds collect garbage more rarely.
test:
	@GOGC=400 $(GOTESTSUM) ./...

# Statistics, large machines and programs that are built: TestLong, in files of the tag long. The
# tests of allocators and of deadlocks draw more under the tag.
test-long:
	@$(GOTESTSUM) -tags long ./allocation/... ./router/deadlock
	@$(GOTESTSUM) -tags long -run '^TestLong' \
		$$(grep -rl '^//go:build long' --include=*_test.go . | grep -vE '^./(allocation|router)/' | \
			xargs -n 1 dirname | sort -u)

# What has to hold before a change goes in; the gate runs test-long too.
check: lint test test-invariants

lint:
	@unformatted=$$(find . -name '*.go' -not -path './build/*' | xargs gofmt -l); test -z "$$unformatted" || { echo "gofmt would change:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go vet -tags invariants,long ./...
	go tool staticcheck -tags long ./...

# The engine and the simulation look at all their state after every step.
test-invariants:
	GOGC=400 go test -tags invariants ./router/... ./netsim/... ./scheduler/... ./allocation/...

# Faults of one operator, number or statement, drawn by SEED, and those that no test sees. What was
# caught in a file that stays as it is is not run again (build/_mutate).
.PHONY: mutate mutate-some
SEED := 1
COUNT := 300
MUTATED := router router/deadlock router/routes router/topology netsim patterns patterns/tasks \
	patterns/training allocation allocation/center allocation/exact allocation/manager allocation/mapping \
	allocation/order allocation/submesh allocation/tree scheduler experiments/fastforward \
	experiments/metrics experiments/report/tables experiments/sim experiments/sim/executor \
	experiments/stats
mutate:
	go run ./cmd/mutate -seed $(SEED) -count $(COUNT) -page docs/faults.md $(MUTATED)

# A few faults of packages whose own tests are short, others in each commit.
mutate-some:
	go run ./cmd/mutate -seed $$((0x$$(git rev-parse --short=8 HEAD))) -count 30 -own -min 50 \
		allocation/center allocation/manager allocation/mapping allocation/order allocation/tree patterns \
		patterns/tasks patterns/training scheduler experiments/stats

# Every parser against random input; what is found stays in testdata/fuzz.
.PHONY: fuzz test-arm64
FUZZTIME := 30s
fuzz:
	@grep -rl '^func Fuzz' --include=*_test.go . | while read file; do \
		for t in $$(sed -n 's/^func \(Fuzz[A-Za-z]*\).*/\1/p' $$file); do \
			go test ./$$(dirname $$file) -run '^$$' -fuzz "^$$t\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x || exit 1; \
		done; done

# A study gives the same files on 386 and arm64 as on amd64.
test-arm64:
	@.ci/processors

bench:
	go test -run '^$$' -bench . -benchtime 1s ./...

# What shells complete, and manual pages dated as the commit is.
.PHONY: completions man install dist module
completions: build
	mkdir -p build/completions
	./contend completion bash > build/completions/contend.bash
	./contend completion zsh > build/completions/_contend
	./contend completion fish > build/completions/contend.fish

man: build
	rm -rf build/man
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) ./contend manual build/man

# It says how long it took: make expands the first date before the recipe begins.
PREFIX := $(HOME)/.local
install:
	@echo "building: about a minute on 2 cores the first time, seconds later"
	@$(MAKE) --no-print-directory completions man
	install -D -m 755 contend $(DESTDIR)$(PREFIX)/bin/contend
	mkdir -p $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 build/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -D -m 644 build/completions/contend.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/contend
	install -D -m 644 build/completions/_contend $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_contend
	install -D -m 644 build/completions/contend.fish \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/contend.fish
	@echo "installed $(DESTDIR)$(PREFIX)/bin/contend in $$(($$(date +%s) - $(shell date +%s))) s"
	@case "$(DESTDIR):$$PATH:" in :*":$(PREFIX)/bin:"* | [!:]*) ;; *) echo "$(PREFIX)/bin is not in PATH: add" \
		"export PATH=\"$(PREFIX)/bin:\$$PATH\" to ~/.profile";; esac

# A release in build/dist: archives, wheels, .deb and .rpm, with their checksums. The version is that
# of CITATION.cff, and the programs print it. The same commit and Go give the same bytes, whatever
# GOFLAGS says.
VERSION = $(shell sed -n 's/^version: *//p' CITATION.cff)
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64
NFPM := go tool -modfile=packaging/go.mod nfpm package --config packaging/nfpm.yaml --target build/dist
dist: export GOFLAGS := -trimpath
dist: export VERSION := $(VERSION)
dist: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
dist: completions man
	@./contend --version | grep -Eq "^commit $$(git rev-parse HEAD)(, modified)?$$" || \
		{ echo "the program does not name its commit: use a clone by git, not a worktree" >&2; exit 1; }
	rm -rf build/dist
	@set -e; for platform in $(PLATFORMS); do \
		name=contend-$(VERSION)-$$(echo $$platform | tr / - | sed s/darwin/macos/); \
		export STAGE=build/dist/$$name ARCH=$${platform#*/}; \
		mkdir -p $$STAGE; \
		cp -r build/man build/completions docs README.md LICENSE CHANGELOG.md CITATION.cff $$STAGE; \
		gzip -9n $$STAGE/man/*; \
		GOOS=$${platform%/*} GOARCH=$$ARCH $(BUILD) -o $$STAGE \
			-ldflags="-s -w -X $(MODULE)/cmd/cli.packagedVersion=$(VERSION)" ./cmd/contend; \
		chmod -R u=rwX,go=rX $$STAGE; \
		tar -C build/dist --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$$SOURCE_DATE_EPOCH \
			-cf - $$name | gzip -n > $$STAGE.tar.gz; \
		go run ./cmd/wheel $(VERSION) $$platform $$STAGE/contend build/dist; \
		case $$platform in linux/*) $(NFPM) --packager deb; $(NFPM) --packager rpm; esac; \
		rm -r $$STAGE; \
	done; cd build/dist; sha256sum * > ../SHA256SUMS; mv ../SHA256SUMS .; cat SHA256SUMS

# Renames the module everywhere: make module PATH_=host/owner/contend
MODULE := $(shell sed -n 's/^module //p' go.mod)
module:
	@test "$(notdir $(PATH_))" = contend || \
		{ echo "give PATH_=host/owner/contend: the path of the module, which ends in contend" >&2; exit 2; }
	find . \( -name '*.go' -o -name '*.md' \) -print0 | xargs -0 sed -i -E \
		's#^(import |[[:space:]]+)([A-Za-z_.]+ )?"$(MODULE)(/[a-z0-9/]+)?"$$#\1\2"$(PATH_)\3"#'
	sed -i -E 's#^(module|require|replace)( +)$(MODULE)( |$$)#\1\2$(PATH_)\3#' go.mod examples/*/go.mod
	sed -i 's#`$(MODULE)/allocation`#`$(PATH_)/allocation`#; s#go doc $(MODULE)/netsim#go doc $(PATH_)/netsim#' \
		docs/howto/own-allocator.md docs/model.md
	gofmt -w $$(git ls-files '*.go')

# --version names the commit also with -buildvcs=false in GOFLAGS, unless there is no git or it
# refuses the folder.
BUILD = go build -trimpath -buildvcs=$(shell git rev-parse HEAD > /dev/null 2>&1 && echo true || echo false)
build:
	$(BUILD) -o contend ./cmd/contend

# The full studies, 10 replications and more: about half an hour on 2
# cores. Then everything in docs that the program writes.
validation: build
	./contend run lo-table1 lo-fig5-8 lo-table2 lo-table2-readings lo-table2-npb-mg lo-sensitivity booksim booksim-channels caminos caminos-placement insee insee-placement codes paragon-contend pascual-fig2 pascual-fig3 pascual-fig4-7 pascual-break-even pascual-closed-loop leung-table1 leung-fig3 training-cluster llama-lulesh gabl failed-links fast-forward-coverage incast htsim victims testbed-mccs gpcnet-slingshot
	./contend run pascual-closed-loop --axis job.pattern=all-to-all --axis scheduler.policy=easy --axis allocator=sequential,contiguous,quasi-contiguous:40 --set scheduler.reservation=placement --set scheduler.backfill=extra -o out/pascual-closed-loop-easy
	for study in $(OF_LOGS); do ./contend run $$study || test $$? -eq 3 || exit 1; done # 3: some of the logs are not there
	./contend net
	$(MAKE) docs

# Whole logs at their own time scale: hours of processor time.
.PHONY: validation-whole
validation-whole: build
	./contend run closed-loop-hpc2n --set scheduler.policy=fcfs
	./contend run closed-loop-hpc2n --set scheduler.policy=easy --axis job.communication_share=0.1,0.2,0.4 -o out/closed-loop-hpc2n-easy
	./contend run closed-loop-kth closed-loop-nasa time-scale

# Studies of logs, with logs of the Parallel Workloads Archive in ./traces or ../shared/traces.
.PHONY: validation-logs
validation-logs: build
	./contend run bender-fig2 bender-procsimity jump-accuracy jump-accuracy-tree
	./contend run bender-table1 --trace KTH-SP2-1996-2.swf.gz --set machine.dims=[10,10] -o out/bender-table1-kth
	./contend run bender-table1 --trace NASA-iPSC-1993-3.1-cln.swf.gz --set machine.dims=[16,8] -o out/bender-table1-nasa

# What documents conclude by: studies with named rules, with seeds 1, 2 and the one that is held out
# where something is drawn. Those of whole logs take hours, as validation-whole does; what has been
# run is not run again.
.PHONY: claims
claims: build
	go run ./cmd/repodocs claimed | while read -r line; do \
		./$$line < /dev/null || test $$? -eq 3 || exit 1; done # 3: as above
	$(MAKE) docs

# Studies with a page in docs/validation. A page whose results are not in out stays as it is.
WITH_PAGES := lo-table1 lo-fig5-8 lo-table2 lo-table2-readings lo-table2-npb-mg booksim booksim-channels caminos caminos-placement insee insee-placement codes \
	paragon-contend pascual-fig2 pascual-fig3 pascual-fig4-7 pascual-break-even pascual-closed-loop* leung-table1 leung-fig3 $(OF_LOGS) bender-* \
	jump-accuracy* closed-loop-* fast-forward-coverage time-scale bully training-cluster llama-lulesh gabl failed-links htsim incast victims leonardo-cells testbed-mccs testbed-crab gpcnet-slingshot

# The reference, the pages of validation, and the README's sentences about accuracy, from the
# results in out.
docs: build figures
	go run ./cmd/repodocs reference
	./contend pattern npb-ft npb-is npb-cg npb-mg npb-lu npb-bt npb-sp --matrix --format svg -o docs/figures
	go run ./cmd/repodocs validation $(wildcard $(WITH_PAGES:%=out/%))
	go run ./cmd/repodocs claims out
	go run ./cmd/repodocs tables out

figures:
	mkdir -p docs/figures
	cp out/lo-table2/figures/*.svg out/lo-fig5-8/figures/*.svg docs/figures/
	cp out/net/figures/latency.svg docs/figures/net-latency.svg
	cp out/lo-table1/figures/finish-time.svg docs/figures/finish-time.svg
	cp out/paragon-contend/figures/*.svg docs/figures/
	cp out/pascual-fig2/figures/fig2.svg docs/figures/pascual-fig2.svg
	cp out/insee/figures/trees.svg docs/figures/insee-trees.svg
	cp out/leung-table1/figures/table1.svg docs/figures/leung-table1.svg
	cp out/leung-fig3/figures/fig3a.svg docs/figures/leung-fig3a.svg
	cp out/training-cluster/figures/steps.svg docs/figures/training-cluster.svg
	cp out/llama-lulesh/figures/training.svg docs/figures/llama-lulesh.svg
	cp out/gabl/figures/response-time.svg docs/figures/gabl.svg
	cp out/victims/figures/mean.svg docs/figures/victims.svg
	cp out/failed-links/figures/failed-links-tree.svg docs/figures/failed-links.svg
	cp out/incast/figures/queue.svg docs/figures/incast.svg
	cp out/fast-forward-coverage/figures/*.svg docs/figures/
	cp out/lo-sensitivity/figures/fft.svg docs/figures/sensitivity-fft.svg
	cp out/pascual-fig4-7/figures/fig4-fcfs.svg docs/figures/pascual-fig4-fcfs.svg
	cp out/pascual-closed-loop/figures/all-to-all-fcfs.svg docs/figures/pascual-closed-loop.svg
	test ! -e out/closed-loop-hpc2n || cp out/closed-loop-hpc2n/figures/fcfs.svg docs/figures/closed-loop-hpc2n.svg
	test ! -e out/closed-loop-hpc2n-easy || cp out/closed-loop-hpc2n-easy/figures/easy.svg docs/figures/closed-loop-hpc2n-easy.svg
	test ! -e out/time-scale || cp out/time-scale/figures/break-even.svg docs/figures/time-scale.svg
	test ! -e out/closed-loop-kth || cp out/closed-loop-kth/figures/service.svg docs/figures/closed-loop-kth.svg
