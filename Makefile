# pokersvc: everything from a checkout. Needs Python 3.11 or newer, make and git.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   ?= .venv
BIN    := $(VENV)/bin
# Tests import hundreds of modules in every process: compiled ones are kept for the next process, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

# A test that hangs ends its process after ten minutes, with the lines where its threads stand, and fails by name.
# Tests wait for clocks, servers and browsers, so one process more than there are processors; each takes a gigabyte.
PROCESSES ?= $(shell $(PYTHON) -c 'import os; print(min(os.cpu_count() or 1, 7) + 1)')
PYTEST := $(BIN)/python -m pytest -n $(PROCESSES) -o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true

.PHONY: help play serve test fast-tests test-slow test-exhaustive lint lint-web screens fuzz mutants bench example opponents late-draws api-docs docs clean
help:            ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "pokersvc needs Python 3.11 or newer; name one: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python pyproject.toml constraints.txt
	@echo "Setting up $(VENV) (once) …" >&2
	@$(INSTALL) -e .
	@touch $@

$(VENV)/.installed-serve: $(VENV)/.installed
	@$(INSTALL) -e '.[serve]'
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	@$(INSTALL) -e '.[test]'
	@touch $@

$(VENV)/.installed-bench: $(VENV)/.installed
	@$(INSTALL) -e '.[bench]'
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed
	@$(INSTALL) -e '.[docs]'
	@touch $@

play: $(VENV)/.installed  ## play against a bot; without a terminal only bots play: make play ARGS="--auto --seed demo"
	@if [ -t 0 ]; then $(BIN)/pokersvc play $(ARGS); else $(BIN)/pokersvc play --auto $(ARGS); fi

serve: $(VENV)/.installed-serve  ## serve tables on http://127.0.0.1:8000: make serve ARGS="--port 8080"
	@$(BIN)/pokersvc serve $(ARGS)

tests/web/node_modules/.installed: $(VENV)/.installed-test tests/web/package.json tests/web/package-lock.json
	@$(BIN)/python -m tests.web.node install
	@touch $@

lint-web: tests/web/node_modules/.installed  ## types and style of the page's JavaScript, in a Node from the test extra
	$(BIN)/python -m tests.web.node lint

screens: $(VENV)/.installed-test  ## remake the screens of the page in docs/screens, with Chromium
	$(BIN)/python -m tests.web.screens
	$(BIN)/python -m tests.docs.terminal

lint: $(VENV)/.installed-test lint-web
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: $(VENV)/.installed-test  ## ruff, mypy, import-linter, the page's JavaScript, doctests and tests; with CI=true, branch coverage too
	@$(MAKE) --no-print-directory -j 2 lint fast-tests  # mypy takes one core, and half a minute the first time

fast-tests: $(VENV)/.installed-test tests/web/node_modules/.installed
	$(PYTEST) -m "not slow" $(if $(CI),--cov --cov-fail-under=95) $(ARGS)

test-slow: $(VENV)/.installed-test $(VENV)/.installed-docs  ## the slow tests: kills, full disks, many games, the wheel
	$(PYTEST) -m "slow and not exhaustive" $(ARGS)

test-exhaustive: $(VENV)/.installed-test  ## all of what the slow tests take a part of
	$(BIN)/python -m pytest -n $(PROCESSES) -m exhaustive $(ARGS)

fuzz: $(VENV)/.installed-test  ## a million generated files for every reader of a file
	$(BIN)/python -m tests.fuzz $(or $(ARGS),1000000 --processes 2)

mutants: $(VENV)/.installed-test tests/web/node_modules/.installed  ## 300 small changes of meaning, and whether the fast tests notice
	$(BIN)/python -m tests.mutants $(ARGS)

bench: $(VENV)/.installed-bench  ## the benchmark table of docs/benchmarks.md
	$(BIN)/python -m benchmarks $(ARGS)

example: $(VENV)/.installed  ## regenerate pokerdb.sqlite.example, from fixed seeds
	$(BIN)/python tests/example.py pokerdb.sqlite.example

opponents: $(VENV)/.installed  ## regenerate the tables of good players' final hands, which `advise` uses
	$(BIN)/python -m pokersvc.cards.equilibrium pokersvc/cards/opponents.npz

late-draws: $(VENV)/.installed-test  ## complete the table of real deals that advice is tested against: make late-draws ARGS="--processes 2"
	$(BIN)/python -m tests.cards.late_draws $(ARGS)

api-docs: $(VENV)/.installed-test  ## regenerate docs/api, from the signatures and docstrings of the public names
	$(BIN)/python -m tests.docs.api

docs: $(VENV)/.installed-docs  ## build the documentation site into build/site; any warning or dead link is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict $(ARGS)
	@echo "Open build/site/index.html; to search, serve it: $(BIN)/python -m http.server --directory build/site" >&2

clean:           ## remove the environment and everything that was built
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache tests/web/node_modules
