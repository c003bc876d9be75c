FUZZTIME ?= 20s

.PHONY: test lint bench fuzz check

test:
	go test ./...

lint:
	bash .ci/run vet format lint modules

bench:
	go run ./internal/bench/report

fuzz:
	FUZZTIME=$(FUZZTIME) bash .ci/run fuzz

# What CI does.
check:
	bash .ci/run
