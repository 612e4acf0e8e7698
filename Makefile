# The two commands to know: `make demo` and `make test`. Each prepares all it needs in .venv, on a machine that has
# Python 3.11 or later and make. Everything here may be run again at any time.

.DEFAULT_GOAL := help
SHELL := /bin/sh

VENV    := .venv
PY      := $(VENV)/bin/python
STAMP   := $(VENV)/.millrace-installed
WORKERS ?= 2
SEEDS   ?= 1000
SEED    ?= 0

# The first interpreter that is new enough and can make a virtual environment; PYTHON=... overrules the search.
PYTHON ?= $(shell for candidate in python3 python3.13 python3.12 python3.11 python3.14; do \
	$$candidate -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& { echo $$candidate; break; }; done)

.PHONY: help install demo test slow lint types format bench sim crash compat docs fuzz lock clean

help: ## what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP) ## prepare .venv with what requirements.lock names, and this package in place

$(STAMP): requirements.lock pyproject.toml
	@if [ -z "$(PYTHON)" ] && [ ! -x $(PY) ]; then \
		echo "millrace needs Python 3.11 or later with its venv module; name one with PYTHON=/path/to/python3" >&2; exit 1; fi
	@[ -x $(PY) ] || { echo "making $(VENV) with $(PYTHON)"; $(PYTHON) -m venv $(VENV); }
	@echo "installing what requirements.lock names"
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index --editable .
	@touch $@

demo: install ## a broker, nine producers and four consumers, live in this terminal, with a summary that is checked
	@$(PY) -m examples.demo

test: install ## every test that is quick and needs nothing started (under 10 minutes on two cores)
	@$(PY) -m pytest -n $(WORKERS) -m "not slow and not real_kafka"

slow: install ## the tests that `make test` leaves out because they take long
	@$(PY) -m pytest -n $(WORKERS) -m "slow and not real_kafka"

lint: install types ## style, import contracts and types
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check --quiet . || { echo "run 'make format'" >&2; exit 1; }
	@$(VENV)/bin/lint-imports --no-cache

types: install ## mypy --strict on the package
	@$(VENV)/bin/mypy

format: install ## put the sources into the one form that lint accepts
	@$(VENV)/bin/ruff check --fix --quiet . ; $(VENV)/bin/ruff format --quiet .

bench: install ## this broker beside Apache Kafka, the whole budget table (ARGS="--quick" for a short run)
	@$(PY) -m bench $(ARGS)

sim: install ## the simulator: SEEDS seeds from SEED on (SEEDS=1 SEED=n runs one again)
	@$(PY) -m millrace.testing.scenario --seeds $(SEEDS) --first $(SEED) $(ARGS)

crash: install ## kill -9 under load, 200 rounds on a log of 10 GB (ARGS="--rounds 9 --gigabytes 1"); 1,000 power cuts
	@$(PY) -m tests.crash.rounds $(ARGS)
	@$(PY) -m pytest -m slow tests/crash

compat: install ## the clients' own test suites, and the tests that start Apache Kafka
	@$(PY) -m pytest -m real_kafka
	@$(PY) -m compat $(ARGS)

fuzz: install ## decoders fed anything (ARGS="--seconds 60")
	@$(PY) -m tests.kafka.fuzz_messages $(ARGS)

docs: install ## write anew what is generated in docs/
	@$(PY) -m tools.docs

RESOLVE := $(VENV)/bin/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate --quiet

lock: install ## resolve the dependencies anew into the two locks: for development, and for a deployment
	@$(RESOLVE) --group dev $(ARGS) --output-file requirements.lock
	@$(RESOLVE) --constraint requirements.lock --output-file examples/deploy/requirements.lock

clean: ## remove what was made, .venv included
	@rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
