GO ?= go
SEEDS ?= 1-100
PACKAGES ?= ./...

.PHONY: all build test lint verify bench ci

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

bench:
	$(GO) test -run '^$$' -bench . -benchmem $(PACKAGES)

ci:
	./.ci/run
