FUZZTIME ?= 20s
SOAK ?= 60s
CREDITS ?= 10000
RATE ?= 2
PKG ?= ./internal/paging ./internal/transport ./internal/decode ./wallet ./compressed

.PHONY: test lint bench fuzz soak mutants live update check

test:
	go test ./...

lint:
	bash .ci/run vet format lint modules

# Measures the figures that internal/bench lists, with benchstat.
bench:
	LIMIT=36000 bash .ci/run measure

fuzz:
	LIMIT=36000 FUZZTIME=$(FUZZTIME) bash .ci/run fuzz

# Calls all that HELIUS_API_KEY can read, and compares each response with its result, as
# docs/live.md says; WRITE=-write also creates, changes and deletes a webhook.
live:
	@[ -n "$$HELIUS_API_KEY" ] || { echo "HELIUS_API_KEY is not set"; exit 1; }
	go test ./internal/conformance -count=1 -timeout 1h -run '^TestLive$$' -v -live -credits $(CREDITS) -rate $(RATE) -report $(CURDIR)/live.json $(WRITE)

# Writes the generated pages in docs and the texts of the API. It refuses an exported name that
# went, changed or came and is not in CHANGELOG.md.
update:
	go test ./internal/conformance -run 'PageOf|ExportedAPI' -update

# The long form of the randomized fault tests.
soak:
	go test ./internal/faults -count=1 -v -timeout 1h -thorough \
		-soak $(SOAK) -cancels 20000 -mutations 20000

# Changes one operator at a time in the packages of PKG and reports which changes no test
# of the package notices.
mutants:
	for package in $(PKG); do go run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0 unleash $$package; done

# All that CI checks.
check:
	bash .ci/run
