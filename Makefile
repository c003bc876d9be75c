FUZZTIME ?= 20s

.PHONY: test lint bench fuzz api check

test:
	go test ./...

lint:
	bash .ci/run vet format lint modules

bench:
	go run ./internal/bench/report

fuzz:
	FUZZTIME=$(FUZZTIME) bash .ci/run fuzz

# Renews the snapshot that the API is compared with.
api:
	bash .ci/run snapshot

# What CI does.
check:
	bash .ci/run
