# Everything below needs only Python 3.11 or later and make; the first call sets up .venv by itself.
PYTHON ?= python3
VENV := .venv
PORT ?= 8000
# Tests often wait for browsers, databases, and servers: twice as many workers as cores keep the cores busy.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(2 * (os.cpu_count() or 1))')
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# The packages beside the core. The tests and the benchmarks need them; the demonstration room does not.
PACKAGES := $(sort $(dir $(wildcard packages/*/pyproject.toml)))
BENCH_VENV := .venv-bench
BENCH_READY := $(BENCH_VENV)/.ready
FRONT_READY := src/cardroom/web/static/vendor/.ready
BROWSER_READY := front/browser/node_modules/.ready
DIEHARDER_READY := .dieharder/.ready

# The tests start hundreds of programs; without bytecode files each would compile every source file again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help run play test test-long test-soak check audit docs format bench screenshots messages lock clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# The lock has every name, version, and hash, so pip looks for nothing else: it would refuse a newer release for its missing
# hash. The project itself and the packages beside it are linked without the network.
define set_up
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Cardroom needs Python 3.11 or later; set PYTHON=/path/to/python3.11")'
	@test -x $(1)/bin/python || $(PYTHON) -m venv $(1)
	@echo "Installing the pinned packages into $(1) (once) ..."
	@$(1)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps $(2)
	@$(1)/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps \
		--editable . $(addprefix --editable ,$(PACKAGES))
	@touch $@
endef

$(READY): requirements.lock pyproject.toml $(PACKAGES:=pyproject.toml)
	$(call set_up,$(VENV),-r requirements.lock)

# The fonts and scripts of the pages, and the browser of the tests; neither is stored in the repository.
$(FRONT_READY): front/package-lock.json front/build.py | $(READY)
	@$(BIN)/python front/build.py pages
	@touch $@

$(BROWSER_READY): front/browser/package-lock.json front/build.py | $(READY)
	@$(BIN)/python front/build.py browser
	@touch $@

# The libraries of the benchmark have an environment of their own, so that nothing else can depend on them.
$(BENCH_READY): requirements.lock bench/requirements.lock pyproject.toml $(PACKAGES:=pyproject.toml)
	$(call set_up,$(BENCH_VENV),-r requirements.lock -r bench/requirements.lock)

run: $(READY) $(FRONT_READY) ## Open the demonstration room in the browser; PORT=8080 chooses another port
	@$(BIN)/cardroom serve --demo --port $(PORT) --log-level warning

play: $(READY) ## Play at a table in the terminal
	@$(BIN)/cardroom play

# Each process of the tests imports all of them; the first import takes twice as long.
.PHONY: tests-read
tests-read: $(READY) $(FRONT_READY) $(BROWSER_READY)
	@$(BIN)/python -m pytest --collect-only -qq > /dev/null

test: $(READY) $(FRONT_READY) $(BROWSER_READY) ## Run the fast tests and every doctest
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# Debian's battery of tests for random numbers.
$(DIEHARDER_READY): tests/battery/bring.py | $(READY)
	@$(BIN)/python -m tests.battery.bring
	@mkdir -p $(@D) && touch $@

test-long: $(READY) $(FRONT_READY) $(BROWSER_READY) $(DIEHARDER_READY) ## Run the tests that take minutes
	@$(BIN)/python -m pytest -m long --hypothesis-profile patient
	@$(BIN)/python -m pytest -m 'hypothesis and not long' --hypothesis-profile patient
	@$(BIN)/python -m pytest tests/browser --hypothesis-profile patient

test-soak: $(READY) $(FRONT_READY) $(BROWSER_READY) ## Run `make test` six times, two of them next to busy processes; SOAK="--runs 2" changes that
	@$(BIN)/python -m tests.soak $(SOAK)

check: $(READY) ## Check style, types, imports, and known vulnerabilities
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m tests.project.audit

audit: $(READY) ## Check the pinned packages for known vulnerabilities
	@$(BIN)/python -m tests.project.audit

# The variable silences the theme's notice about its maintenance (docs/decisions/0032).
# Without --quiet, which hides the warnings that --strict counts.
docs: $(READY) $(FRONT_READY) ## Build the documentation in site/; a broken link fails
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "The documentation is built: open site/index.html in a browser."

format: $(READY) ## Format the code
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(BENCH_READY) ## Measure what the documentation promises; ONLY="hands rounds" measures some of it
	@$(BENCH_VENV)/bin/python -m bench $(ONLY)

screenshots: $(READY) $(FRONT_READY) $(BROWSER_READY) ## Take pictures of every page in every state, in screenshots/
	@$(BIN)/python -m tests.screens screenshots

messages: $(READY) ## Collect the sentences that players read into the translation template
	@$(BIN)/python -m tests.project.messages

lock: ## Pin the newest versions that pyproject.toml allows
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
		--no-annotate --no-header --all-extras --group dev --no-emit-package cardroom \
		$(foreach package,$(notdir $(PACKAGES:/=)),--no-emit-package $(package)) pyproject.toml -o requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
		--no-annotate --no-header --group bench --constraints requirements.lock -o bench/requirements.lock

clean: ## Delete .venv, .venv-bench, and everything built
	@rm -rf $(VENV) $(BENCH_VENV) .dieharder .soak front/node_modules front/browser/node_modules front/browser/unpacked $(dir $(FRONT_READY)) dist build site .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
