FUZZTIME ?= 20s
SOAK ?= 60s

.PHONY: test lint bench fuzz soak mutants api check

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

# The long form of the tests that try to break everything at once.
soak:
	go test ./internal/faults -count=1 -v -run 'TestSoak|TestCancelled|TestDecodersAgree' \
		-timeout 1h -soak $(SOAK) -cancels 20000 -tcpcancels 20000 -mutations 20000

# Breaks the code on purpose, and tells which test notices.
mutants:
	go run ./internal/faults/mutants

# What CI does.
check:
	bash .ci/run
