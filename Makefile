FUZZTIME ?= 20s
SOAK ?= 60s

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

# Introduces one bug at a time and reports which test fails.
mutants:
	go run ./internal/faults/mutants

# All that CI checks.
check:
	bash .ci/run
