# The two commands that matter: `make demo` and `make test`. `make help` lists the rest.
# One release build in .build serves demo, test and install: debug Swift is about fifty times slower on pixels.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
DESTDIR ?=
DEMO := demo
COUNT ?= 36
SEED ?= 71

# Every build goes through these flags, so that no target rebuilds what another has built.
SWIFT_FLAGS := -c release -Xswiftc -enable-testing --pkg-config-path $(CURDIR)/Support/pkgconfig --explicit-target-dependency-import-check error
BINARY = .build/release/cnicscan

.PHONY: instructions help setup setup-test build demo test lint format install uninstall accuracy bench bench-peers torture fuzz sanitize \
  train-model deb test-deb test-slurm test-spark scale docs clean

help: ## Lists the targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Installs what the build needs from Debian (as root; says what to do otherwise)
	@command -v swift >/dev/null || { echo "setup: Swift 6.3 is not installed: see https://www.swift.org/install/linux/" >&2; exit 1; }
	@Support/install-packages build

setup-test: setup
	@Support/install-packages test
	@$(MAKE) --no-print-directory .venv/test-ready

build: setup ## Builds the command in release mode, Swift's runtime linked in
	swift build $(SWIFT_FLAGS) --static-swift-stdlib --product cnicscan

demo: build ## Draws specimen cards, reads them and shows the result
	@Support/demo $(BINARY) $(DEMO) $(COUNT) $(SEED)

test: setup-test ## Builds and runs every test
	swift test $(SWIFT_FLAGS) $(TEST_FLAGS)

lint: setup ## Formatting, warnings as errors, imports only along declared dependencies
	swift format lint --strict --recursive Package.swift Sources Tests Tools Examples
	@Support/lint-house
	swift build $(SWIFT_FLAGS) --build-tests 2>&1 | Support/no-warnings

format: ## Formats the sources in place
	swift format --in-place --recursive Package.swift Sources Tests Tools Examples

# sudo leaves Swift off the path: what `make build` has made before is then installed as it is.
install: ## Installs under PREFIX (default /usr/local); DESTDIR is honoured
	@if command -v swift >/dev/null; then $(MAKE) --no-print-directory build; \
	  elif [ ! -x $(BINARY) ]; then echo "install: first build it, as yourself: make build" >&2; exit 1; fi
	@Support/install-tree $(BINARY) "$(DESTDIR)" "$(PREFIX)"

uninstall: ## Removes what install put under PREFIX
	@Support/install-tree --remove "$(DESTDIR)" "$(PREFIX)"

accuracy: build .venv/ready ## Draws fresh cards and measures what is read right and wrong
	.venv/bin/python Tools/accuracy.py --binary $(BINARY) $(ARGS)

bench: build .venv/ready ## CPU, wall, memory and time a stage against their floors
	.venv/bin/python Tools/bench.py --binary $(BINARY) $(ARGS)

scale: build .venv/ready ## Measures a pair's cost and writes the tables of Scale.md anew
	.venv/bin/python Tools/bench.py --binary $(BINARY) --json Tools/bench.json $(ARGS)
	.venv/bin/python Tools/scale_model.py Tools/bench.json --write Scale.md

bench-peers: build .venv/ready ## The same pairs through other engines
	@Support/install-packages peers
	.venv/bin/python Tools/bench_peers.py --binary $(BINARY) $(ARGS)

torture: build setup-test ## Kills, faults, full disks, hostile files, a million pairs: nothing is lost (ARGS="--quick", or parts)
	swift build $(SWIFT_FLAGS) --product BatchHarness
	PYTHON=$(CURDIR)/.venv/bin/python Tests/Torture/run .build/release $(ARGS)

instructions: build ## Counts the instructions of three pairs; fails where they grew (ARGS=--record writes the count)
	@Support/install-packages instructions
	python3 Tests/Performance/instructions.py $(BINARY) $(ARGS)

fuzz: setup ## Fuzzes the readers of payloads, fields, manifests and the worker protocol (ARGS="30": seconds each)
	Tests/Fuzz/run $(ARGS)

sanitize: setup-test ## The tests under AddressSanitizer and ThreadSanitizer, in builds of their own (an hour)
	Tests/Sanitize/run $(ARGS)

test-slurm: build ## Runs pipelines/slurm on a Slurm of two nodes that loses workers, a task and a node
	@Support/install-packages cluster slurm
	python3 Tests/Cluster/slurm.py $(BINARY) build/cluster $(ARGS)

test-spark: build .venv-spark/ready ## Runs pipelines/spark on a Spark of two workers that loses workers, a task and an executor
	.venv-spark/bin/python Tests/Cluster/spark.py $(BINARY) build/cluster $(ARGS)

train-model: .venv/ready ## Trains the networks for card values anew (half an hour) into build/models
	@Support/install-packages build tools train
	PYTHON=$(CURDIR)/.venv/bin/python Models/training/train $(ARGS)

deb: build ## Builds a Debian package into build/
	@Support/install-packages deb
	Packaging/build-deb

test-deb: deb ## Installs the package in a fresh Debian 12 and reads a pair there
	@Support/install-packages test-deb
	Packaging/test-deb

docs: setup ## Writes the library's DocC pages into build/docs
	swift build $(SWIFT_FLAGS) --target CNICScan
	Support/docs build/docs

.venv/test-ready: Support/requirements-test.txt
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

.venv/ready: Tools/requirements.txt
	@Support/install-packages tools
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement Tools/requirements.txt
	touch $@

.venv-spark/ready: pipelines/spark/requirements.txt
	@Support/install-packages cluster spark
	python3 -m venv .venv-spark
	.venv-spark/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

clean: ## Removes builds and demo output, nothing else
	rm -rf .build build $(DEMO)
