# `make` alone lists the targets.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/ready
TOOLS := $(VENV)/tools
SCREENS := src/puntobanco/web/static/index.html
RELEASE := build/release
NEWEST := build/newest
VERSION = $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' src/puntobanco/__init__.py)
MODULES := ui/node_modules/.package-lock.json

CORE := tests/golden tests/rulebook tests/rules tests/table tests/test_roads.py tests/house/tables/test_time_away.py

GAME ?= wu-song

.DEFAULT_GOAL := help
.PHONY: help setup ui run play test newest check format paragraphs docs bench load torture mutants shots release clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(TOOLS) ## create .venv and install the pinned dependencies

$(STAMP): requirements.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed"; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed"; exit 1; }
	"$(PYTHON)" -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt -c requirements-dev.txt setuptools
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q src
	@touch $@

$(TOOLS): $(STAMP) requirements-dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt -r requirements-dev.txt
	@touch $@

$(MODULES): ui/package.json ui/package-lock.json
	cd ui && npm ci --no-fund --no-audit --loglevel=error
	@touch $@

$(SCREENS): $(MODULES) ui/index.html ui/vite.config.ts ui/font.ts $(shell find ui/src ui/public src/puntobanco/rules -name "*.toml" -o -path "ui/*" -type f)
	cd ui && npm run --silent build

ui: $(SCREENS) ## build the screens into the package

run: ## start the demonstration house on this machine: five games, play money, a sign-in link for every post
	@$(MAKE) --no-print-directory --jobs=2 $(STAMP) ui
	$(BIN)/puntobanco serve --demo

play: $(STAMP) ## play in the terminal (GAME=commission, non-commission-etg, super-six, insurance, wu-song)
	$(BIN)/puntobanco play $(GAME)

test: check ui ## run every check and test, with 100 % branch coverage of the core
	$(BIN)/python -m tests.paragraphs --check
	cd ui && npm run --silent check && npm run --silent test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/pytest -q -n auto --dist loadfile $(CORE) --cov --cov-report=term --cov-fail-under=100
	$(BIN)/pytest -q -n auto --dist loadfile $(addprefix --ignore=,$(CORE) tests/browser)
	$(BIN)/pytest -q -n 3 --dist loadfile tests/browser

newest: ui ## run `make test` with the newest versions that pyproject.toml allows, and record them
	rm -rf $(NEWEST)
	"$(PYTHON)" -m venv $(NEWEST)
	$(NEWEST)/bin/pip install --quiet --disable-pip-version-check -e '.[all]'
	$(NEWEST)/bin/pip freeze --exclude-editable > $(NEWEST)/resolved.txt
	$(NEWEST)/bin/pip install --quiet --disable-pip-version-check -c $(NEWEST)/resolved.txt -r requirements-dev.txt
	touch $(NEWEST)/ready $(NEWEST)/tools
	$(MAKE) test VENV=$(NEWEST)
	{ echo "# The newest versions that pyproject.toml allowed on $$(date -u +%F). 'make test' passed with them on" \
	  "$$($(NEWEST)/bin/python -V)."; cat $(NEWEST)/resolved.txt; } > requirements-newest.txt

check: setup ## run the format, lint, type and layer checks (fast)
	$(BIN)/ruff format --check --quiet . || { echo "run 'make format'"; exit 1; }
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy --no-error-summary
	$(BIN)/lint-imports --no-logo > $(VENV)/layers.txt || { cat $(VENV)/layers.txt; exit 1; }

format: setup ## format the code
	$(BIN)/ruff format --quiet . && $(BIN)/ruff check --quiet --fix .

paragraphs: setup ## list the paragraphs that have tests, by document, and write the generated map
	$(BIN)/python -m tests.paragraphs

docs: setup ## write the pages that are generated from the code, and the site: build/site/index.html
	$(BIN)/python -m docs.traditional
	$(BIN)/python -m docs.generate
	$(BIN)/python -m puntobanco.web.typescript --write
	$(BIN)/python -m docs.site.build

shots: setup ui ## take pictures of every screen: docs/screens for the README, contact sheets in build/sheets
	$(BIN)/python -m tests.browser.shots
	$(BIN)/python -m tests.browser.sheets

torture: setup ## run the long fault tests: a million random commands, kills, full disks, torn files
	$(BIN)/python -m tests.table.torture
	$(BIN)/python -m tests.house.torture
	$(BIN)/python -m tests.fuzz --commands 1000000

mutants: setup ## run sampled mutation tests of the rules and the table (MUTANTS="table.betting --each 50")
	$(BIN)/python -m tests.mutants $(MUTANTS)

bench: setup ui ## run the benchmarks, each compared with its limit
	$(BIN)/python -m benchmarks.cold_start
	$(BIN)/python -m benchmarks.roads
	$(BIN)/python -m benchmarks.table
	$(BIN)/python -m benchmarks.odds
	$(BIN)/python -m benchmarks.store
	$(BIN)/python -m benchmarks.verify
	$(BIN)/python -m benchmarks.live
	$(BIN)/python -m benchmarks.screens

load: setup ## measure a house under load and under floods
	$(BIN)/python -m benchmarks.load
	$(BIN)/python -m benchmarks.floods

release: ## build wheel, source distribution, software bills of materials and checksums of the last commit into dist/
	@test -n "$$PUNTOBANCO_SITE" || echo 'PUNTOBANCO_SITE is not set: the packages get no project URLs, their readme no pictures.'
	rm -rf $(RELEASE) dist && mkdir -p $(RELEASE)/checkout dist
	git archive HEAD | tar -x -C $(RELEASE)/checkout
	"$(PYTHON)" -m venv $(RELEASE)/venv
	$(RELEASE)/venv/bin/pip install --quiet --disable-pip-version-check -r requirements-release.txt
	cd $(RELEASE)/checkout && SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) \
	  ../venv/bin/python -m build --no-isolation --outdir ../../../dist
	cd $(RELEASE)/checkout && V=$(VERSION) && sed -i "s/^dynamic = .*/version = \"$$V\"/" pyproject.toml \
	  && ../venv/bin/cyclonedx-py requirements --short-PURLs --output-reproducible --pyproject pyproject.toml \
	    --output-file ../../../dist/puntobanco-$$V-python.cdx.json requirements.txt \
	  && cd ui && npm pkg set version=$$V \
	  && npm sbom --package-lock-only --sbom-format cyclonedx > ../../../../dist/puntobanco-$$V-npm.cdx.json
	$(RELEASE)/venv/bin/pip install --quiet --disable-pip-version-check -c requirements.txt dist/*.whl
	$(RELEASE)/venv/bin/python -I -c "from puntobanco.house.operations.build_digest import build_digest; \
	  print(build_digest().digest)" > dist/puntobanco-$(VERSION).digest
	cd dist && sha256sum * > SHA256SUMS && cat SHA256SUMS

clean: ## remove what was installed and generated
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage* src/*.egg-info \
	  ui/node_modules ui/build src/puntobanco/web/static build dist
