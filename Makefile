FUZZTIME ?= 20s
SOAK ?= 60s
PKG ?= ./internal/paging ./internal/transport ./internal/decode ./wallet ./compressed

.PHONY: test lint bench fuzz soak mutants update check

test:
	go test ./...

lint:
	bash .ci/run vet format lint modules

# Measures the figures that internal/bench lists, with benchstat.
bench:
	bash .ci/run measure

fuzz:
	FUZZTIME=$(FUZZTIME) bash .ci/run fuzz

# Writes the generated pages in docs and the API snapshot.
update:
	go test ./internal/conformance -run 'Pages|API' -update

# The long form of the randomized fault tests.
soak:
	go test ./internal/faults -count=1 -v -timeout 1h -thorough \
		-soak $(SOAK) -cancels 20000 -tcpcancels 20000 -mutations 20000

# Changes one operator at a time in the packages of PKG and reports which changes no test
# of the package notices.
mutants:
	for package in $(PKG); do go run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0 unleash $$package; done

# All that CI checks.
check:
	bash .ci/run
