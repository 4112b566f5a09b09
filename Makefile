GO ?= go
SEEDS ?= 1-100
PACKAGES ?= ./...

.PHONY: all build test lint verify bench golden planted toolchain-check accept-verify accept-doubles accept-processes accept-memory accept-same accept-shards accept-etcd accept-std accept-pebble accept-badger accept-sqlite accept-nats accept-shrink accept-sockets accept-files ci

all: lint test

# The command, in bin/.
build:
	$(GO) build -trimpath -o bin/orrery ./cmd/orrery

test:
	$(GO) test -timeout 60m $(PACKAGES)

# gofmt, vet, and the rules that a test of ours checks.
lint:
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "not gofmt'ed:"; echo "$$files"; exit 1; fi
	$(GO) vet $(PACKAGES)
	$(GO) test -count=1 -run '^TestLint' ./cmd/orrery

# Every seed twice: the two runs must be equal, event for event.
verify: build
	bin/orrery sweep --seeds $(SEEDS) --verify 100% --max-vacuous 100% ./scenarios/...

# The engine's figures beside their goals, as ratios within one run.
bench: build
	GOROOT=$$(bin/orrery goroot) GOTOOLCHAIN=local GOMAXPROCS=1 $$(bin/orrery goroot)/bin/go test -count=1 -tags netgo,osusergo \
		./sim -run '^TestBench$$' -v -orrery.bench .
	bin/orrery sweep ./scenarios/raftmemory --seeds 1-100 --procs 1
	bin/orrery sweep ./scenarios/raftkv --seeds 1-40 --procs 1 --set nodes=5
	bin/orrery sweep ./scenarios/etcd --run '^TestTwentyPuts$$' --seeds 1-40 --procs 1

# Rewrites the texts that tests compare with: look at the diff.
golden:
	$(GO) test ./cmd/orrery -update

# Searches the first seeds that find the bugs planted in the textbook systems and the
# tenants', and writes them to the tables in docs/scenarios.md.
planted:
	$(GO) test -count=1 -timeout 60m -p 1 -run '^TestPlantedBugs$$' $(addprefix ./scenarios/textbook/,chain crdt lease primarybackup queue saga twophase) -textbook.write
	$(GO) test -count=1 -timeout 60m -run '^TestPlantedBugs$$' ./scenarios/tenant -tenant.write

# Which edits do not fit the Go in use.
toolchain-check:
	$(GO) test -count=1 -run '^TestEditsFitThisGo$$' -v ./sim/internal/toolchain

# The long runs behind what the docs claim. CI runs a sample of each.
accept-verify: build
	bin/orrery sweep ./scenarios/raftkv --seeds 1-1000 --verify 100%

# Double runs over the whole catalogue, in parts of ten seeds; a part that was made, by the same commit, is not made again.
DOUBLES ?= 5000

accept-doubles: build
	@dir=out/doubles-$$(git rev-parse --short HEAD); mkdir -p $$dir; \
	for lo in $$(seq 1 10 $(DOUBLES)); do \
		part=$$dir/$$lo.txt; [ -e $$part ] && continue; \
		bin/orrery sweep ./scenarios/... --seeds $$lo-$$((lo + 9)) --verify 100% --max-vacuous 100% > $$part.new || { cat $$part.new; exit 1; }; \
		mv $$part.new $$part; \
	done; \
	cat $$dir/*.txt | awk '/^run twice/ { gsub(",", "", $$3); n += $$3 } END { print n " runs made twice, all equal" }'

accept-processes:
	$(GO) test -count=1 -timeout 60m -v -run "FreshProcesses$$" ./sim/internal/audit -processes 50 -leaks 10000

accept-memory:
	$(GO) test -count=1 -timeout 60m -v -run "^TestOneWorkersMemory$$" ./scenarios/raftkv -one.seeds 10000

accept-same:
	$(GO) test -count=1 -timeout 60m -v -run "^TestSameBytes$$" ./cmd/orrery -same.seeds 1-100

accept-shards:
	$(GO) test -count=1 -timeout 60m -v -run "^TestShards$$" ./cmd/orrery -shards.seeds 1-2000

accept-etcd: build
	bin/orrery sweep ./scenarios/etcd --run '^TestEtcd$$' --seeds 1-300 --verify 100%
	bin/orrery sweep ./scenarios/etcd --run '^TestEtcd$$' --seeds 1-50 --verify 100% --set nodes=5

accept-std:
	$(GO) test -count=1 -timeout 180m -v -run "^TestStd$$" ./sim/internal/stdsuite -std.accept

accept-pebble: build
	bin/orrery sweep ./scenarios/pebble --seeds 1-300 --verify 100%

accept-badger: build
	bin/orrery sweep ./scenarios/badger --seeds 1-300 --verify 100%

accept-sqlite: build
	bin/orrery sweep ./scenarios/sqlite --seeds 1-300 --verify 100%
	bin/orrery sweep ./scenarios/sqlite --seeds 1-300 --verify 100% --set journal=delete

accept-nats: build
	bin/orrery sweep ./scenarios/nats --run '^TestStream$$' --seeds 1-300 --verify 100%

# As root: random calls on the simulated kernel and on this machine's, of sockets in a network of their own. SEED repeats a run.
# Every planted bug shrunk, twice; the table is put in docs/failures.md. It goes on
# where it was stopped.
accept-shrink:
	$(GO) test -count=1 -timeout 180m -v -run '^TestShrink$$' ./scenarios/textbook -shrink.accept

CALLS ?= 100000
SEED ?= 0

accept-sockets:
	$(GO) test -count=1 -timeout 60m -v -run '^TestSocketsConformToLinux$$' ./sim/internal/kernel -sockets.calls $(CALLS) -rapid.seed $(SEED)

accept-files:
	$(GO) test -count=1 -timeout 60m -v -run '^TestFilesConformToLinux$$' ./sim/internal/kernel -files.calls $(CALLS) -rapid.seed $(SEED)

ci:
	./.ci/run
